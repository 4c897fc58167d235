import type { Enrichment } from '../../../../src/model/enrichment.ts'
import type { Sentiment, Theme } from '../../../../src/model/vocabulary.ts'
import type { Prediction } from '../encoder/heads.ts'
import type { FeatureRequest } from '../features/request.ts'
import type { LanguageTables, Tables } from '../tables.ts'
import type { Segment } from '../text/segments.ts'
import { detailsOf } from './details.ts'
import { ownClause } from './own-clause.ts'
import { type Certainty, summarize } from './summary.ts'
import { topicsIn } from './topics.ts'

export type DescribeDeps = {
  /** Normalised. */
  readonly text: string
  /** The sentence with the strongest evidence for the labels. */
  readonly keySentence: string
  readonly keySegments: readonly Segment[]
  readonly segments: readonly Segment[]
  readonly facts: Omit<Enrichment, 'summary_en'>
  readonly prediction: Prediction
  readonly request: FeatureRequest | null
  /** Whether a name means the app or its developer. */
  readonly isOwn: (name: string) => boolean
  readonly table: LanguageTables
  readonly tables: Tables
}

/** Leaves room for a device or a version in parentheses. */
const CLAUSE_WORDS_MAX = 16

/**
 * Minimum probabilities of the statements of a summary. On 531 reviews that were not used for training, 8 to 9 of 10 statements above them
 * are right. A theme needs less when the review names one of its topics, and more when the encoder often confuses it (`weak`).
 */
const SURE = {
  sentiment: { positive: 0.85, negative: 0.65, neutral: 0, mixed: 0.85 } satisfies Record<Sentiment, number>,
  bug: 0.8,
  // Of the requests of 1,415 real reviews that are between 0.85 and 0.95, 3 of 10 are none; above, 1 of 20.
  request: 0.95,
  theme: { usual: { named: 0.6, unnamed: 0.8 }, weak: { named: 0.75, unnamed: 0.9 } },
} as const
const WEAK: ReadonlySet<Theme> = new Set<Theme>([
  'content_quality',
  'pricing_value',
  'billing_payment',
  'refund',
  'update_regression',
  'ui_ux',
])

/** The English summary of a review: its key sentence if it is English, else the certain labels and the named topics. */
export function describeReview({
  text,
  keySentence,
  keySegments,
  segments,
  facts,
  prediction,
  request,
  isOwn,
  table,
  tables,
}: DescribeDeps): string {
  const named = topicsIn(table.topicMatcher, [...keySegments, ...segments])
  const ofTopics = new Set(named.flatMap((topic) => tables.topics.get(topic) ?? []))
  return summarize({
    facts,
    certainty: certaintyOf(facts, prediction, ofTopics),
    request: request?.english ?? null,
    topics: [
      ...named.map((topic) => topic.replaceAll('-', ' ')),
      // Without its name, which can be any word of the review.
      ...(facts.mentions_competitor ? ['another app'] : []),
    ],
    details: detailsOf(text, isOwn),
    clause:
      facts.language === 'en'
        ? ownClause(keySentence, CLAUSE_WORDS_MAX, facts.sentiment !== 'positive')
        : null,
  })
}

function certaintyOf(
  { sentiment, themes }: DescribeDeps['facts'],
  { sentimentP, bug, request, themes: likely }: Prediction,
  named: ReadonlySet<Theme>,
): Certainty {
  const least = (theme: Theme) =>
    SURE.theme[WEAK.has(theme) ? 'weak' : 'usual'][named.has(theme) ? 'named' : 'unnamed']
  return {
    isSentimentSure: sentimentP >= SURE.sentiment[sentiment],
    isBugSure: bug >= SURE.bug,
    isRequestSure: request >= SURE.request,
    themes: likely.flatMap(({ theme, p }) => (themes.includes(theme) && p >= least(theme) ? theme : [])),
  }
}
