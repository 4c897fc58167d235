import { z } from 'zod'
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

/** The fields that both event types share (docs/contract.md, Events). */
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
      .regex(/^[a-z]{2}$/, 'must be an ISO 639-1 code')
      .describe('Language of the text, ISO 639-1.'),
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
    severity: z.enum(SEVERITIES),
    mentions_competitor: z.boolean(),
    competitor_named: z.string().nullable().describe('The named product; null unless mentions_competitor.'),
    other_topic: z.string().nullable().describe('Short phrase; null unless themes includes other.'),
    summary_en: z.string().describe('English summary of about 20 words or fewer.'),
  })
  .meta({ id: 'Enrichment' })

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
    country: z.enum(STOREFRONTS).describe('Storefront, lowercase ISO 3166 alpha-2.'),
    enrichment: enrichment.nullable(),
  })
  .meta({ id: 'ReviewCreated' })

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
    trigger: z.enum(['threshold', 'delta']).describe('The rule that fired.'),
    threshold: stars.nullable().describe('The configured threshold when trigger is threshold, else null.'),
  })
  .meta({ id: 'RatingDropped' })

export const webhookEvent = z
  .discriminatedUnion('event_type', [reviewCreated, ratingDropped])
  .meta({ id: 'WebhookEvent' })

export type ReviewCreated = z.infer<typeof reviewCreated>
export type RatingDropped = z.infer<typeof ratingDropped>
/** The body of any event. */
export type WebhookEvent = z.infer<typeof webhookEvent>
