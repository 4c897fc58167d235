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

export type TargetType = 'webhook' | 'slack' | 'discord' | 'telegram' | 'teams' | 'email' | 'http'

export type DeliveryStatus = 'pending' | 'delivered' | 'dead'

export type FailureReason =
  | 'http_status'
  | 'redirect'
  | 'timeout_connect'
  | 'timeout_headers'
  | 'timeout_total'
  | 'dns'
  | 'connect_refused'
  | 'connect_failed'
  | 'reset'
  | 'tls'
  | 'headers_too_large'
  | 'invalid_response'
  | 'blocked_address'
  | 'invalid_request'
  | 'interrupted'
  | 'internal_error'
  | 'mail_failed'
  | 'no_mail_server'
  | 'channel_gone'
  | 'access_revoked'
  | 'posting_forbidden'
  | 'message_rejected'

export type DeadReason =
  | 'attempts_exhausted'
  | 'expired'
  | 'blocked_address'
  | 'invalid_request'
  | 'gone'
  | 'channel_gone'
  | 'access_revoked'
  | 'posting_forbidden'
  | 'message_rejected'

export type TokenScope = 'read' | 'hooks' | 'operate' | 'reply'

export type ConnectionKind = 'appstoreconnect' | 'googleplay-developer'

export type StoreRight = 'granted' | 'denied' | 'unknown'

export type HistoryState = 'running' | 'done' | 'stopped' | 'failed'

export type Interval = 'day' | 'week' | 'month'

export type DeliveryReason =
  | 'http_status'
  | 'redirect'
  | 'timeout_connect'
  | 'timeout_headers'
  | 'timeout_total'
  | 'dns'
  | 'connect_refused'
  | 'connect_failed'
  | 'reset'
  | 'tls'
  | 'headers_too_large'
  | 'invalid_response'
  | 'blocked_address'
  | 'invalid_request'
  | 'interrupted'
  | 'internal_error'
  | 'mail_failed'
  | 'no_mail_server'
  | 'channel_gone'
  | 'access_revoked'
  | 'posting_forbidden'
  | 'message_rejected'
  | 'attempts_exhausted'
  | 'expired'
  | 'gone'

export type SubscribeBody = {
  /**
   * How the hook gets its events: as a signed webhook, a chat message, an e-mail, or a request that you define. Default:
   * `"webhook"`.
   */
  readonly target_type?: TargetType | null
  /** Callback URL; http or https. `pull:` creates a hook whose events are only pulled. */
  readonly target_url?: string | null
  /**
   * Settings of a `target_type` other than `webhook`, such as `webhook_url` for Slack. They replace `target_url`, are stored
   * encrypted and never shown again.
   */
  readonly target_settings?: Readonly<Record<string, unknown>> | null
  /** Store of the app. */
  readonly store: Store
  /** Store-native id: numeric for `apple`, package name for `google`. */
  readonly app_id: string
  /** The type of event the hook receives. */
  readonly event_type: EventType
  /** Lower bound of the star band of `review.created`; at most `max_stars`. Default: `1`. 1 to 5. */
  readonly min_stars?: number | null
  /** Upper bound of the star band of `review.created`. Default: `5`. 1 to 5. */
  readonly max_stars?: number | null
  /**
   * `rating.dropped` fires when the rating falls by at least this value, and `rating.recovered` when it has made up for such
   * a drop. Either it or `threshold` is required. 0 to 4.
   */
  readonly delta?: number | null
  /** The delta counts from the highest rating of the last hours instead of the last rating. Requires `delta`. 1 to 720. */
  readonly delta_window_hours?: number | null
  /**
   * `rating.dropped` fires when the rating falls below this value, and `rating.recovered` when it has made up for such a
   * drop. 1 to 5.
   */
  readonly threshold?: number | null
  /** `reviews.spiked` fires when an hour has at least this many reviews with 1 or 2 stars, 5 by default. 2 to 1000. */
  readonly spike_min_reviews?: number | null
  /** `reviews.spiked` fires when an hour has at least this many times the usual number, 3 by default. 1.5 to 100. */
  readonly spike_factor?: number | null
  /** One storefront. By default every storefront that is watched for the app. */
  readonly country?: Storefront | null
  /** Several storefronts, instead of `country`. */
  readonly countries?: readonly Storefront[] | null
  /** Words or phrases. Title, body or English summary must contain one of them. */
  readonly keywords?: readonly string[] | null
  /** Words or phrases. Title, body and English summary must contain none of them. */
  readonly excluded_keywords?: readonly string[] | null
  /** Versions of the app, such as `4.2.1`, or prefixes such as `4.2.*`. */
  readonly app_versions?: readonly string[] | null
  /** Languages of the text, ISO 639-1. */
  readonly languages?: readonly string[] | null
  readonly sentiments?: readonly Sentiment[] | null
  /** The review must have one of these themes. */
  readonly themes?: readonly Theme[] | null
  readonly severities?: readonly Severity[] | null
  /** Only reviews that report a bug, or do not. */
  readonly is_bug_report?: boolean | null
  /** Only reviews that request a feature, or do not. */
  readonly is_feature_request?: boolean | null
  /** Only reviews that mention a competitor, or do not. */
  readonly mentions_competitor?: boolean | null
  /** Names of competitors, ignoring case. The review must name one of them. */
  readonly competitors?: readonly string[] | null
  /** Requests also have the headers of CloudEvents 1.0. Default: `false`. */
  readonly cloudevents?: boolean | null
  /** `accept`: an answer with a 3xx status, except 307 and 308, is success. Redirects are never followed. Default: `"fail"`. */
  readonly redirect?: 'fail' | 'accept' | null
  /**
   * Also send reviews written up to this many hours before a watch was created, if the store first shows them after that.
   * Default: `0`. 0 to 72.
   */
  readonly late_reviews_hours?: number | null
  /** The program that created the hook. Default: `"api"`. */
  readonly source?: string | null
  /** The caller's own correlation text. */
  readonly external_ref?: string | null
}

export type CreatedHook = {
  /** Hook id: the source, a hyphen and a random suffix. */
  readonly id: string
  /** HMAC signing secret; shown in this response only. */
  readonly secret: string
  readonly store: Store
  readonly app_id: string
  /** The requested storefront; `us` by default. */
  readonly country: Storefront
  readonly event_type: EventType
}

/** A hook in the list. The rule fields are those of the first watch, or null without a watch. `watches` has all rules. */
export type Hook = {
  /** Hook id: the source, a hyphen and a random suffix. */
  readonly id: string
  readonly source: string
  readonly target_url: string
  readonly external_ref: string | null
  /** `gone`: the target answered 410, because its platform turned the trigger off. */
  readonly status: 'active' | 'paused' | 'gone'
  /** RFC 3339, UTC. */
  readonly created_at: string
  readonly store: Store | null
  readonly app_id: string | null
  readonly event_type: EventType | null
  /** Null covers every storefront watched for the app, or several. */
  readonly country: Storefront | null
  /** 1 to 5. */
  readonly min_stars: number | null
  /** 1 to 5. */
  readonly max_stars: number | null
  readonly delta: number | null
  readonly threshold: number | null
  readonly watches: readonly Watch[]
}

/** A rule of a hook. */
export type Watch = {
  readonly store: Store
  readonly app_id: string
  readonly event_type: EventType
  /** Null covers every storefront watched for the app, or several. */
  readonly country: Storefront | null
  /** 1 to 5. */
  readonly min_stars: number
  /** 1 to 5. */
  readonly max_stars: number
  readonly delta: number | null
  readonly threshold: number | null
}

