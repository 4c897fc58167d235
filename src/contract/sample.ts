import { hashOf } from '../model/canonical.ts'
import { ratingMicros } from '../model/decimal.ts'
import { transitionIdOf } from '../model/rating.ts'
import { contentHashOf, fingerprintOf } from '../model/review.ts'
import type { EventType, Store, Storefront } from '../model/vocabulary.ts'
import { type RatingDropped, type ReviewCreated, SCHEMA_VERSION, type WebhookEvent } from './webhook.ts'

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
  return eventType === 'review.created' ? reviewCreatedOf(of) : ratingDroppedOf(of)
}

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

function ratingDroppedOf(of: SampleOf): RatingDropped {
  const current = { rating: 4.4, count: 12_873 }
  const transition = transitionIdOf(of.store, of.appId, {
    micros: ratingMicros(current.rating) ?? 0,
    count: current.count,
  })
  // The id of a real transition contains no nonce, but a synthetic id must be new each time.
  const transitionId = of.nonce === PLACEHOLDER.nonce ? transition : hashOf([transition, of.nonce])
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
