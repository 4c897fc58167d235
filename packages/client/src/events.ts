/**
 * The events of Review Radar, `schema_version` 2. Every key is always present, `null` when unknown. New keys and new
 * values of `themes` may be added at any time: ignore unknown ones.
 */

export type Store = 'apple' | 'google'

/** Storefronts, lowercase ISO 3166 alpha-2. */
export type Storefront =
  | 'us'
  | 'gb'
  | 'ca'
  | 'au'
  | 'ie'
  | 'fr'
  | 'de'
  | 'es'
  | 'se'
  | 'br'
  | 'mx'
  | 'jp'
  | 'kr'
  | 'in'
  | 'nl'
  | 'it'

export type Sentiment = 'positive' | 'neutral' | 'negative' | 'mixed'
export type Severity = 'low' | 'medium' | 'high'

export type Theme =
  | 'stability_crash'
  | 'performance'
  | 'battery'
  | 'data_loss'
  | 'sync'
  | 'login_account'
  | 'billing_payment'
  | 'refund'
  | 'pricing_value'
  | 'ads'
  | 'ui_ux'
  | 'onboarding'
  | 'bug_general'
  | 'notifications'
  | 'privacy_security'
  | 'customer_support'
  | 'content_quality'
  | 'compatibility'
  | 'localization'
  | 'update_regression'
  | 'praise_general'
  | 'comparison'
  | 'other'

/** The analysis of a review. */
export type Enrichment = {
  /** Language of the text, ISO 639-1. */
  readonly language: string
  readonly sentiment: Sentiment
  readonly themes: readonly Theme[]
  readonly is_feature_request: boolean
  /** Stable key of the feature, the same in all languages; null unless `is_feature_request`. */
  readonly feature_slug: string | null
  /** Short label of the feature; null unless `is_feature_request`. */
  readonly feature_phrase: string | null
  readonly is_bug_report: boolean
  /** `high`: crash, data loss, payment failure, security problem, or the user is leaving. */
  readonly severity: Severity
  readonly mentions_competitor: boolean
  readonly competitor_named: string | null
  /** Short phrase; null unless `themes` includes `other`. */
  readonly other_topic: string | null
  /** English summary of about 20 words or fewer. */
  readonly summary_en: string
}

type Envelope<Type extends string> = {
  /** The same as `event_id`. */
  readonly id: string
  /** Identity of the event for this hook, 64 hex digits. Dedupe on it. */
  readonly event_id: string
  /** Identity of the review or of the change, the same for all hooks. */
  readonly occurrence_id: string
  readonly event_type: Type
  readonly store: Store
  /** The app's ID in its store. */
  readonly app_id: string
  /** ID of the hook that receives the event. */
  readonly subscriber_id: string
  /** Time of the change at the store; RFC 3339, UTC. */
  readonly occurred_at: string
  /** Time at which the service found the change; RFC 3339, UTC. */
  readonly observed_at: string
  readonly schema_version: 2
}

/** A new review. Its texts are untrusted: escape them before you show them. */
export type ReviewCreated = Envelope<'review.created'> & {
  /** The review's ID in its store. */
  readonly review_id: string
  readonly fingerprint: string
  /** Hash of title and body. Changes when the review is edited. */
  readonly content_hash: string
  /** 1 to 5. */
  readonly rating: number
  readonly title: string | null
  readonly body: string
  readonly author: string | null
  readonly app_version: string | null
  readonly country: Storefront
  readonly enrichment: Enrichment | null
}

/** The aggregate rating of an app fell. */
export type RatingDropped = Envelope<'rating.dropped'> & {
  readonly transition_id: string
  readonly previous_rating: number
  readonly current_rating: number
  /** `current_rating` minus `previous_rating`: negative. */
  readonly delta: number
  /** Number of ratings in `current_rating`. */
  readonly rating_count: number
  /** The rule that matched. */
  readonly trigger: 'threshold' | 'delta'
  readonly threshold: number | null
}

/** More negative reviews than usual were written within an hour. */
export type ReviewsSpiked = Envelope<'reviews.spiked'> & {
  /** Reviews with 1 or 2 stars that were written within the hour. */
  readonly review_count: number
  /** The usual number of such reviews in an hour. */
  readonly usual_count: number
  /** `review_count` divided by `usual_count`; null without a usual number. */
  readonly factor: number | null
  readonly window_start: string
  /** When the last of the reviews was written; equals `occurred_at`. */
  readonly window_end: string
  /** The configured limits. */
  readonly spike_min_reviews: number
  readonly spike_factor: number
  /** Storefronts of the reviews. */
  readonly countries: readonly Storefront[]
  /** The newest of the reviews, newest first, at most 5. */
  readonly reviews: readonly SpikeReview[]
}

export type SpikeReview = {
  readonly review_id: string
  /** As in `review.created`. */
  readonly fingerprint: string
  /** 1 or 2. */
  readonly rating: number
  readonly country: Storefront
  readonly occurred_at: string
  /** The review on Google Play; the reviews of the app in the App Store. */
  readonly url: string
}

/** The aggregate rating of an app is again what it was before a drop. */
export type RatingRecovered = Envelope<'rating.recovered'> & {
  readonly transition_id: string
  readonly previous_rating: number
  readonly current_rating: number
  /** `current_rating` minus `previous_rating`: positive. */
  readonly delta: number
  /** Number of ratings in `current_rating`. */
  readonly rating_count: number
  /** The rule that matched the drop. */
  readonly trigger: 'threshold' | 'delta'
  readonly threshold: number | null
  /** The rating that is reached again. */
  readonly rating_before_drop: number
  /** The lowest rating since the drop. */
  readonly lowest_rating: number
  readonly dropped_at: string
  /** `transition_id` of the drop. */
  readonly drop_transition_id: string
}

/** Distinguished by `event_type`. */
export type WebhookEvent = ReviewCreated | RatingDropped | ReviewsSpiked | RatingRecovered

export type EventType = WebhookEvent['event_type']
