import type { Store, Storefront } from '../events.ts'

export type ConnectionKind = 'appstoreconnect' | 'googleplay-developer'
/** `unknown`: only the first use shows it. */
export type StoreRight = 'granted' | 'denied' | 'unknown'

/** Credentials of the account for the official interface of a store, without the keys. */
export type StoreConnection = {
  id: string
  kind: ConnectionKind
  store: Store
  name: string
  /** Apple's key id, or the address of a service account. */
  subject: string
  created_at: string
  rotated_at: string | null
  checked_at: string
  /** Why the last test failed; null if it succeeded. */
  problem: string | null
  warnings: string[]
  rights: { read_reviews: StoreRight; reply: StoreRight; history: StoreRight }
  apps: {
    app_id: string
    name: string | null
    bundle_id: string | null
    /** Storefronts that the account watches. */
    countries: Storefront[]
    /** The store connection from which the account's reviews of the app come, this one or another; null: the public pages. */
    source_connection_id: string | null
    /** Null: the account's reviews of the app do not come from this connection. */
    source: {
      state: 'switching' | 'official'
      since: string
      last_ok_at: string | null
      problem: string | null
    } | null
    /** The history import: all reviews that the store has; null if none was started. */
    history: StoreHistory | null
  }[]
}

export type StoreHistory = {
  /** `stopped` and `failed` ones continue when they are started again. */
  state: 'running' | 'done' | 'stopped' | 'failed'
  started_at: string
  updated_at: string
  /** Reviews read so far. */
  reviews: number
  /** New reviews among them. */
  added: number
  ratings_only: number
  malformed: number
  /** 0 to 100; null until the total is known. */
  percent: number | null
  problem: string | null
}

export type StoreCredentials = {
  kind: ConnectionKind
  /** App Store Connect: null for an individual key. */
  issuer_id?: string | null | undefined
  key_id?: string | null | undefined
  /** App Store Connect: the content of the `.p8` file. */
  private_key?: string | null | undefined
  /** Google Play: the JSON key file of the service account, as text. */
  service_account?: string | null | undefined
  reports_bucket?: string | null | undefined
  /** Google Play: the package names. */
  app_ids?: string[] | null | undefined
}

export type NewStoreConnection = StoreCredentials & { name?: string | undefined }

export type StoreConnectionChange = {
  name?: string | undefined
  reports_bucket?: string | null | undefined
  app_ids?: string[] | undefined
}