/** One hook with all its settings. */
export type HookDetail = {
  /** Hook id: the source, a hyphen and a random suffix. */
  readonly id: string
  readonly source: string
  readonly target_url: string
  readonly external_ref: string | null
  /** `gone`: the target answered 410, because its platform turned the trigger off. */
  readonly status: 'active' | 'paused' | 'gone'
  /** RFC 3339, UTC. */
  readonly created_at: string
  readonly store: Store | null
  readonly app_id: string | null
  readonly event_type: EventType | null
  /** Null covers every storefront watched for the app, or several. */
  readonly country: Storefront | null
  /** 1 to 5. */
  readonly min_stars: number | null
  /** 1 to 5. */
  readonly max_stars: number | null
  readonly delta: number | null
  readonly threshold: number | null
  readonly watches: readonly WatchDetail[]
  readonly name: string | null
  readonly description: string | null
  /** Maximum requests per second; null for no limit. */
  readonly rate_per_second: number | null
  readonly target_type: TargetType
  /** When messages are sent; null for each event at once. */
  readonly message_schedule: {
    readonly time_zone: string
    readonly every_minutes: number | null
    readonly daily_at: string | null
    readonly weekday: number | null
    readonly quiet_from: string | null
    readonly quiet_until: string | null
  } | null
  /** Changes when the settings of the target change; null for `webhook`. `target_url` shows their host, without secrets. */
  readonly target_fingerprint: string | null
  /** Recipients of an `email` destination who unsubscribed, with masked addresses such as `l…@example.com`. */
  readonly unsubscribed_recipients: readonly UnsubscribedRecipient[]
  /** Recipients of an `email` destination who have not confirmed their address yet and get no e-mails, with masked addresses. */
  readonly unconfirmed_recipients: readonly UnconfirmedRecipient[]
  /**
   * `all_unsubscribed`: the hook was paused because no recipient is left. `unconfirmed`: no recipient has confirmed yet; the
   * first one who does resumes the hook. Null otherwise, also when somebody paused it.
   */
  readonly paused_reason: 'all_unsubscribed' | 'unconfirmed' | null
  /** Requests have the headers of CloudEvents 1.0. */
  readonly cloudevents: boolean
  /** Whether an answer with a 3xx status is success. */
  readonly redirect: 'fail' | 'accept'
  /** How many hours before a watch a review may have been written, if the store first shows it after the watch was created. */
  readonly late_reviews_hours: number
}

export type WatchDetail = {
  readonly id: string
  readonly store: Store
  readonly app_id: string
  readonly event_type: EventType
  /** Null covers every storefront watched for the app, or several. */
  readonly country: Storefront | null
  /** 1 to 5. */
  readonly min_stars: number
  /** 1 to 5. */
  readonly max_stars: number
  readonly delta: number | null
  readonly threshold: number | null
  /** The storefronts of the watch. Null covers every storefront watched for the app. */
  readonly countries: readonly Storefront[] | null
  /** The window of the delta in hours; null compares with the last rating. */
  readonly delta_window_hours: number | null
  /** Null unless event_type is reviews.spiked. */
  readonly spike_min_reviews: number | null
  /** Null unless event_type is reviews.spiked. */
  readonly spike_factor: number | null
  readonly keywords: readonly string[] | null
  readonly excluded_keywords: readonly string[] | null
  readonly app_versions: readonly string[] | null
  readonly languages: readonly string[] | null
  readonly sentiments: readonly Sentiment[] | null
  readonly themes: readonly Theme[] | null
  readonly severities: readonly Severity[] | null
  readonly is_bug_report: boolean | null
  readonly is_feature_request: boolean | null
  readonly mentions_competitor: boolean | null
  readonly competitors: readonly string[] | null
  /** The watch set that created the watch. */
  readonly watch_set_id: string | null
}

export type UnsubscribedRecipient = {
  readonly address: string
  readonly at: string
}

export type UnconfirmedRecipient = {
  readonly address: string
  readonly since: string
}

export type HookChange = {
  /** Changes together with the URL or the settings. Default: `"webhook"`. */
  readonly target_type?: TargetType | null
  /** Callback URL; http or https. `pull:` creates a hook whose events are only pulled. */
  readonly target_url?: string
  /** All settings of the target type; they replace the stored ones. */
  readonly target_settings?: Readonly<Record<string, unknown>> | null
  /** Shown in the console. */
  readonly name?: string | null
  /** Shown in the console. */
  readonly description?: string | null
  /** Maximum requests per second; null for no limit. 0.1 to 1000. */
  readonly rate_per_second?: number | null
  /** Requests also have the headers of CloudEvents 1.0. Default: `false`. */
  readonly cloudevents?: boolean | null
  /** `accept`: an answer with a 3xx status, except 307 and 308, is success. Redirects are never followed. Default: `"fail"`. */
  readonly redirect?: 'fail' | 'accept' | null
  /**
   * Also send reviews written up to this many hours before a watch was created, if the store first shows them after that.
   * Default: `0`. 0 to 72.
   */
  readonly late_reviews_hours?: number | null
  /**
   * When messages are sent; null sends each event at once. Until then events are collected, and one message shows them all.
   * Not for `webhook`.
   */
  readonly message_schedule?: {
    /** IANA name of the time zone. Default: `"UTC"`. */
    readonly time_zone?: string | null
    /** At most one message in this time. 1 to 1440. */
    readonly every_minutes?: number | null
    /** One message a day at this time, `HH:MM`. */
    readonly daily_at?: string | null
    /** With `daily_at`: one message a week. Monday is 1. 1 to 7. */
    readonly weekday?: number | null
    /** No messages from this time, `HH:MM`. */
    readonly quiet_from?: string | null
    /** The end of the quiet hours. */
    readonly quiet_until?: string | null
  } | null
  /** All watches of the hook, except those of watch sets. Watches that the hook already has do not change. */
  readonly watches?: readonly WatchBody[]
}

export type WatchBody = {
  /** Store of the app. */
  readonly store: Store
  /** Store-native id: numeric for `apple`, package name for `google`. */
  readonly app_id: string
  /** The type of event the hook receives. */
  readonly event_type: EventType
  /** Lower bound of the star band of `review.created`; at most `max_stars`. Default: `1`. 1 to 5. */
  readonly min_stars?: number | null
  /** Upper bound of the star band of `review.created`. Default: `5`. 1 to 5. */
  readonly max_stars?: number | null
  /**
   * `rating.dropped` fires when the rating falls by at least this value, and `rating.recovered` when it has made up for such
   * a drop. Either it or `threshold` is required. 0 to 4.
   */
  readonly delta?: number | null
  /** The delta counts from the highest rating of the last hours instead of the last rating. Requires `delta`. 1 to 720. */
  readonly delta_window_hours?: number | null
  /**
   * `rating.dropped` fires when the rating falls below this value, and `rating.recovered` when it has made up for such a
   * drop. 1 to 5.
   */
  readonly threshold?: number | null
  /** `reviews.spiked` fires when an hour has at least this many reviews with 1 or 2 stars, 5 by default. 2 to 1000. */
  readonly spike_min_reviews?: number | null
  /** `reviews.spiked` fires when an hour has at least this many times the usual number, 3 by default. 1.5 to 100. */
  readonly spike_factor?: number | null
  /** One storefront. By default every storefront that is watched for the app. */
  readonly country?: Storefront | null
  /** Several storefronts, instead of `country`. */
  readonly countries?: readonly Storefront[] | null
  /** Words or phrases. Title, body or English summary must contain one of them. */
  readonly keywords?: readonly string[] | null
  /** Words or phrases. Title, body and English summary must contain none of them. */
  readonly excluded_keywords?: readonly string[] | null
  /** Versions of the app, such as `4.2.1`, or prefixes such as `4.2.*`. */
  readonly app_versions?: readonly string[] | null
  /** Languages of the text, ISO 639-1. */
  readonly languages?: readonly string[] | null
  readonly sentiments?: readonly Sentiment[] | null
  /** The review must have one of these themes. */
  readonly themes?: readonly Theme[] | null
  readonly severities?: readonly Severity[] | null
  /** Only reviews that report a bug, or do not. */
  readonly is_bug_report?: boolean | null
  /** Only reviews that request a feature, or do not. */
  readonly is_feature_request?: boolean | null
  /** Only reviews that mention a competitor, or do not. */
  readonly mentions_competitor?: boolean | null
  /** Names of competitors, ignoring case. The review must name one of them. */
  readonly competitors?: readonly string[] | null
}

