import type { Enrichment } from '../../../../src/model/enrichment.ts'
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
  readonly segments: readonly Segment[]
  readonly facts: Omit<Enrichment, 'summary_en'>
  readonly request: FeatureRequest | null
  readonly table: LanguageTables
  readonly tables: Tables
}

/** Leaves room for a device or a version in brackets. */
const CLAUSE_WORDS_MAX = 16
const WEIGHT = { telling: 3, plain: 2, light: 1 } as const

/** The English summary of a review: its most telling sentence if it is English, else labels and named details. */
export function describeReview({
  text,
  telling,
  segments,
  facts,
  request,
  table,
  tables,
}: DescribeDeps): string {
  const concepts = segments
    .flatMap(({ tokens }) => dropCovered(table.conceptMatcher(tokens)))
    .flatMap(({ name }) => tables.concepts.get(name) ?? [])
  const names = [...concepts]
    .sort((a, b) => WEIGHT[b.weight] - WEIGHT[a.weight])
    .map(({ name }) => name.replaceAll('-', ' '))
  return summarize({
    facts,
    request: request?.english ?? null,
    concepts: [...new Set(names)],
    details: detailsOf(text),
    clause: facts.language === 'en' ? ownClause(telling, CLAUSE_WORDS_MAX) : null,
  })
}
