import {
  type RatingDropped,
  type RatingRecovered,
  type ReviewCreated,
  type ReviewsSpiked,
  SCHEMA_VERSION,
} from '../../contract/webhook.ts'
import { starsOf } from '../../model/decimal.ts'
import type { Watch } from '../../model/hook.ts'
import { storefrontsOf } from '../../model/market.ts'
import { eventIdOf, type Occurrence } from '../../model/occurrence.ts'
import { transitionIdOf } from '../../model/rating.ts'
import type { Recovery } from '../../model/rating-recovery.ts'
import { type EnrichedReview, fingerprintOf } from '../../model/review.ts'
import { SPIKE_WINDOW_MS } from '../../model/review-spike.ts'
import { storePage } from '../../model/store-page.ts'
import { STOREFRONTS, type Trigger } from '../../model/vocabulary.ts'
import type { Match, MatchedSpike } from './match.ts'

/** The most bytes of a body. Reviews are far shorter; longer texts are truncated. */
export const PAYLOAD_BYTES_MAX = 256 * 1024
/** In a payload that is too long, names are truncated to this length first. Real names are shorter. */
const NAME_CHARS_MAX = 1000

/** The JSON of a review by the storefront in it, made once for all events of an occurrence. */
export type ReviewTexts = Map<string, string>

/**
 * The body of an event: the JSON text that every attempt and replay sends. It is flat and has all keys in the order of
 * docs/contract.md, Events. At most `PAYLOAD_BYTES_MAX` bytes of UTF-8.
 */
export function payloadOf(
  occurrence: Occurrence,
  watch: Pick<Watch, 'hookId' | 'thresholdMicros'> & Partial<Pick<Watch, 'spike'>>,
  matched: Omit<Extract<Match, { match: true }>, 'match'>,
  texts: ReviewTexts,
  eventId = eventIdOf(watch.hookId, occurrence.occurrenceId),
): string {
  switch (occurrence.eventType) {
    case 'review.created':
      return reviewCreatedOf(occurrence, { eventId, hookId: watch.hookId }, matched.country, texts)
    case 'rating.dropped':
      return JSON.stringify(ratingDroppedOf(occurrence, watch, matched.trigger ?? 'delta', matched.slideFrom))
    case 'reviews.spiked':
      return JSON.stringify(reviewsSpikedOf(occurrence, watch, matched.spike))
    case 'rating.recovered':
      return JSON.stringify(ratingRecoveredOf(occurrence, watch, matched.recovery))
  }
}

function envelopeOf<T extends Occurrence>(occurrence: T, hookId: string, known?: string) {
  const eventId = known ?? eventIdOf(hookId, occurrence.occurrenceId)
  return {
    id: eventId,
    event_id: eventId,
    occurrence_id: occurrence.occurrenceId,
    event_type: occurrence.eventType as T['eventType'],
    store: occurrence.store,
    app_id: occurrence.appId,
    subscriber_id: hookId,
    occurred_at: occurrence.occurredAt.toISOString(),
    observed_at: occurrence.observedAt.toISOString(),
    schema_version: SCHEMA_VERSION,
  } as const
}

function reviewCreatedOf(
  occurrence: Extract<Occurrence, { eventType: 'review.created' }>,
  { hookId, eventId }: { readonly hookId: string; readonly eventId: string },
  country: string,
  texts: ReviewTexts,
): string {
  const envelope = envelopeOf(occurrence, hookId, eventId)
  let text = texts.get(country)
  if (text === undefined) {
    text = JSON.stringify(reviewFieldsOf(occurrence.review, country))
    texts.set(country, text)
  }
  const json = `${JSON.stringify(envelope).slice(0, -1)},${text.slice(1)}`
  return fits(json) ? json : truncatedJson({ ...envelope, ...reviewFieldsOf(occurrence.review, country) })
}

/** The fields after those of the envelope. */
export function reviewFieldsOf(
  review: EnrichedReview,
  country: string,
): Omit<ReviewCreated, keyof ReturnType<typeof envelopeOf>> {
  const { enrichment } = review
  return {
    review_id: review.reviewId,
    fingerprint: review.fingerprint,
    content_hash: review.contentHash,
    rating: review.rating,
    // An unpaired surrogate has no UTF-8: it is hashed and sent as U+FFFD.
    title: review.title?.toWellFormed() ?? null,
    body: review.body.toWellFormed(),
    author: review.author?.toWellFormed() ?? null,
    app_version: review.appVersion?.toWellFormed() ?? null,
    country,
    enrichment:
      enrichment === null
        ? null
        : {
            language: enrichment.language,
            sentiment: enrichment.sentiment,
            themes: [...enrichment.themes],
            is_feature_request: enrichment.is_feature_request,
            feature_slug: enrichment.feature_slug,
            feature_phrase: enrichment.feature_phrase,
            is_bug_report: enrichment.is_bug_report,
            severity: enrichment.severity,
            mentions_competitor: enrichment.mentions_competitor,
            competitor_named: enrichment.competitor_named,
            other_topic: enrichment.other_topic,
            summary_en: enrichment.summary_en,
          },
  }
}