/** The attempt of a test event. What the target answered is untrusted: escape it before you show it. */
export type Attempt = {
  readonly event_id: string
  /** The target answered 200 to 299. */
  readonly accepted: boolean
  /** Reason of the failure; null when accepted. */
  readonly reason: FailureReason | null
  readonly detail: string | null
  readonly started_at: string
  readonly url: string
  /** Signatures are masked. */
  readonly request_headers: Readonly<Record<string, string>>
  /**
   * What a formatted destination was sent: the body of the request, or subject and text of the e-mail to the first
   * recipient. Without secrets, at most 16 KiB, 4 KiB of a message with several events. Null for a webhook.
   */
  readonly message: string | null
  readonly http_status: number | null
  readonly response_headers: Readonly<Record<string, string>>
  /** The first 16 KiB; empty without a response. */
  readonly response_body: string
  readonly response_truncated: boolean
  /** The connected address. Only for the operator of the installation in the console; null for tokens. */
  readonly remote_address: string | null
  readonly timings_ms: Timings
  /** The event: the exact bytes that were signed and sent. A formatted destination gets `message` instead. */
  readonly request_body: string
}

/** Milliseconds of each phase; null for a phase that did not happen. */
export type Timings = {
  readonly dns: number | null
  readonly connect: number | null
  readonly tls: number | null
  readonly first_byte: number | null
  readonly total: number
}

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

export type HookStatusBody = {
  readonly status: 'active' | 'paused'
}

export type HookStatusesBody = {
  readonly hook_ids: readonly string[]
  readonly status: 'active' | 'paused'
}

/** Ids in neither were as wanted already. */
export type BulkResult = {
  readonly changed: number
  /** Ids that could not be changed, and why. */
  readonly failed: readonly BulkFailure[]
}

export type BulkFailure = {
  readonly id: string
  readonly reason: string
}

export type SecretBody = {
  /** Both secrets sign for this time; 0 revokes the old one at once. Default: `24`. 0 to 168. */
  readonly overlap_hours?: number
}

export type NewSecret = {
  /** HMAC signing secret; shown in this response only. */
  readonly secret: string
}

export type Retried = {
  /** Pending deliveries that are due now and were not before. */
  readonly retried: number
}

export type HookIds = {
  readonly hook_ids: readonly string[]
}

/** Numbers of events. */
export type Recoverable = {
  readonly pending: number
  readonly dead: number
  readonly delivered: number
}

export type RecoveryBody = {
  /** Events that were created at or after this time. */
  readonly since: string | Date
  /** Send delivered events again, too. Default: `false`. */
  readonly delivered?: boolean
  /** Default: `10`. 0.1 to 1000. */
  readonly rate_per_second?: number
}

export type Recovery = {
  /** Pending deliveries that are due now. */
  readonly retried: number
  /** The bulk replay of the other events; null without one. */
  readonly replay: Replay | null
}

/** A bulk replay. */
export type Replay = {
  readonly id: string
  readonly status: 'running' | 'paused' | 'cancelled' | 'done'
  /** The hook whose lost events a recovery replays; null for a replay of dead letters. */
  readonly recovery_of: string | null
  /** Dead letters that matched when the replay started. */
  readonly total: number
  readonly queued: number
  readonly delivered: number
  readonly dead_again: number
  readonly rate_per_second: number
  readonly created_at: string
  readonly finished_at: string | null
}

export type WatchSetBody = {
  /** `all`: every app of the account, also those that are added later. Else the named apps. */
  readonly apps: 'all' | readonly AppOfSet[]
  /** The type of event the hook receives. */
  readonly event_type: EventType
  /** Lower bound of the star band of `review.created`; at most `max_stars`. Default: `1`. 1 to 5. */
  readonly min_stars?: number | null
  /** Upper bound of the star band of `review.created`. Default: `5`. 1 to 5. */
  readonly max_stars?: number | null
  /**
   * `rating.dropped` fires when the rating falls by at least this value, and `rating.recovered` when it has made up for such
   * a drop. Either it or `threshold` is required. 0 to 4.
   */
  readonly delta?: number | null
  /** The delta counts from the highest rating of the last hours instead of the last rating. Requires `delta`. 1 to 720. */
  readonly delta_window_hours?: number | null
  /**
   * `rating.dropped` fires when the rating falls below this value, and `rating.recovered` when it has made up for such a
   * drop. 1 to 5.
   */
  readonly threshold?: number | null
  /** `reviews.spiked` fires when an hour has at least this many reviews with 1 or 2 stars, 5 by default. 2 to 1000. */
  readonly spike_min_reviews?: number | null
  /** `reviews.spiked` fires when an hour has at least this many times the usual number, 3 by default. 1.5 to 100. */
  readonly spike_factor?: number | null
  /** One storefront. By default every storefront that is watched for the app. */
  readonly country?: Storefront | null
  /** Several storefronts, instead of `country`. */
  readonly countries?: readonly Storefront[] | null
  /** Words or phrases. Title, body or English summary must contain one of them. */
  readonly keywords?: readonly string[] | null
  /** Words or phrases. Title, body and English summary must contain none of them. */
  readonly excluded_keywords?: readonly string[] | null
  /** Versions of the app, such as `4.2.1`, or prefixes such as `4.2.*`. */
  readonly app_versions?: readonly string[] | null
  /** Languages of the text, ISO 639-1. */
  readonly languages?: readonly string[] | null
  readonly sentiments?: readonly Sentiment[] | null
  /** The review must have one of these themes. */
  readonly themes?: readonly Theme[] | null
  readonly severities?: readonly Severity[] | null
  /** Only reviews that report a bug, or do not. */
  readonly is_bug_report?: boolean | null
  /** Only reviews that request a feature, or do not. */
  readonly is_feature_request?: boolean | null
  /** Only reviews that mention a competitor, or do not. */
  readonly mentions_competitor?: boolean | null
  /** Names of competitors, ignoring case. The review must name one of them. */
  readonly competitors?: readonly string[] | null
}

export type AppOfSet = {
  readonly store: Store
  readonly app_id: string
}

export type WatchSet = {
  readonly id: string
  /** `all`, or the named apps. */
  readonly apps:
    | 'all'
    | readonly {
        readonly store: Store
        readonly app_id: string
      }[]
  readonly event_type: EventType
  readonly country: Storefront | null
  /** 1 to 5. */
  readonly min_stars: number
  /** 1 to 5. */
  readonly max_stars: number
  readonly delta: number | null
  readonly threshold: number | null
  /** The storefronts of the watch. Null covers every storefront watched for the app. */
  readonly countries: readonly Storefront[] | null
  /** The window of the delta in hours; null compares with the last rating. */
  readonly delta_window_hours: number | null
  /** Null unless event_type is reviews.spiked. */
  readonly spike_min_reviews: number | null
  /** Null unless event_type is reviews.spiked. */
  readonly spike_factor: number | null
  readonly keywords: readonly string[] | null
  readonly excluded_keywords: readonly string[] | null
  readonly app_versions: readonly string[] | null
  readonly languages: readonly string[] | null
  readonly sentiments: readonly Sentiment[] | null
  readonly themes: readonly Theme[] | null
  readonly severities: readonly Severity[] | null
  readonly is_bug_report: boolean | null
  readonly is_feature_request: boolean | null
  readonly mentions_competitor: boolean | null
  readonly competitors: readonly string[] | null
  /** Time of its creation or of the last change of its filter. */
  readonly created_at: string
}

export type EventList = {
  readonly data: readonly WebhookEvent[]
  /** Pass it as `after` to get the next events. Never null. */
  readonly next_cursor: string
}

/** A review of a tracked app. Its texts are untrusted: escape them before you show them. */
export type Review = {
  /** `occurrence_id` of its events. */
  readonly fingerprint: string
  readonly store: Store
  readonly app_id: string
  readonly app_name: string | null
  /** The storefront; for Google, the language. */
  readonly market: string
  /** The store's id. */
  readonly review_id: string
  /** 1 to 5. */
  readonly rating: number
  readonly title: string | null
  readonly body: string
  readonly author: string | null
  readonly app_version: string | null
  /** Hash of title and body, which changes when the review is edited. */
  readonly content_hash: string
  /** Null when the store does not provide it. */
  readonly is_edited: boolean | null
  readonly occurred_at: string
  readonly observed_at: string
  /** The public pages, a store connection of the account, or an import. Only the account sees reviews of the last two. */
  readonly source: 'public' | 'appstoreconnect' | 'googleplay-developer' | 'import'
  /** The account imported it; only this account sees it. */
  readonly is_imported: boolean
  readonly public_reply: PublicReply
  /**
   * `unanswered`: no answer is shown, requested or drafted. `draft`: only a draft of the account. `pending`: to be sent, or
   * not shown yet. `published`: the store shows an answer. `refused`: see `problem` of the answer. `edited`: published, and
   * the review was edited after the account requested the answer, or after a check of the connected store first saw it; not
   * known for an answer that only the public page shows.
   */
  readonly answer_state: 'unanswered' | 'draft' | 'pending' | 'published' | 'refused' | 'edited'
  readonly enrichment: Enrichment | null
  readonly triage: Triage
}

