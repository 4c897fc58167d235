import { hashOf } from '../model/canonical.ts'
import { ratingMicros } from '../model/decimal.ts'
import { SPIKE_FACTOR, SPIKE_MIN_REVIEWS } from '../model/hook-limits.ts'
import { marketOf } from '../model/market.ts'
import { transitionIdOf } from '../model/rating.ts'
import { recoveryIdOf } from '../model/rating-recovery.ts'
import { contentHashOf, fingerprintOf } from '../model/review.ts'
import { storePage } from '../model/store-page.ts'
import type { EventType, Store, Storefront } from '../model/vocabulary.ts'
import {
  type RatingDropped,
  type RatingRecovered,
  type ReviewCreated,
  type ReviewsSpiked,
  SCHEMA_VERSION,
  type WebhookEvent,
} from './webhook.ts'

/** The app and the recipient of a synthetic event. */
export type SampleOf = {
  readonly store: Store
  readonly appId: string
  readonly country: Storefront
  readonly subscriberId: string
  readonly at: Date
  /** Makes synthetic events distinct, because receivers ignore a known `event_id`. */
  readonly nonce: string
}

const PLACEHOLDER: SampleOf = {
  store: 'apple',
  appId: '123456789',
  country: 'us',
  subscriberId: 'api-00000000000000000000000000000000000000ff',
  at: new Date('2026-01-15T09:30:00.000Z'),
  nonce: 'sample',
}

/** A synthetic event of the type with a value in every field. The same `of` gives the same event. */
export function sampleEvent(eventType: EventType, of: SampleOf = PLACEHOLDER): WebhookEvent {
  return SAMPLES[eventType](of)
}

const SAMPLES = {
  'review.created': reviewCreatedOf,
  'rating.dropped': ratingDroppedOf,
  'reviews.spiked': reviewsSpikedOf,
  'rating.recovered': ratingRecoveredOf,
} as const satisfies Record<EventType, (of: SampleOf) => WebhookEvent>

function reviewCreatedOf(of: SampleOf): ReviewCreated {
  const reviewId = `sample-${of.nonce}`
  const fingerprint = fingerprintOf(of.store, of.appId, reviewId)
  const title = 'Great until the last update'
  const body =
    'I use this every day and love it, but since 4.2 it closes itself when I open a shared list. Dark mode would be nice too.'
  return {
    ...envelopeOf(of, 'review.created', fingerprint),
    review_id: reviewId,
    fingerprint,
    content_hash: contentHashOf(title, body),
    rating: 3,
    title,
    body,
    author: 'Sample Reviewer',
    app_version: '4.2.0',
    country: of.country,
    enrichment: {
      language: 'en',
      sentiment: 'mixed',
      themes: ['stability_crash', 'update_regression', 'ui_ux'],
      is_feature_request: true,
      feature_slug: 'dark-mode',
      feature_phrase: 'Dark mode',
      is_bug_report: true,
      severity: 'high',
      mentions_competitor: false,
      competitor_named: null,
      other_topic: null,
      summary_en: 'Likes the app, but it crashes on shared lists since 4.2; asks for a dark mode.',
    },
  }
}

/** The id of a real change contains no nonce, but a synthetic id must be new each time. */
function syntheticId(id: string, { nonce }: SampleOf): string {
  return nonce === PLACEHOLDER.nonce ? id : hashOf([id, nonce])
}

const DROPPED = { rating: 4.4, count: 12_873 }

function sampleDropId(of: SampleOf): string {
  const micros = ratingMicros(DROPPED.rating) ?? 0
  return syntheticId(transitionIdOf(of.store, of.appId, { micros, count: DROPPED.count }), of)
}

function ratingDroppedOf(of: SampleOf): RatingDropped {
  const current = DROPPED
  const transitionId = sampleDropId(of)
  return {
    ...envelopeOf(of, 'rating.dropped', transitionId),
    transition_id: transitionId,
    previous_rating: 4.5,
    current_rating: current.rating,
    delta: -0.1,
    rating_count: current.count,
    trigger: 'delta',
    threshold: null,
  }
}

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

function reviewsSpikedOf(of: SampleOf): ReviewsSpiked {
  const reviews = [0, 4, 9].map((minutes, index) => {
    const reviewId = `sample-${of.nonce}-${index + 1}`
    const market = marketOf(of.store, 'reviews', of.country)
    return {
      review_id: reviewId,
      fingerprint: fingerprintOf(of.store, of.appId, reviewId),
      rating: index === 2 ? 2 : 1,
      country: of.country,
      occurred_at: new Date(of.at.getTime() - minutes * MINUTE_MS).toISOString(),
      url: storePage({ store: of.store, appId: of.appId, market, reviewId }),
    }
  })
  return {
    ...envelopeOf(of, 'reviews.spiked', hashOf(['sample spike', of.store, of.appId, of.nonce])),
    review_count: 12,
    usual_count: 0.5,
    factor: 24,
    window_start: new Date(of.at.getTime() - HOUR_MS).toISOString(),
    window_end: of.at.toISOString(),
    spike_min_reviews: SPIKE_MIN_REVIEWS.default,
    spike_factor: SPIKE_FACTOR.default,
    countries: [of.country],
    reviews,
  }
}

function ratingRecoveredOf(of: SampleOf): RatingRecovered {
  const current = { rating: 4.51, count: 13_204 }
  const rating = { micros: ratingMicros(current.rating) ?? 0, count: current.count }
  const transitionId = syntheticId(recoveryIdOf(of.store, of.appId, rating), of)
  return {
    ...envelopeOf(of, 'rating.recovered', transitionId),
    transition_id: transitionId,
    previous_rating: 4.46,
    current_rating: current.rating,
    delta: 0.05,
    rating_count: current.count,
    trigger: 'delta',
    threshold: null,
    rating_before_drop: 4.5,
    lowest_rating: 4.38,
    dropped_at: new Date(of.at.getTime() - 6 * 24 * HOUR_MS).toISOString(),
    drop_transition_id: sampleDropId(of),
  }
}

function envelopeOf<T extends EventType>(of: SampleOf, eventType: T, occurrenceId: string) {
  const eventId = hashOf(['sample event', of.subscriberId, occurrenceId])
  return {
    id: eventId,
    event_id: eventId,
    occurrence_id: occurrenceId,
    event_type: eventType,
    store: of.store,
    app_id: of.appId,
    subscriber_id: of.subscriberId,
    occurred_at: of.at.toISOString(),
    observed_at: of.at.toISOString(),
    schema_version: SCHEMA_VERSION,
  } as const
}
