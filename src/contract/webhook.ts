import { z } from 'zod'
import { REVIEW_LANGUAGE } from '../model/review-language.ts'
import { SENTIMENTS, SEVERITIES, STOREFRONTS, STORES, THEMES } from '../model/vocabulary.ts'

/**
 * The schema of live payloads, samples, and examples in the documentation and integrations. The order of keys is that of docs/contract.md,
 * Events. `id` comes first because automation platforms look for it there.
 */

/** The version in every payload. Only a change that breaks receivers increases it (docs/contract.md, Versions). */
export const SCHEMA_VERSION = 2

const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 lowercase hex digits')
const instant = z.iso.datetime({ precision: 3 })
const stars = z.number().min(0).max(5)

/** The fields that all event types share (docs/contract.md, Events). */
function envelope<T extends string>(eventType: T) {
  return {
    id: sha256.describe('Equals event_id.'),
    event_id: sha256.describe('Identity of this event for this hook. Deduplicate by it.'),
    occurrence_id: sha256.describe('Identity of the review or rating drop, the same for every hook.'),
    event_type: z.literal(eventType),
    store: z.enum(STORES),
    app_id: z.string().min(1).describe('Store-native app id.'),
    subscriber_id: z.string().min(1).describe('Id of the receiving hook.'),
    occurred_at: instant.describe('When the change happened at the source.'),
    observed_at: instant.describe('When the service detected it.'),
    schema_version: z.literal(SCHEMA_VERSION),
  }
}

/** The enrichment of a review (docs/contract.md, enrichment). */
export const enrichment = z
  .object({
    language: z
      .string()
      .regex(REVIEW_LANGUAGE, 'must be an ISO 639-1 code, or und')
      .describe('Language of the text, ISO 639-1; `und` when it is unknown.'),
    sentiment: z.enum(SENTIMENTS),
    themes: z.array(z.enum(THEMES)).min(1),
    is_feature_request: z.boolean(),
    feature_slug: z
      .string()
      .nullable()
      .describe('Stable key of the feature; null unless is_feature_request.'),
    feature_phrase: z
      .string()
      .nullable()
      .describe('Short label of the feature; null unless is_feature_request.'),
    is_bug_report: z.boolean(),
    severity: z
      .enum(SEVERITIES)
      .describe('`high`: crash, data loss, payment failure, security problem, or the user is leaving.'),
    mentions_competitor: z.boolean(),
    competitor_named: z.string().nullable().describe('The named product; null unless mentions_competitor.'),
    other_topic: z.string().nullable().describe('Short phrase; null unless themes includes other.'),
    summary_en: z.string().describe('English summary of about 20 words or fewer.'),
  })
  .meta({ id: 'Enrichment', description: 'The analysis of a review.' })

/** A new review (docs/contract.md, review.created). Every key is always present; its value is null when the store does not provide it. */
export const reviewCreated = z
  .object({
    ...envelope('review.created'),
    review_id: z.string().min(1).describe('Store-native review id.'),
    fingerprint: sha256.describe('Hash of store, app_id and review_id. Equals occurrence_id.'),
    content_hash: sha256.describe('Hash of title and body, to detect edits. Not part of the identity.'),
    rating: z.int().min(1).max(5),
    title: z.string().nullable(),
    body: z.string(),
    author: z.string().nullable().describe('Display name in the store.'),
    app_version: z.string().nullable().describe('Reviewed version, when the store provides it.'),
    country: z
      .string()
      .regex(/^[a-z]{2}$/, 'must be two lowercase letters')
      .describe(
        'Storefront, lowercase ISO 3166 alpha-2: one of those that a watch can name. Of an app with a store connection also any other; `zz` if the store names none.',
      ),
    enrichment: enrichment.nullable(),
  })
  .meta({
    id: 'ReviewCreated',
    description: 'A new review. Its texts are untrusted: escape them before you show them.',
  })