/**
 * The developer's answer that the store's public page showed last. Null without one, and for reviews whose source shows no
 * answers.
 */
export type PublicReply = {
  readonly text: string
  /** Time of its last change, as the page shows it. */
  readonly replied_at: string | null
} | null

/** What the members of the account noted about the review. Events and exports have none of it. */
export type Triage = {
  readonly status: 'new' | 'seen' | 'done'
  readonly assignee: Assignee
  /** In lowercase, in alphabetical order. */
  readonly tags: readonly string[]
  readonly note_count: number
}

/** A member of the account; null for nobody. */
export type Assignee = {
  readonly id: string
  readonly name: string
} | null

export type ReviewCount = {
  readonly count: number
  /** There are more than `count`. */
  readonly more: boolean
}

export type ImportCounts = {
  readonly added: number
  /** Rows imported before with different content. */
  readonly replaced: number
  /** Rows already known, from an earlier import or from the store. */
  readonly known: number
}

export type ReviewDetail = {
  /** `occurrence_id` of its events. */
  readonly fingerprint: string
  readonly store: Store
  readonly app_id: string
  readonly app_name: string | null
  /** The storefront; for Google, the language. */
  readonly market: string
  /** The store's id. */
  readonly review_id: string
  /** 1 to 5. */
  readonly rating: number
  readonly title: string | null
  readonly body: string
  readonly author: string | null
  readonly app_version: string | null
  /** Hash of title and body, which changes when the review is edited. */
  readonly content_hash: string
  /** Null when the store does not provide it. */
  readonly is_edited: boolean | null
  readonly occurred_at: string
  readonly observed_at: string
  /** The public pages, a store connection of the account, or an import. Only the account sees reviews of the last two. */
  readonly source: 'public' | 'appstoreconnect' | 'googleplay-developer' | 'import'
  /** The account imported it; only this account sees it. */
  readonly is_imported: boolean
  readonly public_reply: PublicReply
  /**
   * `unanswered`: no answer is shown, requested or drafted. `draft`: only a draft of the account. `pending`: to be sent, or
   * not shown yet. `published`: the store shows an answer. `refused`: see `problem` of the answer. `edited`: published, and
   * the review was edited after the account requested the answer, or after a check of the connected store first saw it; not
   * known for an answer that only the public page shows.
   */
  readonly answer_state: 'unanswered' | 'draft' | 'pending' | 'published' | 'refused' | 'edited'
  readonly enrichment: Enrichment | null
  readonly triage: TriageDetail
  /** The engine that created `enrichment`. */
  readonly enriched_by: string | null
  /** Why there is no `enrichment`; null before the first attempt. */
  readonly enrichment_failure: 'engine_failed' | 'over_budget' | 'worker_died' | 'too_many_tries' | null
  /** Its events for hooks of the account. */
  readonly events: readonly EventOfReview[]
}

export type TriageDetail = {
  readonly status: 'new' | 'seen' | 'done'
  readonly assignee: Assignee
  /** In lowercase, in alphabetical order. */
  readonly tags: readonly string[]
  readonly note_count: number
  /** Oldest first. */
  readonly notes: readonly ReviewNote[]
}

export type ReviewNote = {
  readonly id: string
  readonly text: string
  /** Name of the member or the token at that time. */
  readonly author: string
  /** The member; null for a token. */
  readonly author_id: string | null
  readonly created_at: string
}

export type EventOfReview = {
  readonly event_id: string
  readonly hook_id: string
  readonly hook_name: string | null
  readonly target_url: string
  readonly status: DeliveryStatus
  readonly attempts: number
}

export type TranslatedReview = {
  readonly title: string | null
  readonly body: string
}

/** Fields that are absent stay as they are. */
export type TriageBody = {
  readonly status?: 'new' | 'seen' | 'done'
  /** A member by id, `me` for the signed-in user, or null for nobody. */
  readonly assignee?: string | null
  /**
   * Replaces all tags. Each is text of 1 to 40 characters, without commas, quotes and backslashes; it is stored in
   * lowercase.
   */
  readonly tags?: readonly string[]
  /** Adds these tags. */
  readonly add_tags?: readonly string[]
  /** Removes these tags. */
  readonly remove_tags?: readonly string[]
}

export type BulkTriageBody = {
  readonly reviews: readonly {
    readonly fingerprint: string
    readonly status?: 'new' | 'seen' | 'done'
    /** A member by id, `me` for the signed-in user, or null for nobody. */
    readonly assignee?: string | null
    /**
     * Replaces all tags. Each is text of 1 to 40 characters, without commas, quotes and backslashes; it is stored in
     * lowercase.
     */
    readonly tags?: readonly string[]
    /** Adds these tags. */
    readonly add_tags?: readonly string[]
    /** Removes these tags. */
    readonly remove_tags?: readonly string[]
  }[]
}

export type BulkTriageResult = {
  /** Reviews that are different now. */
  readonly changed: number
  /** As `reviews` of another call this undoes the changes. Other fields that somebody changed since stay as they are. */
  readonly undo: readonly TriageUndo[]
  /** Reviews that stay as they are, and why. */
  readonly failed: readonly BulkFailure[]
}

/** Only fields that the call changed. */
export type TriageUndo = {
  readonly fingerprint: string
  readonly status?: 'new' | 'seen' | 'done'
  readonly assignee?: string | null
  readonly add_tags?: readonly string[]
  readonly remove_tags?: readonly string[]
}

export type ReviewNoteBody = {
  readonly text: string
}

export type ReplyPreviewBody = {
  readonly template_id: string
  readonly fingerprints: readonly string[]
}

/** The answer that a template makes for one review. */
export type ReplyPreview = {
  readonly fingerprint: string
  readonly text: string
  readonly chars: number
  /** The most characters that the store accepts. */
  readonly chars_max: number
  /** Why it cannot be sent; null if it can. */
  readonly problem: string | null
}

export type BulkReplyBody = {
  readonly template_id: string
  /** `updated_at` of the template that you saw: the call fails if it was changed since. */
  readonly template_updated_at?: string | Date
  readonly fingerprints: readonly string[]
  /** Seconds before the answer is sent, in which it can be undone. By default it is sent at once. 0 to 300. */
  readonly undo_seconds?: number
}

export type BulkReplyResult = {
  readonly batch_id: string
  /** Null: the answers are sent at once. */
  readonly undo_until: string | null
  /** Answers to be sent. */
  readonly changed: number
  /** Reviews that are not answered, and why. */
  readonly failed: readonly BulkFailure[]
}

/** The answers of one call that were neither undone nor replaced. */
export type ReplyBatch = {
  readonly id: string
  readonly replies: readonly BatchReply[]
}

export type BatchReply = {
  readonly fingerprint: string
  readonly review_author: string | null
  readonly store: Store
  readonly app_id: string
  readonly app_name: string | null
  readonly state: 'draft' | 'pending' | 'sent' | 'published' | 'refused' | 'deleting' | 'deleted'
  readonly text: string | null
  /** Why it was refused or is not sent yet. */
  readonly problem: string | null
  readonly undo_until: string | null
}

export type UndoneReplies = {
  readonly undone: number
  /** Answers that could not be undone any more: they are sent, or refused. */
  readonly too_late: number
}

/** The answer of the developer to a review of a connected app. */
export type Reply = {
  /**
   * `pending`: to be sent. `sent`: the store accepted it and does not show it yet. `published`: the store shows it.
   * `refused`: see `problem`.
   */
  readonly state: 'draft' | 'pending' | 'sent' | 'published' | 'refused' | 'deleting' | 'deleted' | 'none'
  /** The requested answer; null without a request. */
  readonly text: string | null
  /** The answer that the store showed last, including one from another tool. */
  readonly shown_text: string | null
  readonly draft: string | null
  /** Why it was refused or is not sent yet. */
  readonly problem: string | null
  /** Who requested it; null for an answer from another tool. */
  readonly author: string | null
  readonly requested_at: string | null
  readonly updated_at: string | null
  /** Time of the next request to the store; null during a request and in a final state. */
  readonly next_attempt_at: string | null
  /** The answer is not sent before, and can be undone until then; null or past when it cannot. */
  readonly undo_until: string | null
  /** Why the review cannot be answered; null if it can. */
  readonly obstacle: string | null
  /** The most characters that the store accepts. */
  readonly chars_max: number
  /** Whether the store can delete an answer. */
  readonly can_delete: boolean
  /** Whether a model server can draft an answer. */
  readonly can_generate: boolean
  /** Language of the review, ISO 639-1; null while it is unknown. */
  readonly language: string | null
}

