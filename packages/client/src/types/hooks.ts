import type { EventType, Store, Storefront } from '../events.ts'

export type SubscribeBody = {
  /** Callback URL with http or https. */
  readonly target_url: string
  readonly store: Store
  /** The store's id: a number for Apple, a package name for Google. */
  readonly app_id: string
  readonly event_type: EventType
  /** Minimum stars of `review.created`, 1 by default. */
  readonly min_stars?: number | null
  /** Maximum stars of `review.created`, 5 by default. */
  readonly max_stars?: number | null
  /** `rating.dropped` fires when the rating falls by at least this, 0 to 4. Requires this or `threshold`. */
  readonly delta?: number | null
  /** `rating.dropped` fires when the rating falls below this, 1 to 5. */
  readonly threshold?: number | null
  /** One storefront. Default: every storefront watched for the app. */
  readonly country?: Storefront | null
  /** `api` by default, or an automation platform that the operator allows. */
  readonly source?: string | null
  /** Your own reference, at most 256 characters. */
  /** Requests also have the headers of CloudEvents 1.0. */
  readonly cloudevents?: boolean | null
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
  'store' | 'app_id' | 'event_type' | 'min_stars' | 'max_stars' | 'delta' | 'threshold' | 'country'
>

/** A change of a hook that was created through the API. Fields that are not given do not change. */
export type HookChange = {
  readonly target_url?: string
  readonly name?: string | null
  readonly description?: string | null
  /** Maximum requests per second; null for no limit. */
  readonly rate_per_second?: number | null
  readonly cloudevents?: boolean | null
  /** All watches of the hook; one that it has already does not change. */
  readonly watches?: readonly WatchBody[]
}

/** A rule of a hook. */
export type Watch = {
  readonly store: Store
  readonly app_id: string
  readonly event_type: EventType
  /** Null means every storefront watched for the app. */
  readonly country: Storefront | null
  readonly min_stars: number
  readonly max_stars: number
  readonly delta: number | null
  readonly threshold: number | null
}

export type WatchDetail = Watch & {
  /** The watch set that created the watch. */
  readonly watch_set_id: string | null
}

/** A rule of a hook for several apps. `all`: every app of the account, also those that are added later. */
export type WatchSetBody = {
  readonly apps: 'all' | readonly AppOfSet[]
  readonly event_type: EventType
  /** As in `SubscribeBody`. */
  readonly min_stars?: number | null
  readonly max_stars?: number | null
  readonly delta?: number | null
  readonly threshold?: number | null
  readonly country?: Storefront | null
}

export type AppOfSet = { readonly store: Store; readonly app_id: string }

export type WatchSet = {
  readonly id: string
  readonly apps: 'all' | readonly AppOfSet[]
  readonly event_type: EventType
  /** Null covers every storefront watched for each app. */
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
  /** Requests have the headers of CloudEvents 1.0. */
  readonly cloudevents: boolean
  readonly watches: readonly WatchDetail[]
}
