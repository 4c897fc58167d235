import type { Enrichment } from '../../../../src/model/enrichment.ts'
import type { ConceptWeight } from '../features/concepts.ts'
import type { FeatureRequest } from '../features/request.ts'
import { dropCovered } from '../phrases/matcher.ts'
import type { LanguageTables, Tables } from '../tables.ts'
import type { Segment } from '../text/segments.ts'
import { detailsOf } from './details.ts'
import { ownClause } from './own-clause.ts'
import { summarize } from './summary.ts'

export type DescribeDeps = {
  /** Normalised. */
  readonly text: string
  /** The sentence with the strongest evidence for the labels. */
  readonly telling: string
  readonly tellingSegments: readonly Segment[]
  readonly segments: readonly Segment[]
  readonly facts: Omit<Enrichment, 'summary_en'>
  readonly request: FeatureRequest | null
  readonly table: LanguageTables
  readonly tables: Tables
}

/** Leaves room for a device or a version in brackets. */
const CLAUSE_WORDS_MAX = 16
/** A third one is wrong as often as it is right. */
const CONCEPTS_MAX = 2
/** The English summary of a review: its most telling sentence if it is English, else labels and named details. */
export function describeReview({
  text,
  telling,
  tellingSegments,
  segments,
  facts,
  request,
  table,
  tables,
}: DescribeDeps): string {
  const conceptsIn = (some: readonly Segment[], weight: ConceptWeight) =>
    some
      .flatMap(({ tokens }) => dropCovered(table.conceptMatcher(tokens)))
      .flatMap(({ name }) => tables.concepts.get(name) ?? [])
      .flatMap((concept) => (concept.weight === weight ? concept.name.replaceAll('-', ' ') : []))
  // Elsewhere than in the telling sentence, only specific concepts say what the review is about.
  const names = [
    ...conceptsIn(tellingSegments, 'telling'),
    ...conceptsIn(segments, 'telling'),
    ...conceptsIn(tellingSegments, 'plain'),
  ]
  return summarize({
    facts,
    request: request?.english ?? null,
    concepts: [...new Set(names)].slice(0, CONCEPTS_MAX),
    details: detailsOf(text),
    clause: facts.language === 'en' ? ownClause(telling, CLAUSE_WORDS_MAX) : null,
  })
}