export type ReplyBody = {
  readonly text: string
  /** Seconds before the answer is sent, in which it can be undone. By default it is sent at once. 0 to 300. */
  readonly undo_seconds?: number
}

export type ReplyDraftBody = {
  /** Null removes the draft. */
  readonly text: string | null
}

/** An answer that a model drafted, for a person to check. */
export type ReplyDraft = {
  /** Plain text within the limit of the store. */
  readonly text: string
}

export type ReplyTemplate = {
  readonly id: string
  readonly name: string
  /** The saved answer. Placeholders: {{author}} and {{app_name}}. */
  readonly text: string
  /** Language of the text, ISO 639-1; null for any language. */
  readonly language: string | null
  readonly created_at: string
  readonly updated_at: string
}

export type ReplyTemplateBody = {
  /** Unique in the account. One line without control characters. */
  readonly name: string
  /** The answer. Placeholders: {{author}} and {{app_name}}. */
  readonly text: string
  /** Language of the text, ISO 639-1; null or absent for any language. */
  readonly language?: string | null
}

/** A saved answer; `filled` is its text with the values of a review. */
export type FilledReplyTemplate = {
  readonly id: string
  readonly name: string
  /** The saved answer. Placeholders: {{author}} and {{app_name}}. */
  readonly text: string
  /** Language of the text, ISO 639-1; null for any language. */
  readonly language: string | null
  readonly created_at: string
  readonly updated_at: string
  /** The text with its placeholders replaced. */
  readonly filled: string
}

/** An address of an app's reviews as Atom 1.0, without the address. */
export type AtomFeed = {
  readonly id: string
  readonly store: Store
  readonly app_id: string
  readonly created_at: string
}

export type AtomFeedBody = {
  readonly store: Store
  readonly app_id: string
}

/** Whoever has the address reads the reviews; it is in this response only. */
export type CreatedAtomFeed = {
  readonly id: string
  readonly store: Store
  readonly app_id: string
  readonly created_at: string
  /** Address of the feed. It contains a token and is shown in this response only. */
  readonly url: string
}

/** An app in a storefront that the account watches. */
export type WatchedApp = {
  /** `<store>:<app_id>:<country>`, for drop-downs. */
  readonly id: string
  /** The app's name in its store; its id until the store provides the name. */
  readonly name: string
  readonly store: Store
  readonly app_id: string
  readonly country: Storefront
}

export type FoundApps = {
  readonly data: readonly FoundApp[]
  /** Stores that could not be searched. */
  readonly problems: readonly SearchProblem[]
}

export type FoundApp = {
  readonly store: Store
  readonly app_id: string
  readonly name: string
  readonly developer: string | null
  readonly icon_url: string | null
  readonly rating: number | null
  readonly rating_count: number | null
}

export type SearchProblem = {
  readonly store: Store
  readonly message: string
}

export type TrackedApp = {
  readonly store: Store
  readonly app_id: string
  readonly name: string | null
  readonly developer: string | null
  readonly icon_url: string | null
  /** Storefronts that the account tracks. */
  readonly countries: readonly Storefront[]
  /** Storefronts that are polled only because a hook needs them. */
  readonly needed_countries: readonly Storefront[]
  /** Storefronts that hooks need, tracked or not: polled whatever `countries` is. */
  readonly watched_countries: readonly Storefront[]
  /**
   * Storefronts that are still polled after `DELETE /tracked-apps/{store}/{app_id}`, because watches or watch sets name the
   * app.
   */
  readonly kept_countries: readonly Storefront[]
  readonly named_by: NamedBy
  /** The last known aggregate of each storefront. */
  readonly ratings: readonly StorefrontRating[]
  /** Storefronts in which the store shows no rating of the app yet. */
  readonly unrated_countries: readonly Storefront[]
  /** Reviews published in the last 7 days. */
  readonly reviews_7d: number
  readonly last_review_at: string | null
  /**
   * The worst of its feeds: `stale` if the store gives no usable answer, `changed` for an unknown format, `waiting` before
   * the first poll. `unrated` if the only finding is that nobody has rated the app yet.
   */
  readonly health: 'waiting' | 'well' | 'unrated' | 'stale' | 'blocked' | 'gone' | 'changed'
  /** Hooks with watches for the app. */
  readonly hooks: number
}

/**
 * How many watches and watch sets name the app, without the sets of all apps: of destinations of the console, and of hooks
 * that programs created.
 */
export type NamedBy = {
  readonly console: number
  readonly programs: number
}

export type StorefrontRating = {
  readonly country: Storefront
  readonly rating: number
  readonly rating_count: number
}

export type TrackBody = {
  readonly countries: readonly Storefront[]
}

/** The aggregate rating of an app in a storefront at a time. */
export type Rating = {
  readonly store: Store
  readonly app_id: string
  readonly country: Storefront
  readonly observed_at: string
  readonly rating: number
  readonly rating_count: number
}

/** Credentials of the account for the official interface of a store, without the keys. */
export type StoreConnection = {
  readonly id: string
  readonly kind: ConnectionKind
  readonly store: Store
  readonly name: string
  /** Identifies the credentials: Apple's key id, or the address of a service account. */
  readonly subject: string
  readonly created_at: string
  /** When the credentials were last replaced. */
  readonly rotated_at: string | null
  /** When the credentials were last tested. */
  readonly checked_at: string
  /** Why the last test failed; null if it succeeded. */
  readonly problem: string | null
  /** What the credentials cannot do. */
  readonly warnings: readonly string[]
  readonly rights: StoreRights
  readonly apps: readonly ReachedApp[]
}

/** `unknown`: only the first use shows it. */
export type StoreRights = {
  readonly read_reviews: StoreRight
  readonly reply: StoreRight
  readonly history: StoreRight
}

export type ReachedApp = {
  readonly app_id: string
  readonly name: string | null
  readonly bundle_id: string | null
  /** Storefronts that the account watches; empty for an app that it does not track. */
  readonly countries: readonly Storefront[]
  /** The store connection from which the account's reviews of the app come, this one or another; null: the public pages. */
  readonly source_connection_id: string | null
  /** Null: the account's reviews of the app do not come from this connection. */
  readonly source: {
    /** `switching`: still the public pages, until the first successful poll. */
    readonly state: 'switching' | 'official'
    readonly since: string
    /** The last successful poll. */
    readonly last_ok_at: string | null
    /** Why the last poll failed. */
    readonly problem: string | null
  } | null
  /** The history import: all reviews that the store has; null if none was started. */
  readonly history: {
    /** `stopped` and `failed` ones continue when they are started again. */
    readonly state: HistoryState
    readonly started_at: string
    readonly updated_at: string
    /** Reviews read so far. */
    readonly reviews: number
    /** New reviews among them. */
    readonly added: number
    /** Rows of reports without a text. */
    readonly ratings_only: number
    /** Rows that could not be read. */
    readonly malformed: number
    /** Progress, 0 to 100; null until the total is known. */
    readonly percent: number | null
    /** Why the last page failed. */
    readonly problem: string | null
  } | null
}

export type NewStoreConnection = {
  readonly kind: ConnectionKind
  /** App Store Connect: the UUID above the list of team keys; null for an individual key. */
  readonly issuer_id?: string | null
  /** App Store Connect: the id of the key. */
  readonly key_id?: string | null
  /** App Store Connect: the content of the `.p8` file. */
  readonly private_key?: string | null
  /** Google Play: the JSON key file of the service account, as text. */
  readonly service_account?: string | null
  /** Google Play: the bucket of the monthly reports, which has the history; null for none. */
  readonly reports_bucket?: string | null
  /** Google Play: the package names, because Google has no list of apps. */
  readonly app_ids?: readonly string[] | null
  readonly name?: string
}

