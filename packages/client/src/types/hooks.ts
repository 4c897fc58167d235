import type { EventType, Sentiment, Severity, Store, Storefront, Theme } from '../events.ts'

/** Filters of `review.created`. Null and an empty list mean no filter; a list matches if one of its values does. */
export type ReviewFilters = {
  /** Words or phrases that title, body or English summary must contain. */
  readonly keywords?: readonly string[] | null
  /** Words or phrases that they must not contain. */
  readonly excluded_keywords?: readonly string[] | null
  /** Versions of the app, or prefixes such as `4.2.*`. */
  readonly app_versions?: readonly string[] | null
  /** ISO 639-1. */
  readonly languages?: readonly string[] | null
  readonly sentiments?: readonly Sentiment[] | null
  readonly themes?: readonly Theme[] | null
  readonly severities?: readonly Severity[] | null
  readonly is_bug_report?: boolean | null
  readonly is_feature_request?: boolean | null
  readonly mentions_competitor?: boolean | null
  /** Names of competitors, ignoring case. */
  readonly competitors?: readonly string[] | null
}

/** When messages are sent: at most one in `every_minutes`, one at `daily_at`, none in quiet hours. Times are `HH:MM`. */
export type MessageSchedule = {
  /** An IANA name; UTC by default. */
  readonly time_zone?: string | null
  readonly every_minutes?: number | null
  readonly daily_at?: string | null
  /** With `daily_at`: Monday is 1, Sunday 7. */
  readonly weekday?: number | null
  readonly quiet_from?: string | null
  readonly quiet_until?: string | null
}

/** All fields of a schedule; null for those that it does not have. */
export type StoredMessageSchedule = {
  readonly time_zone: string
  readonly every_minutes: number | null
  readonly daily_at: string | null
  readonly weekday: number | null
  readonly quiet_from: string | null
  readonly quiet_until: string | null
}

/** How a hook gets its events: as a signed webhook, or as a message. */
export type TargetType = 'webhook' | 'slack' | 'discord' | 'telegram' | 'teams' | 'email' | 'http'

export type SubscribeBody = ReviewFilters & {
  /** `webhook` by default. */
  readonly target_type?: TargetType | null
  /** Callback URL with http or https. Required for `webhook`; other types have their address in `target_settings`. */
  readonly target_url?: string | null
  /** Settings of a `target_type` other than `webhook`. They are never shown again. */
  readonly target_settings?: Readonly<Record<string, unknown>> | null
  readonly store: Store
  /** The store's id: a number for Apple, a package name for Google. */
  readonly app_id: string
  readonly event_type: EventType
  /** Minimum stars of `review.created`, 1 by default. */
  readonly min_stars?: number | null
  /** Maximum stars of `review.created`, 5 by default. */
  readonly max_stars?: number | null
  /** `rating.dropped` fires when the rating falls by at least this, 0 to 4. It and `rating.recovered` require this or `threshold`. */
  readonly delta?: number | null
  /** The delta counts from the highest rating of the last 1 to 720 hours, instead of the last rating. */
  readonly delta_window_hours?: number | null
  /** `rating.dropped` fires when the rating falls below this, 1 to 5. */
  readonly threshold?: number | null
  /** `reviews.spiked` fires when an hour has at least this many reviews with 1 or 2 stars, 2 to 1,000; 5 by default. */
  readonly spike_min_reviews?: number | null
  /** `reviews.spiked` fires when an hour has at least this many times the usual number, 1.5 to 100; 3 by default. */
  readonly spike_factor?: number | null
  /** One storefront. Default: every storefront watched for the app. */
  readonly country?: Storefront | null
  /** Several storefronts, instead of `country`. */
  readonly countries?: readonly Storefront[] | null
  /** `api` by default, or an automation platform that the operator allows. */
  readonly source?: string | null
  /** Requests also have the headers of CloudEvents 1.0. */
  readonly cloudevents?: boolean | null
  /** `accept`: an answer with a 3xx status, except 307 and 308, is success; `fail` by default. */
  readonly redirect?: 'fail' | 'accept' | null
  /** Your own reference, at most 256 characters. */
  readonly external_ref?: string | null
}

export type CreatedHook = {
  readonly id: string
  /** The signing secret, only in this response. */
  readonly secret: string
  readonly store: Store
  readonly app_id: string
  readonly country: Storefront
  readonly event_type: EventType
}

/** A rule as a caller gives it; the fields mean the same as in `SubscribeBody`. */
export type WatchBody = Pick<
  SubscribeBody,
  | 'store'
  | 'app_id'
  | 'event_type'
  | 'min_stars'
  | 'max_stars'
  | 'delta'
  | 'delta_window_hours'
  | 'threshold'
  | 'spike_min_reviews'
  | 'spike_factor'
  | 'country'
  | 'countries'
  | keyof ReviewFilters