/** A drop of an aggregate rating (docs/contract.md, rating.dropped). */
export const ratingDropped = z
  .object({
    ...envelope('rating.dropped'),
    transition_id: sha256.describe(
      'Hash of store, app_id, current_rating and rating_count. Equals occurrence_id.',
    ),
    previous_rating: stars.describe(
      'Aggregate rating before the drop: the last one, or the highest of the window for a delta with a window.',
    ),
    current_rating: stars.describe('Aggregate rating after the drop.'),
    delta: z.number().min(-5).lt(0).describe('current_rating minus previous_rating, always negative.'),
    rating_count: z.int().min(1).describe('Number of ratings in current_rating.'),
    trigger: z.enum(['threshold', 'delta']).describe('The rule that matched.'),
    threshold: stars.nullable().describe('The configured threshold when trigger is threshold, else null.'),
  })
  .meta({ id: 'RatingDropped', description: 'The aggregate rating of an app fell.' })

/** A spike of negative reviews (docs/contract.md, reviews.spiked). `occurred_at` is the end of its hour. */
export const reviewsSpiked = z
  .object({
    ...envelope('reviews.spiked'),
    review_count: z.int().min(2).describe('Reviews with 1 or 2 stars that were written within the hour.'),
    usual_count: z.number().min(0).describe('The usual number of such reviews in an hour.'),
    factor: z
      .number()
      .min(0)
      .nullable()
      .describe('review_count divided by usual_count; null without a usual number.'),
    window_start: instant.describe('Start of the hour.'),
    window_end: instant.describe('End of the hour: when its last review was written. Equals occurred_at.'),
    spike_min_reviews: z.int().min(2).describe('The configured smallest number of reviews.'),
    spike_factor: z.number().min(1).describe('The configured multiple of the usual number.'),
    countries: z.array(z.enum(STOREFRONTS)).min(1).describe('Storefronts of the reviews.'),
    reviews: z
      .array(
        z
          .object({
            review_id: z.string().min(1).describe('Store-native review id.'),
            fingerprint: sha256.describe('Hash of store, app_id and review_id, as in review.created.'),
            rating: z.int().min(1).max(2),
            country: z.enum(STOREFRONTS),
            occurred_at: instant,
            url: z.url().describe('The review on Google Play; the reviews of the app in the App Store.'),
          })
          .meta({ id: 'SpikeReview' }),
      )
      .min(1)
      .max(5)
      .describe('The newest reviews of the hour, newest first.'),
  })
  .meta({ id: 'ReviewsSpiked', description: 'More negative reviews than usual were written within an hour.' })

/** A rating that is again what it was before a drop (docs/contract.md, rating.recovered). */
export const ratingRecovered = z
  .object({
    ...envelope('rating.recovered'),
    transition_id: sha256.describe('Identity of the recovery. Equals occurrence_id.'),
    previous_rating: stars.describe('The last aggregate rating before this one.'),
    current_rating: stars.describe('Aggregate rating after the recovery.'),
    delta: z.number().gt(0).max(5).describe('current_rating minus previous_rating, always positive.'),
    rating_count: z.int().min(1).describe('Number of ratings in current_rating.'),
    trigger: z.enum(['threshold', 'delta']).describe('The rule that matched the drop.'),
    threshold: stars.nullable().describe('The configured threshold when trigger is threshold, else null.'),
    rating_before_drop: stars.describe('The rating that is reached again: `previous_rating` of the drop.'),
    lowest_rating: stars.describe('The lowest aggregate rating since the drop.'),
    dropped_at: instant.describe('When the drop was detected.'),
    drop_transition_id: sha256.describe('`transition_id` of the drop.'),
  })
  .meta({
    id: 'RatingRecovered',
    description: 'The aggregate rating of an app is again what it was before a drop.',
  })

export const webhookEvent = z
  .discriminatedUnion('event_type', [reviewCreated, ratingDropped, reviewsSpiked, ratingRecovered])
  .meta({
    id: 'WebhookEvent',
    description:
      'An event, with its type in `event_type`. Ignore unknown keys and unknown values of `themes`: new ones may be added at any time.',
  })

export type ReviewCreated = z.infer<typeof reviewCreated>
export type RatingDropped = z.infer<typeof ratingDropped>
export type ReviewsSpiked = z.infer<typeof reviewsSpiked>
export type RatingRecovered = z.infer<typeof ratingRecovered>
/** The body of any event. */
export type WebhookEvent = z.infer<typeof webhookEvent>