export type StoreCredentials = {
  readonly kind: ConnectionKind
  /** App Store Connect: the UUID above the list of team keys; null for an individual key. */
  readonly issuer_id?: string | null
  /** App Store Connect: the id of the key. */
  readonly key_id?: string | null
  /** App Store Connect: the content of the `.p8` file. */
  readonly private_key?: string | null
  /** Google Play: the JSON key file of the service account, as text. */
  readonly service_account?: string | null
  /** Google Play: the bucket of the monthly reports, which has the history; null for none. */
  readonly reports_bucket?: string | null
  /** Google Play: the package names, because Google has no list of apps. */
  readonly app_ids?: readonly string[] | null
}

export type StoreConnectionChange = {
  readonly name?: string
  /** Google Play: the bucket of the monthly reports, which has the history; null for none. */
  readonly reports_bucket?: string | null
  readonly app_ids?: readonly string[]
}

export type ReviewStatistics = {
  readonly since: string
  readonly until: string
  readonly interval: Interval
  readonly reviews: number
  /** Numbers of reviews with one to five stars, in this order. */
  readonly stars: readonly number[]
  readonly average_stars: number | null
  readonly bug_reports: number
  readonly feature_requests: number
  /** Most frequent first. */
  readonly sentiments: readonly SentimentCount[]
  /** Most frequent first; a review counts for each of its themes. */
  readonly themes: readonly ThemeCount[]
  /** The 50 most requested features; `series` has the intervals with requests. */
  readonly requested_features: readonly RequestedFeature[]
  /** The intervals with reviews, oldest first. */
  readonly series: readonly StatisticsInterval[]
}

export type SentimentCount = {
  readonly sentiment: Sentiment
  readonly count: number
}

export type ThemeCount = {
  readonly theme: Theme
  readonly count: number
  readonly negative: number
}

export type RequestedFeature = {
  readonly feature_slug: string
  readonly feature_phrase: string | null
  readonly count: number
  readonly last_at: string
  readonly series: readonly CountAt[]
}

export type CountAt = {
  readonly at: string
  readonly count: number
}

export type StatisticsInterval = {
  /** Start of the interval, UTC. */
  readonly at: string
  readonly reviews: number
  /** Numbers of reviews with one to five stars, in this order. */
  readonly stars: readonly number[]
  readonly negative: number
  readonly bug_reports: number
  readonly feature_requests: number
}

export type Delivery = {
  readonly event_id: string
  readonly occurrence_id: string
  readonly event_type: EventType
  readonly subject: DeliverySubject
  readonly store: Store
  readonly app_id: string
  /** Null until the store provides it. */
  readonly app_name: string | null
  readonly hook_id: string
  readonly hook_name: string | null
  readonly target_type: TargetType
  readonly target_url: string
  /** `held`: pending for a paused hook. */
  readonly status: 'pending' | 'delivered' | 'dead' | 'held'
  /** Attempts of the current retry schedule. */
  readonly attempts: number
  readonly created_at: string
  /** Time of the next attempt; null unless pending or held. */
  readonly due_at: string | null
  readonly delivered_at: string | null
  readonly dead_at: string | null
  readonly dead_reason: DeadReason | null
  readonly last_http_status: number | null
  readonly last_reason: FailureReason | null
}

/** A short description of the event. */
export type DeliverySubject = ReviewSubject | RatingSubject | SpikeSubject

export type ReviewSubject = {
  readonly kind: 'review'
  readonly rating: number
  /** The title, else the start of the text. */
  readonly title: string
  readonly country: string
}

export type RatingSubject = {
  readonly kind: 'rating'
  readonly previous: number
  readonly current: number
  /** Null when it is unknown. */
  readonly country: string | null
}

export type SpikeSubject = {
  readonly kind: 'spike'
  readonly count: number
  /** Null for several storefronts. */
  readonly country: string | null
}

export type DeliveryDetail = {
  readonly event_id: string
  readonly occurrence_id: string
  readonly event_type: EventType
  readonly subject: DeliverySubject
  readonly store: Store
  readonly app_id: string
  /** Null until the store provides it. */
  readonly app_name: string | null
  readonly hook_id: string
  readonly hook_name: string | null
  readonly target_type: TargetType
  readonly target_url: string
  /** `held`: pending for a paused hook. */
  readonly status: 'pending' | 'delivered' | 'dead' | 'held'
  /** Attempts of the current retry schedule. */
  readonly attempts: number
  readonly created_at: string
  /** Time of the next attempt; null unless pending or held. */
  readonly due_at: string | null
  readonly delivered_at: string | null
  readonly dead_at: string | null
  readonly dead_reason: DeadReason | null
  readonly last_http_status: number | null
  readonly last_reason: FailureReason | null
  /** The bytes that every attempt sends. */
  readonly body: string
  /** All attempts, oldest first. */
  readonly history: readonly DeliveryAttempt[]
}

export type DeliveryAttempt = {
  readonly number: number
  /** The target answered 200 to 299. */
  readonly accepted: boolean
  /** Reason of the failure; null when accepted. */
  readonly reason: FailureReason | null
  readonly detail: string | null
  readonly started_at: string
  readonly url: string
  /** Signatures are masked. */
  readonly request_headers: Readonly<Record<string, string>>
  /**
   * What a formatted destination was sent: the body of the request, or subject and text of the e-mail to the first
   * recipient. Without secrets, at most 16 KiB, 4 KiB of a message with several events. Null for a webhook.
   */
  readonly message: string | null
  readonly http_status: number | null
  readonly response_headers: Readonly<Record<string, string>>
  /** The first 16 KiB; empty without a response. */
  readonly response_body: string
  readonly response_truncated: boolean
  /** The connected address. Only for the operator of the installation in the console; null for tokens. */
  readonly remote_address: string | null
  readonly timings_ms: Timings
}

export type EventIds = {
  readonly event_ids: readonly string[]
}

export type DeadLetterCount = {
  readonly count: number
  readonly by_reason: readonly ReasonCount[]
}

export type ReasonCount = {
  readonly reason: string
  readonly count: number
}

export type Replayed = {
  readonly replayed: number
  /** Ids that are not dead letters of the account, or whose hook is gone or deleted. */
  readonly skipped: number
}

export type Discarded = {
  readonly discarded: number
  /** Ids that are not dead letters of the account. */
  readonly skipped: number
}

export type ReplayBody = {
  /** Selects dead letters. An empty filter selects all. */
  readonly filter?: ReplayFilter
  /** Default: `10`. 0.1 to 1000. */
  readonly rate_per_second?: number
}

export type ReplayFilter = {
  readonly hook_id?: string
  readonly store?: Store
  readonly app_id?: string
  readonly event_type?: EventType
  /** Reason of the last failure or of the dead letter. */
  readonly reason?: DeliveryReason
  /** 100 to 999. */
  readonly http_status?: number
  /** Created at or after this time. */
  readonly since?: string | Date
  /** Created before this time. */
  readonly until?: string | Date
}

export type ReplayChange = {
  readonly status: 'running' | 'paused' | 'cancelled'
}

export type Alerts = {
  readonly settings: AlertSettings
  /** Addresses that have not confirmed yet, and get no alerts. */
  readonly unconfirmed_emails: readonly string[]
  /** Addresses that unsubscribed, and get no alerts until they subscribe again. */
  readonly unsubscribed_emails: readonly string[]
  /** Whether the installation has a mail server. */
  readonly can_email: boolean
  /** The newest alerts, one per channel, newest first. */
  readonly recent: readonly Alert[]
}

export type AlertSettings = {
  readonly enabled: boolean
  readonly emails: readonly string[]
  readonly webhook_url: string | null
}

export type Alert = {
  readonly id: string
  readonly channel: 'email' | 'webhook'
  readonly title: string
  readonly created_at: string
  readonly status: 'pending' | 'sent' | 'failed'
  readonly attempts: number
  /** The last error; null without one. */
  readonly problem: string | null
}

export type SavedAlerts = {
  /** The signing secret of the webhook if it is new, else null. Shown in this response only. */
  readonly secret: string | null
}

export type AlertRecipient = {
  readonly email: string
}

