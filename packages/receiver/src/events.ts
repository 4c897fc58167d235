// Generated from the OpenAPI description by `npm run generate`. Do not edit.

export type Store = 'apple' | 'google'

export type EventType = 'review.created' | 'rating.dropped' | 'reviews.spiked' | 'rating.recovered'

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

/**
 * An event, with its type in `event_type`. Ignore unknown keys and unknown values of `themes`: new ones may be added at
 * any time.
 */
export type WebhookEvent = ReviewCreated | RatingDropped | ReviewsSpiked | RatingRecovered

/** A new review. Its texts are untrusted: escape them before you show them. */
export type ReviewCreated = {
  /** Equals event_id. */
  readonly id: string
  /** Identity of this event for this hook. Deduplicate by it. */
  readonly event_id: string
  /** Identity of the review or rating drop, the same for every hook. */
  readonly occurrence_id: string
  readonly event_type: 'review.created'
  readonly store: Store
  /** Store-native app id. */
  readonly app_id: string
  /** Id of the receiving hook. */
  readonly subscriber_id: string
  /** When the change happened at the source. */
  readonly occurred_at: string
  /** When the service detected it. */
  readonly observed_at: string
  readonly schema_version: 2
  /** Store-native review id. */
  readonly review_id: string
  /** Hash of store, app_id and review_id. Equals occurrence_id. */
  readonly fingerprint: string
  /** Hash of title and body, to detect edits. Not part of the identity. */
  readonly content_hash: string
  /** 1 to 5. */
  readonly rating: number
  readonly title: string | null
  readonly body: string
  /** Display name in the store. */
  readonly author: string | null
  /** Reviewed version, when the store provides it. */
  readonly app_version: string | null
  /**
   * Storefront, lowercase ISO 3166 alpha-2: one of those that a watch can name. Of an app with a store connection also any
   * other; `zz` if the store names none.
   */
  readonly country: string
  readonly enrichment: Enrichment | null
}

/** The analysis of a review. */
export type Enrichment = {
  /** Language of the text, ISO 639-1; `und` when it is unknown. */
  readonly language: string
  readonly sentiment: Sentiment
  readonly themes: readonly Theme[]
  readonly is_feature_request: boolean
  /** Stable key of the feature; null unless is_feature_request. */
  readonly feature_slug: string | null
  /** Short label of the feature; null unless is_feature_request. */
  readonly feature_phrase: string | null
  readonly is_bug_report: boolean
  /** `high`: crash, data loss, payment failure, security problem, or the user is leaving. */
  readonly severity: Severity
  readonly mentions_competitor: boolean
  /** The named product; null unless mentions_competitor. */
  readonly competitor_named: string | null
  /** Short phrase; null unless themes includes other. */
  readonly other_topic: string | null
  /** English summary of about 20 words or fewer. */
  readonly summary_en: string
}

/** The aggregate rating of an app fell. */
export type RatingDropped = {
  /** Equals event_id. */
  readonly id: string
  /** Identity of this event for this hook. Deduplicate by it. */
  readonly event_id: string
  /** Identity of the review or rating drop, the same for every hook. */
  readonly occurrence_id: string
  readonly event_type: 'rating.dropped'
  readonly store: Store
  /** Store-native app id. */
  readonly app_id: string
  /** Id of the receiving hook. */
  readonly subscriber_id: string
  /** When the change happened at the source. */
  readonly occurred_at: string
  /** When the service detected it. */
  readonly observed_at: string
  readonly schema_version: 2
  /** Hash of store, app_id, current_rating and rating_count. Equals occurrence_id. */
  readonly transition_id: string
  /** Aggregate rating before the drop: the last one, or the highest of the window for a delta with a window. 0 to 5. */
  readonly previous_rating: number
  /** Aggregate rating after the drop. 0 to 5. */
  readonly current_rating: number
  /** current_rating minus previous_rating, always negative. -5 to 0. */
  readonly delta: number
  /** Number of ratings in current_rating. */
  readonly rating_count: number
  /** The rule that matched. */
  readonly trigger: 'threshold' | 'delta'
  /** The configured threshold when trigger is threshold, else null. 0 to 5. */
  readonly threshold: number | null
}

/** More negative reviews than usual were written within an hour. */
export type ReviewsSpiked = {
  /** Equals event_id. */
  readonly id: string
  /** Identity of this event for this hook. Deduplicate by it. */
  readonly event_id: string
  /** Identity of the review or rating drop, the same for every hook. */
  readonly occurrence_id: string
  readonly event_type: 'reviews.spiked'
  readonly store: Store
  /** Store-native app id. */
  readonly app_id: string
  /** Id of the receiving hook. */
  readonly subscriber_id: string
  /** When the change happened at the source. */
  readonly occurred_at: string
  /** When the service detected it. */
  readonly observed_at: string
  readonly schema_version: 2
  /** Reviews with 1 or 2 stars that were written within the hour. */
  readonly review_count: number
  /** The usual number of such reviews in an hour. */
  readonly usual_count: number
  /** review_count divided by usual_count; null without a usual number. */
  readonly factor: number | null
  /** Start of the hour. */
  readonly window_start: string
  /** End of the hour: when its last review was written. Equals occurred_at. */
  readonly window_end: string
  /** The configured smallest number of reviews. */
  readonly spike_min_reviews: number
  /** The configured multiple of the usual number. */
  readonly spike_factor: number
  /** Storefronts of the reviews. */
  readonly countries: readonly Storefront[]
  /** The newest reviews of the hour, newest first. */
  readonly reviews: readonly SpikeReview[]
}

export type SpikeReview = {
  /** Store-native review id. */
  readonly review_id: string
  /** Hash of store, app_id and review_id, as in review.created. */
  readonly fingerprint: string
  /** 1 to 2. */
  readonly rating: number
  readonly country: Storefront
  readonly occurred_at: string
  /** The review on Google Play; the reviews of the app in the App Store. */
  readonly url: string
}

/** The aggregate rating of an app is again what it was before a drop. */
export type RatingRecovered = {
  /** Equals event_id. */
  readonly id: string
  /** Identity of this event for this hook. Deduplicate by it. */
  readonly event_id: string
  /** Identity of the review or rating drop, the same for every hook. */
  readonly occurrence_id: string
  readonly event_type: 'rating.recovered'
  readonly store: Store
  /** Store-native app id. */
  readonly app_id: string
  /** Id of the receiving hook. */
  readonly subscriber_id: string
  /** When the change happened at the source. */
  readonly occurred_at: string
  /** When the service detected it. */
  readonly observed_at: string
  readonly schema_version: 2
  /** Identity of the recovery. Equals occurrence_id. */
  readonly transition_id: string
  /** The last aggregate rating before this one. 0 to 5. */
  readonly previous_rating: number
  /** Aggregate rating after the recovery. 0 to 5. */
  readonly current_rating: number
  /** current_rating minus previous_rating, always positive. 0 to 5. */
  readonly delta: number
  /** Number of ratings in current_rating. */
  readonly rating_count: number
  /** The rule that matched the drop. */
  readonly trigger: 'threshold' | 'delta'
  /** The configured threshold when trigger is threshold, else null. 0 to 5. */
  readonly threshold: number | null
  /** The rating that is reached again: `previous_rating` of the drop. 0 to 5. */
  readonly rating_before_drop: number
  /** The lowest aggregate rating since the drop. 0 to 5. */
  readonly lowest_rating: number
  /** When the drop was detected. */
  readonly dropped_at: string
  /** `transition_id` of the drop. */
  readonly drop_transition_id: string
}
