import type { ReviewRecord } from '../operations/reviews/reviews.ts'
import type { CsvCell } from './export.ts'

/** Rows of reviews in exports. */

export const REVIEW_COLUMNS = [
  'store',
  'app_id',
  'app_name',
  'market',
  'review_id',
  'rating',
  'title',
  'body',
  'author',
  'app_version',
  'occurred_at',
  'observed_at',
  'language',
  'sentiment',
  'severity',
  'themes',
  'is_bug_report',
  'is_feature_request',
  'feature',
  'summary_en',
  'answer_state',
]

export function reviewCells(review: ReviewRecord): readonly CsvCell[] {
  const { enrichment } = review
  return [
    review.store,
    review.appId,
    review.appName,
    review.market,
    review.reviewId,
    review.rating,
    review.title,
    review.body,
    review.author,
    review.appVersion,
    review.occurredAt.toISOString(),
    review.observedAt.toISOString(),
    enrichment?.language ?? null,
    enrichment?.sentiment ?? null,
    enrichment?.severity ?? null,
    enrichment?.themes.join(' ') ?? null,
    enrichment?.is_bug_report ?? null,
    enrichment?.is_feature_request ?? null,
    enrichment?.feature_phrase ?? null,
    enrichment?.summary_en ?? null,
    review.answerState,
  ]
}
