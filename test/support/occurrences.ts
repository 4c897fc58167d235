import type { Enrichment } from '../../src/model/enrichment.ts'
import type { Watch } from '../../src/model/hook.ts'
import { feedKindOf } from '../../src/model/market.ts'
import type { Occurrence } from '../../src/model/occurrence.ts'
import { transitionIdOf } from '../../src/model/rating.ts'
import { contentHashOf, fingerprintOf } from '../../src/model/review.ts'
import type { Storefront } from '../../src/model/vocabulary.ts'

/** Synthetic occurrences and matching watches. */

export const enrichment: Enrichment = {
  language: 'en',
  sentiment: 'negative',
  themes: ['stability_crash', 'update_regression'],
  is_feature_request: false,
  feature_slug: null,
  feature_phrase: null,
  is_bug_report: true,
  severity: 'high',
  mentions_competitor: false,
  competitor_named: null,
  other_topic: null,
  summary_en: 'Crashes at start since the update.',
}

export type ReviewOccurrence = Extract<Occurrence, { eventType: 'review.created' }>
export type RatingOccurrence = Extract<Occurrence, { eventType: 'rating.dropped' }>

export function reviewOccurrence(
  change: Partial<Omit<ReviewOccurrence, 'review'>> & { review?: Partial<ReviewOccurrence['review']> } = {},
): ReviewOccurrence {
  const { review, ...rest } = change
  const store = rest.store ?? 'apple'
  const appId = rest.appId ?? '389801252'
  const market = rest.market ?? 'us'
  const reviewId = review?.reviewId ?? '12000000001'
  const title = review?.title === undefined ? 'Crashes' : review.title
  const body = review?.body ?? 'It crashes at start 😡\nSince the update.'
  const occurredAt = rest.occurredAt ?? new Date('2026-03-01T12:00:00Z')
  const observedAt = rest.observedAt ?? new Date('2026-03-01T12:34:56.789Z')
  const fingerprint = fingerprintOf(store, appId, reviewId)
  return {
    eventType: 'review.created',
    seq: 1,
    occurrenceId: fingerprint,
    store,
    appId,
    market,
    occurredAt,
    observedAt,
    unseenAt: null,
    ...rest,
    review: {
      store,
      appId,
      market,
      reviewId,
      rating: 1,
      title,
      body,
      author: 'A person',
      appVersion: '4.2.0',
      shownAt: occurredAt,
      edited: null,
      fingerprint,
      contentHash: contentHashOf(title, body),
      occurredAt,
      observedAt,
      enrichment,
      ...review,
    },
  }
}

export function ratingOccurrence(
  previousMicros: number,
  currentMicros: number,
  change: Partial<RatingOccurrence> = {},
): RatingOccurrence {
  const current = { micros: currentMicros, count: 1234 }
  return {
    eventType: 'rating.dropped',
    seq: 2,
    occurrenceId: transitionIdOf('google', 'org.example.app', current),
    store: 'google',
    appId: 'org.example.app',
    market: 'de',
    occurredAt: new Date('2026-03-01T12:00:00.123Z'),
    observedAt: new Date('2026-03-01T12:00:00.123Z'),
    previous: { micros: previousMicros, count: 1230 },
    current,
    highs: [{ micros: previousMicros, ageMs: 0 }],
    ...change,
  }
}

/** A watch for every event of the occurrence's app and type. */
export function watchFor(occurrence: Occurrence, change: Partial<Watch> = {}): Watch {
  return {
    id: 'wat_1',
    hookId: 'api-0001',
    accountId: 'acc_1',
    setId: null,
    store: occurrence.store,
    appId: occurrence.appId,
    eventType: occurrence.eventType,
    storefronts: null,
    minStars: 1,
    maxStars: 5,
    deltaMicros: feedKindOf(occurrence.eventType) === 'rating' ? 0 : null,
    deltaWindowHours: null,
    thresholdMicros: null,
    rules: null,
    spike: occurrence.eventType === 'reviews.spiked' ? { minReviews: 5, factor: 3 } : null,
    createdAt: new Date('2026-01-01T00:00:00Z'),
    ...change,
  }
}

/** A watch of a hook without options that has sent nothing yet. */
export function candidateOf(watch: Watch, storefronts: readonly Storefront[] = ['us']) {
  return { watch, storefronts, lateReviewsHours: 0, slideFiredAt: null, spikeFiredAt: null }
}