export type AuditEntry = {
  readonly id: string
  readonly at: string
  readonly actor: AuditActor
  readonly client_address: string | null
  readonly action:
    | 'account.created'
    | 'account.renamed'
    | 'sign_in.succeeded'
    | 'sign_in.failed'
    | 'sign_in.signed_out'
    | 'session.ended'
    | 'password.changed'
    | 'password.reset_link_created'
    | 'password.reset'
    | 'second_factor.turned_on'
    | 'second_factor.turned_off'
    | 'second_factor.backup_codes_created'
    | 'second_factor.backup_code_used'
    | 'second_factor.trust_ended'
    | 'second_factor.reset'
    | 'second_factor.required'
    | 'second_factor.not_required'
    | 'passkey.added'
    | 'passkey.renamed'
    | 'passkey.removed'
    | 'identity.connected'
    | 'invitation.created'
    | 'invitation.withdrawn'
    | 'invitation.accepted'
    | 'member.role_changed'
    | 'member.removed'
    | 'token.created'
    | 'token.revoked'
    | 'app.tracked'
    | 'app.untracked'
    | 'atom_feed.created'
    | 'atom_feed.revoked'
    | 'store.connected'
    | 'store.tested'
    | 'store.credentials_replaced'
    | 'store.changed'
    | 'store.removed'
    | 'reply.drafted'
    | 'reply.generated'
    | 'review.translated'
    | 'review.erased'
    | 'review.triaged'
    | 'review.note_added'
    | 'review.note_deleted'
    | 'view.saved'
    | 'view.deleted'
    | 'reply.requested'
    | 'reply.deleted'
    | 'reply.undone'
    | 'reply_template.created'
    | 'reply_template.changed'
    | 'reply_template.deleted'
    | 'app.official_source'
    | 'app.public_source'
    | 'history.started'
    | 'history.stopped'
    | 'reviews.imported'
    | 'alerts.changed'
    | 'alerts.secret_created'
    | 'alerts.tested'
    | 'hook.created'
    | 'hook.changed'
    | 'hook.paused'
    | 'hook.resumed'
    | 'hook.deleted'
    | 'hook.tested'
    | 'hook.retried'
    | 'recipient.unsubscribed'
    | 'recipient.asked'
    | 'recipient.subscribed'
    | 'secret.rotated'
    | 'secret.revoked'
    | 'watch.added'
    | 'watch.changed'
    | 'watch.removed'
    | 'delivery.retried'
    | 'delivery.sent_again'
    | 'dead_letters.replayed'
    | 'dead_letters.discarded'
    | 'replay.started'
    | 'replay.changed'
    | 'recovery.started'
  /** Id of the changed object; `store/app id` for an app; null for several or none. */
  readonly target: string | null
  readonly detail: string | null
}

/** With the name at that time. */
export type AuditActor = KnownActor | UnknownActor

export type KnownActor = {
  readonly kind: 'user' | 'token' | 'command'
  readonly id: string
  readonly name: string
}

/** As in a failed sign-in. */
export type UnknownActor = {
  readonly kind: 'none'
  /** Always null. */
  readonly id: string | null
  /** Always null. */
  readonly name: string | null
}

/** An API token of the account, without its value. */
export type Token = {
  readonly id: string
  readonly name: string
  readonly scopes: readonly TokenScope[]
  readonly created_at: string
  /** Null if it does not expire. */
  readonly expires_at: string | null
  /** Accurate to a minute. */
  readonly last_used_at: string | null
  /** Network of the last client, such as 203.0.113.0/24. */
  readonly last_used_network: string | null
}

/** The account of the token. */
export type Me = {
  readonly account_id: string
  readonly account_name: string
  readonly token_id: string
  readonly token_name: string
  /** The scopes of the token. */
  readonly token_scopes: readonly TokenScope[]
  /** Null if it does not expire. */
  readonly token_expires_at: string | null
}

export type ImportRow = {
  readonly store: Store
  readonly app_id: string
  /** The storefront; for Google, the language. The account must track the app there. */
  readonly market: string
  /** The store's id. */
  readonly review_id: string
  /** 1 to 5. */
  readonly rating: number
  readonly title?: string | null
  readonly body?: string | null
  readonly author?: string | null
  readonly app_version?: string | null
  /** Time of publication. */
  readonly occurred_at: string | Date
}

/** A dead letter with its event. */
export type DeadLetterRecord = {
  readonly event_id: string
  readonly hook_id: string
  readonly account_id: string
  readonly target_url: string
  readonly event_type: EventType
  readonly store: Store
  readonly app_id: string
  readonly created_at: string
  readonly dead_at: string | null
  readonly reason: DeadReason | null
  readonly attempts: number
  readonly last_http_status: number | null
  readonly last_reason: FailureReason | null
  readonly payload: WebhookEvent
}

export type EventQuery = {
  /**
   * `next_cursor` of the previous answer. `latest` returns no events, only the cursor for new events. Without this
   * parameter, the answer starts with the oldest stored event.
   */
  readonly after?: string
  /** Seconds to wait for an event if there is none. 0 to 30. */
  readonly wait?: number
  /** The maximum number of events per response. 1 to 200. */
  readonly limit?: number
  /** Only events of this hook. */
  readonly hook_id?: string
  readonly event_type?: EventType
  readonly store?: Store
  readonly app_id?: string
}

export type ReviewQuery = {
  readonly store?: Store
  readonly app_id?: string
  /** Reviews of this storefront; for Google, of its language. */
  readonly country?: Storefront
  /** One or more numbers of stars. */
  readonly stars?: number | readonly number[]
  /** Language of the text, ISO 639-1; `und` when it is unknown. */
  readonly language?: string
  readonly sentiment?: Sentiment
  readonly severity?: Severity
  readonly theme?: Theme
  /** Reviews of this version of the app. */
  readonly app_version?: string
  /** Reviews that request this feature. */
  readonly feature_slug?: string
  /** State of the answer, as `answer_state` of a review. */
  readonly answer?: 'unanswered' | 'draft' | 'pending' | 'published' | 'refused' | 'edited'
  readonly is_bug_report?: boolean
  readonly is_feature_request?: boolean
  /** Reviews with this status in the account. */
  readonly status?: 'new' | 'seen' | 'done'
  /** Reviews of this member, of `me` (the signed-in user), or of `nobody`. */
  readonly assignee?: string
  /** Reviews with this tag. */
  readonly tag?: string
  /** Each word must occur in title, text, author, English summary or requested feature, ignoring case. */
  readonly text?: string
  /** Published at or after this time. */
  readonly since?: string | Date
  /** Published before this time. */
  readonly until?: string | Date
  /** `next_cursor` of the previous page; omit it for the first page. */
  readonly cursor?: string
  /** The maximum number of rows per page. 1 to 200. */
  readonly limit?: number
}

export type ReviewFilter = {
  readonly store?: Store
  readonly app_id?: string
  /** Reviews of this storefront; for Google, of its language. */
  readonly country?: Storefront
  /** One or more numbers of stars. */
  readonly stars?: number | readonly number[]
  /** Language of the text, ISO 639-1; `und` when it is unknown. */
  readonly language?: string
  readonly sentiment?: Sentiment
  readonly severity?: Severity
  readonly theme?: Theme
  /** Reviews of this version of the app. */
  readonly app_version?: string
  /** Reviews that request this feature. */
  readonly feature_slug?: string
  /** State of the answer, as `answer_state` of a review. */
  readonly answer?: 'unanswered' | 'draft' | 'pending' | 'published' | 'refused' | 'edited'
  readonly is_bug_report?: boolean
  readonly is_feature_request?: boolean
  /** Reviews with this status in the account. */
  readonly status?: 'new' | 'seen' | 'done'
  /** Reviews of this member, of `me` (the signed-in user), or of `nobody`. */
  readonly assignee?: string
  /** Reviews with this tag. */
  readonly tag?: string
  /** Each word must occur in title, text, author, English summary or requested feature, ignoring case. */
  readonly text?: string
  /** Published at or after this time. */
  readonly since?: string | Date
  /** Published before this time. */
  readonly until?: string | Date
}

export type AppSearch = {
  /** A name, a store link, an id or a package name. */
  readonly q: string
  /** Searches only this store. */
  readonly store?: Store
  /** Storefront to search in. */
  readonly country?: Storefront
}

