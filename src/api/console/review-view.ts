import type { ReviewLine } from '../../contract/console/reviews.ts'
import type { ReviewRecord } from '../../storage/port/reports.ts'

export function presentReview(review: ReviewRecord): ReviewLine {
  return {
    fingerprint: review.fingerprint,
    store: review.store,
    appId: review.appId,
    appName: review.appName,
    reviewId: review.reviewId,
    market: review.market,
    rating: review.rating,
    title: review.title,
    body: review.body,
    author: review.author,
    appVersion: review.appVersion,
    occurredAt: review.occurredAt.toISOString(),
    observedAt: review.observedAt.toISOString(),
    source: review.source,
    edited: review.edited,
    publicReply: review.publicReply && {
      text: review.publicReply.text,
      at: review.publicReply.at?.toISOString() ?? null,
    },
    enrichment: review.enrichment,
  }
}