>

/** A change of a hook that was created through the API. Fields that are not given do not change. */
export type HookChange = {
  readonly target_type?: TargetType | null
  readonly target_url?: string
  /** All settings of the target type; they replace the stored ones. */
  readonly target_settings?: Readonly<Record<string, unknown>> | null
  readonly name?: string | null
  readonly description?: string | null
  /** Maximum requests per second; null for no limit. */
  readonly rate_per_second?: number | null
  readonly cloudevents?: boolean | null
  readonly redirect?: 'fail' | 'accept' | null
  /** Null sends each event at once. Not for `webhook`. */
  readonly message_schedule?: MessageSchedule | null
  /** All watches of the hook; one that it has already does not change. */
  readonly watches?: readonly WatchBody[]
}

/** A rule of a hook. */
export type Watch = {
  readonly store: Store
  readonly app_id: string
  readonly event_type: EventType
  /** Null means every storefront watched for the app, or several. */
  readonly country: Storefront | null
  readonly min_stars: number
  readonly max_stars: number
  readonly delta: number | null
  readonly threshold: number | null
}

/** The filters of a rule in its details; null where it has none. */
export type FilterDetail = {
  readonly [Name in keyof ReviewFilters]-?: Exclude<ReviewFilters[Name], undefined>
} & {
  /** The storefronts. Null means every storefront watched for the app. */
  readonly countries: readonly Storefront[] | null
  /** The window of the delta in hours; null compares with the last rating. */
  readonly delta_window_hours: number | null
  /** Null unless `event_type` is `reviews.spiked`. */
  readonly spike_min_reviews: number | null
  readonly spike_factor: number | null
}

export type WatchDetail = Watch &
  FilterDetail & {
    /** The watch set that created the watch. */
    readonly watch_set_id: string | null
  }

/** A rule of a hook for several apps. `all`: every app of the account, also those that are added later. */
export type WatchSetBody = ReviewFilters & {
  readonly apps: 'all' | readonly AppOfSet[]
  readonly event_type: EventType
  /** As in `SubscribeBody`. */
  readonly min_stars?: number | null
  readonly max_stars?: number | null
  readonly delta?: number | null
  /** The delta counts from the highest rating of the last 1 to 720 hours, instead of the last rating. */
  readonly delta_window_hours?: number | null
  readonly threshold?: number | null
  readonly spike_min_reviews?: number | null
  readonly spike_factor?: number | null
  readonly country?: Storefront | null
  readonly countries?: readonly Storefront[] | null
}

export type AppOfSet = { readonly store: Store; readonly app_id: string }

export type WatchSet = FilterDetail & {
  readonly id: string
  readonly apps: 'all' | readonly AppOfSet[]
  readonly event_type: EventType
  /** Null covers every storefront watched for each app, or several. */
  readonly country: Storefront | null
  readonly min_stars: number
  readonly max_stars: number
  readonly delta: number | null
  readonly threshold: number | null
  readonly created_at: string
}

/** A hook in the list. The rule fields are those of the first watch, or null without a watch. `watches` has all rules. */
export type Hook = {
  readonly id: string
  readonly source: string
  readonly target_url: string
  readonly external_ref: string | null
  /** `gone`: the target answered 410, for example because its platform turned the trigger off. */
  readonly status: 'active' | 'paused' | 'gone'
  readonly created_at: string
  readonly store: Store | null
  readonly app_id: string | null
  readonly event_type: EventType | null
  readonly country: Storefront | null
  readonly min_stars: number | null
  readonly max_stars: number | null
  readonly delta: number | null
  readonly threshold: number | null
  readonly watches: readonly Watch[]
}

/** One hook with all its settings. */
export type HookDetail = Omit<Hook, 'watches'> & {
  readonly name: string | null
  readonly description: string | null
  /** Maximum requests per second; null for no limit. */
  readonly rate_per_second: number | null
  readonly target_type: TargetType
  /** Null: each event at once. */
  readonly message_schedule: StoredMessageSchedule | null
  /** Recipients of an `email` destination who unsubscribed, with masked addresses such as `l…@example.com`. */
  readonly unsubscribed_recipients: readonly { readonly address: string; readonly at: string }[]
  /** `all_unsubscribed`: paused because no recipient is left. Null otherwise, also when somebody paused it. */
  readonly paused_reason: 'all_unsubscribed' | null
  /** Changes when the settings of the target change; null for `webhook`. */
  readonly target_fingerprint: string | null
  /** Requests have the headers of CloudEvents 1.0. */
  readonly cloudevents: boolean
  /** Whether an answer with a 3xx status is success. */
  readonly redirect: 'fail' | 'accept'
  readonly watches: readonly WatchDetail[]
}