function ratingDroppedOf(
  occurrence: Extract<Occurrence, { eventType: 'rating.dropped' }>,
  watch: Pick<Watch, 'hookId' | 'thresholdMicros'>,
  trigger: Trigger,
  slideFrom: number | undefined,
): RatingDropped {
  const { previous, current } = occurrence
  const { thresholdMicros } = watch
  const previousMicros = trigger === 'delta' ? (slideFrom ?? previous.micros) : previous.micros
  return {
    ...envelopeOf(occurrence, watch.hookId),
    transition_id: occurrence.occurrenceId,
    previous_rating: starsOf(previousMicros),
    current_rating: starsOf(current.micros),
    delta: starsOf(current.micros - previousMicros),
    rating_count: current.count,
    trigger,
    threshold: trigger === 'threshold' && thresholdMicros !== null ? starsOf(thresholdMicros) : null,
  }
}

function reviewsSpikedOf(
  occurrence: Extract<Occurrence, { eventType: 'reviews.spiked' }>,
  { hookId, spike: limits }: Pick<Watch, 'hookId'> & Partial<Pick<Watch, 'spike'>>,
  spike: MatchedSpike | undefined,
): ReviewsSpiked {
  if (spike === undefined || limits == null) throw new Error('a spike matched without its reviews')
  const { store, appId } = occurrence
  const countryOf = (market: string) =>
    storefrontsOf(store, 'reviews', market).filter((storefront) => spike.covered.includes(storefront))[0]
  const countries = new Set(spike.markets.map(countryOf))
  const end = spike.end.toISOString()
  return {
    ...envelopeOf(occurrence, hookId),
    // The poll that completes the spike may have found later reviews too.
    occurred_at: end,
    review_count: spike.count,
    usual_count: rounded(spike.usual),
    factor: spike.usual === 0 ? null : rounded(spike.count / spike.usual),
    window_start: new Date(spike.end.getTime() - SPIKE_WINDOW_MS).toISOString(),
    window_end: end,
    spike_min_reviews: limits.minReviews,
    spike_factor: limits.factor,
    countries: STOREFRONTS.filter((storefront) => countries.has(storefront)),
    reviews: spike.newest.map(({ atMs, market, reviewId, rating }) => ({
      review_id: reviewId,
      fingerprint: fingerprintOf(store, appId, reviewId),
      rating,
      country: countryOf(market) ?? spike.covered[0] ?? 'us',
      occurred_at: new Date(atMs).toISOString(),
      url: storePage({ store, appId, market, reviewId }),
    })),
  }
}

/** Four decimal places: one review in 14 days is 0.003 an hour. */
function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000
}

function ratingRecoveredOf(
  occurrence: Extract<Occurrence, { eventType: 'rating.recovered' }>,
  { hookId, thresholdMicros }: Pick<Watch, 'hookId' | 'thresholdMicros'>,
  recovery: Recovery | undefined,
): RatingRecovered {
  if (recovery === undefined) throw new Error('a recovery matched without its drop')
  const { store, appId, previous, current } = occurrence
  const { trigger, fromMicros, to } = recovery.drop
  return {
    ...envelopeOf(occurrence, hookId),
    transition_id: occurrence.occurrenceId,
    previous_rating: starsOf(previous.micros),
    current_rating: starsOf(current.micros),
    delta: starsOf(current.micros - previous.micros),
    rating_count: current.count,
    trigger,
    threshold: trigger === 'threshold' && thresholdMicros !== null ? starsOf(thresholdMicros) : null,
    rating_before_drop: starsOf(fromMicros),
    lowest_rating: starsOf(recovery.lowestMicros),
    dropped_at: new Date(to.observedAtMs).toISOString(),
    drop_transition_id: transitionIdOf(store, appId, to),
  }
}

/** The JSON of an event that is too long, with truncated texts. `content_hash` is still that of the whole text. */
function truncatedJson(event: ReviewCreated): string {
  const short = {
    ...event,
    title: event.title && truncate(event.title, NAME_CHARS_MAX),
    author: event.author && truncate(event.author, NAME_CHARS_MAX),
    app_version: event.app_version && truncate(event.app_version, NAME_CHARS_MAX),
  }
  // Characters differ in bytes, so a binary search finds the longest text that fits.
  let fitsChars = 0
  let tooManyChars = event.body.length + 1
  while (tooManyChars - fitsChars > 1) {
    const middle = Math.floor((fitsChars + tooManyChars) / 2)
    if (fits(JSON.stringify({ ...short, body: truncate(event.body, middle) }))) fitsChars = middle
    else tooManyChars = middle
  }
  return JSON.stringify({ ...short, body: truncate(event.body, fitsChars) })
}

/** A UTF-16 unit has at most three bytes in UTF-8, so short texts need no measuring. */
const UNIT_BYTES_MAX = 3

function fits(json: string): boolean {
  return json.length * UNIT_BYTES_MAX <= PAYLOAD_BYTES_MAX || Buffer.byteLength(json) <= PAYLOAD_BYTES_MAX
}

/** At most `chars` UTF-16 units, without an unpaired surrogate at the end. */
function truncate(text: string, chars: number): string {
  if (text.length <= chars) return text
  const end = /[\uD800-\uDBFF]/.test(text.charAt(chars - 1)) ? chars - 1 : chars
  return text.slice(0, end)
}
