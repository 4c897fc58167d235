import type { EventType, HookStatus, Store, Storefront } from './vocabulary.ts'

/** Filters of a watch besides its range of stars; absent filters match everything. */
export type WatchRules = {
  readonly languages?: readonly string[]
  readonly sentiments?: readonly string[]
  readonly themes?: readonly string[]
  readonly severities?: readonly string[]
  readonly isBugReport?: boolean
  readonly isFeatureRequest?: boolean
}

/** A rule under a hook. Deltas and thresholds are whole millionths of a star. */
export type Watch = {
  readonly id: string
  readonly hookId: string
  readonly accountId: string
  readonly store: Store
  readonly appId: string
  readonly eventType: EventType
  /** Null covers every storefront that the account watches for the app. */
  readonly storefront: Storefront | null
  readonly minStars: number
  readonly maxStars: number
  readonly deltaMicros: number | null
  readonly thresholdMicros: number | null
  readonly rules: WatchRules | null
  readonly createdAt: Date
}

/** A signing secret, sealed for storage. */
export type SealedSecret = {
  readonly sealed: string /** Null for the current secret. */
  readonly expiresAt: Date | null
}

export type Hook = {
  readonly id: string
  readonly accountId: string
  readonly source: string
  readonly targetUrl: string
  /** For display; null without one. */
  readonly name: string | null
  readonly description: string | null
  readonly externalRef: string | null
  readonly status: HookStatus
  /** The current secret first, then those within their overlap after a rotation; 1 to 3. */
  readonly secrets: readonly SealedSecret[]
  /** Maximum number of requests per second; null for no limit. */
  readonly ratePerSecond: number | null
  readonly createdAt: Date
}

export type HookWithWatches = Hook & { readonly watches: readonly Watch[] }