export type RatingQuery = {
  readonly store: Store
  readonly app_id: string
  readonly country?: Storefront
  /** Observed at or after this time. */
  readonly since?: string | Date
  /** Observed before this time. */
  readonly until?: string | Date
  /** `next_cursor` of the previous page; omit it for the first page. */
  readonly cursor?: string
  /** The maximum number of rows per page. 1 to 200. */
  readonly limit?: number
}

export type StatisticsQuery = {
  readonly store?: Store
  readonly app_id?: string
  readonly country?: Storefront
  /** Reviews of this version of the app. */
  readonly app_version?: string
  /** Length of an interval of `series`, in UTC. Weeks start on Monday. */
  readonly interval?: Interval
  /** Published at or after this time. */
  readonly since?: string | Date
  /** Published before this time. */
  readonly until?: string | Date
}

export type DeliveryQuery = {
  readonly hook_id?: string
  readonly store?: Store
  readonly app_id?: string
  readonly event_type?: EventType
  /** `held`: pending deliveries of a paused hook. */
  readonly status?: 'pending' | 'delivered' | 'dead' | 'held'
  /** Reason of the last failure or of the dead letter. */
  readonly reason?: DeliveryReason
  /** HTTP status of the last attempt. 100 to 999. */
  readonly http_status?: number
  /** Created at or after this time. */
  readonly since?: string | Date
  /** Created before this time. */
  readonly until?: string | Date
  /** `created`: the oldest first. */
  readonly sort?: 'created' | '-created'
  /** `next_cursor` of the previous page; omit it for the first page. */
  readonly cursor?: string
  /** The maximum number of rows per page. 1 to 200. */
  readonly limit?: number
}

export type DeadLetterQuery = {
  readonly hook_id?: string
  readonly store?: Store
  readonly app_id?: string
  readonly event_type?: EventType
  /** Reason of the last failure or of the dead letter. */
  readonly reason?: DeliveryReason
  /** HTTP status of the last attempt. 100 to 999. */
  readonly http_status?: number
  /** Created at or after this time. */
  readonly since?: string | Date
  /** Created before this time. */
  readonly until?: string | Date
  /** `next_cursor` of the previous page; omit it for the first page. */
  readonly cursor?: string
  /** The maximum number of rows per page. 1 to 200. */
  readonly limit?: number
}

export type DeadLetterFilter = {
  readonly hook_id?: string
  readonly store?: Store
  readonly app_id?: string
  readonly event_type?: EventType
  /** Reason of the last failure or of the dead letter. */
  readonly reason?: DeliveryReason
  /** HTTP status of the last attempt. 100 to 999. */
  readonly http_status?: number
  /** Created at or after this time. */
  readonly since?: string | Date
  /** Created before this time. */
  readonly until?: string | Date
}

export type RecoveryQuery = {
  /** A time in the past. */
  readonly since: string | Date
}

export type AuditQuery = {
  readonly action?:
    | 'account.created'
    | 'account.renamed'
    | 'sign_in.succeeded'
    | 'sign_in.failed'
    | 'sign_in.signed_out'
    | 'session.ended'
    | 'password.changed'
    | 'password.reset_link_created'
    | 'password.reset'
    | 'second_factor.turned_on'
    | 'second_factor.turned_off'
    | 'second_factor.backup_codes_created'
    | 'second_factor.backup_code_used'
    | 'second_factor.trust_ended'
    | 'second_factor.reset'
    | 'second_factor.required'
    | 'second_factor.not_required'
    | 'passkey.added'
    | 'passkey.renamed'
    | 'passkey.removed'
    | 'identity.connected'
    | 'invitation.created'
    | 'invitation.withdrawn'
    | 'invitation.accepted'
    | 'member.role_changed'
    | 'member.removed'
    | 'token.created'
    | 'token.revoked'
    | 'app.tracked'
    | 'app.untracked'
    | 'atom_feed.created'
    | 'atom_feed.revoked'
    | 'store.connected'
    | 'store.tested'
    | 'store.credentials_replaced'
    | 'store.changed'
    | 'store.removed'
    | 'reply.drafted'
    | 'reply.generated'
    | 'review.translated'
    | 'review.erased'
    | 'review.triaged'
    | 'review.note_added'
    | 'review.note_deleted'
    | 'view.saved'
    | 'view.deleted'
    | 'reply.requested'
    | 'reply.deleted'
    | 'reply.undone'
    | 'reply_template.created'
    | 'reply_template.changed'
    | 'reply_template.deleted'
    | 'app.official_source'
    | 'app.public_source'
    | 'history.started'
    | 'history.stopped'
    | 'reviews.imported'
    | 'alerts.changed'
    | 'alerts.secret_created'
    | 'alerts.tested'
    | 'hook.created'
    | 'hook.changed'
    | 'hook.paused'
    | 'hook.resumed'
    | 'hook.deleted'
    | 'hook.tested'
    | 'hook.retried'
    | 'recipient.unsubscribed'
    | 'recipient.asked'
    | 'recipient.subscribed'
    | 'secret.rotated'
    | 'secret.revoked'
    | 'watch.added'
    | 'watch.changed'
    | 'watch.removed'
    | 'delivery.retried'
    | 'delivery.sent_again'
    | 'dead_letters.replayed'
    | 'dead_letters.discarded'
    | 'replay.started'
    | 'replay.changed'
    | 'recovery.started'
  /** The id of a user or a token, or `command`. */
  readonly actor?: string
  /** Recorded at or after this time. */
  readonly since?: string | Date
  /** Recorded before this time. */
  readonly until?: string | Date
  /** `next_cursor` of the previous page; omit it for the first page. */
  readonly cursor?: string
  /** The maximum number of rows per page. 1 to 200. */
  readonly limit?: number
}

export type AuditFilter = {
  readonly action?:
    | 'account.created'
    | 'account.renamed'
    | 'sign_in.succeeded'
    | 'sign_in.failed'
    | 'sign_in.signed_out'
    | 'session.ended'
    | 'password.changed'
    | 'password.reset_link_created'
    | 'password.reset'
    | 'second_factor.turned_on'
    | 'second_factor.turned_off'
    | 'second_factor.backup_codes_created'
    | 'second_factor.backup_code_used'
    | 'second_factor.trust_ended'
    | 'second_factor.reset'
    | 'second_factor.required'
    | 'second_factor.not_required'
    | 'passkey.added'
    | 'passkey.renamed'
    | 'passkey.removed'
    | 'identity.connected'
    | 'invitation.created'
    | 'invitation.withdrawn'
    | 'invitation.accepted'
    | 'member.role_changed'
    | 'member.removed'
    | 'token.created'
    | 'token.revoked'
    | 'app.tracked'
    | 'app.untracked'
    | 'atom_feed.created'
    | 'atom_feed.revoked'
    | 'store.connected'
    | 'store.tested'
    | 'store.credentials_replaced'
    | 'store.changed'
    | 'store.removed'
    | 'reply.drafted'
    | 'reply.generated'
    | 'review.translated'
    | 'review.erased'
    | 'review.triaged'
    | 'review.note_added'
    | 'review.note_deleted'
    | 'view.saved'
    | 'view.deleted'
    | 'reply.requested'
    | 'reply.deleted'
    | 'reply.undone'
    | 'reply_template.created'
    | 'reply_template.changed'
    | 'reply_template.deleted'
    | 'app.official_source'
    | 'app.public_source'
    | 'history.started'
    | 'history.stopped'
    | 'reviews.imported'
    | 'alerts.changed'
    | 'alerts.secret_created'
    | 'alerts.tested'
    | 'hook.created'
    | 'hook.changed'
    | 'hook.paused'
    | 'hook.resumed'
    | 'hook.deleted'
    | 'hook.tested'
    | 'hook.retried'
    | 'recipient.unsubscribed'
    | 'recipient.asked'
    | 'recipient.subscribed'
    | 'secret.rotated'
    | 'secret.revoked'
    | 'watch.added'
    | 'watch.changed'
    | 'watch.removed'
    | 'delivery.retried'
    | 'delivery.sent_again'
    | 'dead_letters.replayed'
    | 'dead_letters.discarded'
    | 'replay.started'
    | 'replay.changed'
    | 'recovery.started'
  /** The id of a user or a token, or `command`. */
  readonly actor?: string
  /** Recorded at or after this time. */
  readonly since?: string | Date
  /** Recorded before this time. */
  readonly until?: string | Date
}
