import type { HookOptions } from './hook-options.ts'
import type { Unsubscribed } from './mail-recipient.ts'
import type { MessageSchedule } from './message-schedule.ts'
import type { TargetType } from './target.ts'
import type { EventType, HookStatus, Sentiment, Severity, Store, Storefront, Theme } from './vocabulary.ts'

/**
 * Filters of a watch for reviews besides its range of stars (docs/contract.md, Filters of reviews). An absent filter
 * matches everything. A list has at least one value, of which any may match.
 */
export type WatchRules = {
  /** Words or phrases of which title, body or English summary must contain one. */
  readonly keywords?: readonly string[]
  /** Words or phrases of which they must contain none. */
  readonly excludedKeywords?: readonly string[]
  /** Exact versions of the app, or prefixes that end in `*`. */
  readonly appVersions?: readonly string[]
  readonly languages?: readonly string[]
  readonly sentiments?: readonly Sentiment[]
  readonly themes?: readonly Theme[]
  readonly severities?: readonly Severity[]
  readonly isBugReport?: boolean
  readonly isFeatureRequest?: boolean
  readonly mentionsCompetitor?: boolean
  /** Names of competitors, ignoring case. */
  readonly competitors?: readonly string[]
}

/** What makes a spike of negative reviews (docs/contract.md, Spikes). */
export type SpikeLimits = {
  readonly minReviews: number
  /** How many times the usual number per hour. */
  readonly factor: number
}

/** Which occurrences of an app a watch matches. Deltas and thresholds are whole millionths of a star. */
export type WatchFilter = {
  readonly eventType: EventType
  /** In the order of docs/contract.md, Storefronts. Null covers every storefront that the account watches for the app. */
  readonly storefronts: readonly Storefront[] | null
  readonly minStars: number
  readonly maxStars: number
  readonly deltaMicros: number | null
  /** The window of the delta (docs/contract.md, Slow slides); null compares with the last rating. */
  readonly deltaWindowHours: number | null
  readonly thresholdMicros: number | null
  /** Of `reviews.spiked`; null for the other types. */
  readonly spike: SpikeLimits | null
  readonly rules: WatchRules | null
}

export type AppKey = { readonly store: Store; readonly appId: string }

/** The key of an app in maps and sets. */
export function appKeyOf({ store, appId }: AppKey): string {
  return `${store} ${appId}`
}

/** Each app once, in the order of its first occurrence. */
export function uniqueApps(apps: readonly AppKey[]): AppKey[] {
  return [...new Map(apps.map(({ store, appId }) => [appKeyOf({ store, appId }), { store, appId }])).values()]
}

/** A rule under a hook for one app. */
export type Watch = WatchFilter &
  AppKey & {
    readonly id: string
    readonly hookId: string
    readonly accountId: string
    /** The watch set that created the watch; null for a watch of its own. */
    readonly setId: string | null
    readonly createdAt: Date
  }

/** A rule under a hook for several apps. It has one watch per app, with the same filter. */
export type WatchSet = WatchFilter & {
  readonly id: string
  readonly hookId: string
  readonly accountId: string
  /** Null for all apps of the account, also those that are added later. */
  readonly apps: readonly AppKey[] | null
  /** The time of its creation or of the last change of its filter. */
  readonly createdAt: Date
}

/** A signing secret, sealed for storage. */
export type SealedSecret = {
  readonly sealed: string
  /** Null for the current secret. */
  readonly expiresAt: Date | null
}

export type Hook = HookOptions & {
  readonly id: string
  readonly accountId: string
  readonly source: string
  readonly targetType: TargetType
  /** For a type with messages, what may be shown of its settings: scheme and host are real, secret parts are replaced. */
  readonly targetUrl: string
  /** Settings of the message: JSON, sealed for the hook's id. Null for a webhook. */
  readonly targetSettings: string | null
  /** For display; null without one. */
  readonly name: string | null
  readonly description: string | null
  readonly externalRef: string | null
  readonly status: HookStatus
  /** The current secret first, then those within their overlap after a rotation; 1 to 3. */
  readonly secrets: readonly SealedSecret[]
  /** Maximum number of requests per second; null for no limit. */
  readonly ratePerSecond: number | null
  /** When messages are sent; null for at once. Always null for a webhook. */
  readonly messageSchedule: MessageSchedule | null
  /** Recipients of mails who unsubscribed; empty for other types. They stay when the settings change. */
  readonly unsubscribed: readonly Unsubscribed[]
  readonly createdAt: Date
}

/** The display name of a hook is its name or, without one, its URL. */
export type HookName = Pick<Hook, 'name' | 'targetUrl'>

export type HookWithWatches = Hook & {
  /** Oldest first, including those of its watch sets. */
  readonly watches: readonly Watch[]
  /** Oldest first. */
  readonly watchSets: readonly WatchSet[]
}
