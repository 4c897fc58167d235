import type { Hook, HookWithWatches, SealedSecret, Watch, WatchSet } from '../../model/hook.ts'
import type { HookStatus, Store, Storefront } from '../../model/vocabulary.ts'

export type WatchedApp = {
  readonly store: Store
  readonly appId: string
  readonly storefront: Storefront
  /** Null until a store's answer has it. */
  readonly name: string | null
}

/** Limits of one account. A storefront counts once for each app that is tracked in it. */
export type AccountLimits = { readonly hooksMax: number; readonly storefrontsMax: number }

/** The limits of one account, and of watches per hook. A watch set counts as one watch. */
export type WatchLimits = AccountLimits & { readonly watchesMax: number }

/**
 * Replaces the watches of a hook, except those of its sets. `from` returns the new ones from the stored ones: those with the id of a stored
 * one stay as they are, others match from their `createdAt` on.
 */
export type WatchReplacement = {
  readonly at: Date
  readonly from: (stored: readonly Watch[]) => readonly Watch[]
}

/** Makes a create idempotent: with the same key the account gets the first answer again, and no second hook. */
export type IdempotencyKey = {
  readonly keySha256Hex: string
  /** Hash of the request, to distinguish a repetition from another request. */
  readonly requestSha256Hex: string
  /** The answer to store for repetitions; sealed, because it contains the secret. */
  readonly answer: string
  readonly expiresAt: Date
}

export type Created =
  | { readonly kind: 'created' }
  /** The key was used before: that request's hash and answer. Nothing was created. */
  | { readonly kind: 'repeated'; readonly requestSha256Hex: string; readonly answer: string }

/**
 * Hooks and their watches. Every method takes the account first and reads nothing of other accounts. Each change
 * also updates which feeds are polled, in the same commit: newly needed feeds are due at once, before all others; feeds
 * without a watch leave the poll set and lose their baseline, but keep their seen reviews. A subscribe to an app whose
 * feeds exist makes those due at once that were not polled in the last minute.
 *
 * A watch set of all apps has one watch per app that the account tracks or has another watch for. Each change of those apps
 * adds and removes watches of such sets in the same commit; a new watch matches occurrences from then on. The watch of a set
 * changes and ends with its set only.
 *
 * A change with `limits` throws `LimitReached` when it would take the account beyond one. The count is part of the commit,
 * so concurrent changes cannot exceed it. After a limit was lowered the account keeps what it has.
 */
export type HookStorage = {
  readonly create: (
    hook: Hook,
    watches: readonly Watch[],
    options?: {
      readonly limits?: AccountLimits
      readonly idempotencyKey?: IdempotencyKey
      readonly watchSets?: readonly WatchSet[]
    },
  ) => Promise<Created>
  /**
   * Adds the watches to the account's inbox, without those of an app and event type that it watches already. `hook` becomes
   * the inbox of an account that has none. Returns the id of the inbox.
   */
  readonly addToInbox: (hook: Hook, watches: readonly Watch[], limits?: WatchLimits) => Promise<string>
  readonly get: (accountId: string, id: string) => Promise<HookWithWatches | null>
  /** Oldest first, without deleted ones. */
  readonly list: (accountId: string) => Promise<HookWithWatches[]>
  /** Of all accounts, oldest first: the operator's command. */
  readonly listAll: () => Promise<HookWithWatches[]>
  /** Deletes the hook, its watches and its pending deliveries. False when the account has no such hook. */
  readonly remove: (accountId: string, id: string, now: Date) => Promise<boolean>
  /**
   * Pause holds pending deliveries back, resume (also of a `gone` hook) releases them in order. Null when the account has no
   * such hook.
   */
  readonly setStatus: (
    accountId: string,
    id: string,
    status: 'active' | 'paused',
    now: Date,
  ) => Promise<HookWithWatches | null>
  /**
   * `setStatus` of several hooks in one commit. Returns the status after it of those that the account has; a `gone` hook is not
   * paused.
   */
  readonly setStatuses: (
    accountId: string,
    ids: readonly string[],
    status: 'active' | 'paused',
    now: Date,
  ) => Promise<ReadonlyMap<string, { readonly before: HookStatus; readonly after: HookStatus }>>
  /** Null when the account has no such hook. An absent field is not changed. */
  readonly update: (
    accountId: string,
    id: string,
    change: {
      readonly targetUrl?: string
      readonly name?: string | null
      readonly description?: string | null
      readonly ratePerSecond?: number | null
      readonly cloudEvents?: boolean
      /** From the stored ones, in this commit: concurrent rotations keep each other's secrets. */
      readonly secrets?: (stored: readonly SealedSecret[]) => readonly SealedSecret[]
      readonly watches?: WatchReplacement
    },
    limits?: AccountLimits,
  ) => Promise<HookWithWatches | null>
  /** False when the account has no such hook. */
  readonly addWatch: (accountId: string, watch: Watch, limits?: WatchLimits) => Promise<boolean>
  /** A changed rule matches occurrences from its new `createdAt` on. False when the account has no such watch. */
  readonly updateWatch: (accountId: string, watch: Watch, limits?: AccountLimits) => Promise<boolean>
  readonly removeWatch: (accountId: string, hookId: string, watchId: string, now: Date) => Promise<boolean>

  /** Adds the set with its watches. False when the account has no such hook. */
  readonly addWatchSet: (accountId: string, set: WatchSet, limits?: WatchLimits) => Promise<boolean>
  /**
   * Its watches follow the set. If the filter is the same, watches of apps that stay are not changed; the others match
   * occurrences from the new `createdAt` on. False when the account has no such set.
   */
  readonly updateWatchSet: (accountId: string, set: WatchSet, limits?: AccountLimits) => Promise<boolean>
  /** Removes the set with its watches. */
  readonly removeWatchSet: (accountId: string, hookId: string, setId: string, now: Date) => Promise<boolean>

  /** Replaces the tracked storefronts of an app; an empty list stops tracking it. */
  readonly trackStorefronts: (
    accountId: string,
    app: { readonly store: Store; readonly appId: string },
    storefronts: readonly Storefront[],
    now: Date,
    limits?: AccountLimits,
  ) => Promise<void>
  /** Tracked storefronts plus those that watches need (docs/contract.md, Hooks), each once, by store, app id and order of docs/contract.md, Storefronts. */
  readonly watchedApps: (accountId: string) => Promise<WatchedApp[]>
}
