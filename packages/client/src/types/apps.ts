import type { Store, Storefront } from '../events.ts'
import type { PageQuery, Period } from './pages.ts'

/** An app in a storefront that the account watches. */
export type WatchedApp = {
  /** `<store>:<app_id>:<country>`. */
  readonly id: string
  /** The app's name in its store, or its ID until the name is known. */
  readonly name: string
  readonly store: Store
  readonly app_id: string
  readonly country: Storefront
}

export type AppSearch = {
  /** A name, store link, ID or package name. */
  readonly q: string
  /** Searches only this store. */
  readonly store?: Store
  /** Storefront to search in; `us` by default. */
  readonly country?: Storefront
}

export type FoundApps = {
  readonly data: readonly {
    readonly store: Store
    readonly app_id: string
    readonly name: string
    readonly developer: string | null
    readonly icon_url: string | null
    readonly rating: number | null
    readonly rating_count: number | null
  }[]
  /** Stores that could not be searched. */
  readonly problems: readonly { readonly store: Store; readonly message: string }[]
}

export type TrackedApp = {
  readonly store: Store
  readonly app_id: string
  readonly name: string | null
  readonly developer: string | null
  readonly icon_url: string | null
  /** Storefronts that the account tracks. */
  readonly countries: readonly Storefront[]
  /** Other storefronts that a hook needs. */
  readonly needed_countries: readonly Storefront[]
  /** The last known aggregate rating per storefront. */
  readonly ratings: readonly {
    readonly country: Storefront
    readonly rating: number
    readonly rating_count: number
  }[]
  readonly reviews_7d: number
  readonly last_review_at: string | null
}

export type TrackBody = { readonly countries: readonly Storefront[] }

/** The aggregate rating of an app in a storefront at a time. */
export type Rating = {
  readonly store: Store
  readonly app_id: string
  readonly country: Storefront
  readonly observed_at: string
  readonly rating: number
  readonly rating_count: number
}

export type RatingQuery = Period &
  PageQuery & {
    readonly store: Store
    readonly app_id: string
    readonly country?: Storefront
  }
