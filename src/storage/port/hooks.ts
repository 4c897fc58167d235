import type { AppKey, Hook, HookWithWatches, Watch, WatchSet } from '../../model/hook.ts'
import type { HookUpdate, Unsubscription, WatchReplacement } from '../../model/hook-change.ts'
import type { HookStatus, Store, Storefront } from '../../model/vocabulary.ts'
import type { Instant, WithInstants } from '../../runtime/instant.ts'

export type WatchedApp = {
  readonly store: Store
  readonly appId: string
  readonly storefront: Storefront
  /** Null until a store has returned it. */
  readonly name: string | null
  /** Whether the account gets the app's reviews by its own credentials, from every territory. */
  readonly isConnected: boolean
}

/** Limits of one account. A storefront counts once for each app that is tracked in it. */
export type AccountLimits = { readonly hooksMax: number; readonly storefrontsMax: number }

/** The limits of one account, and of watches per hook. A watch set counts as one watch. */
export type WatchLimits = AccountLimits & { readonly watchesMax: number }

/** Makes a create idempotent: a repeated key returns the first answer and creates no second hook. */
export type IdempotencyKey = {
  readonly keySha256Hex: string
  /** The hash of the request, to distinguish a repetition from another request. */
  readonly requestSha256Hex: string
  /** The answer to store for repetitions; sealed, because it contains the secret. */
  readonly answer: string
  readonly expiresAt: Instant
}

export type Created =
  | { readonly kind: 'created' }
  /** The key was used before: that request's hash and answer. Nothing was created. */
  | { readonly kind: 'repeated'; readonly requestSha256Hex: string; readonly answer: string }

/**
 * Hooks and their watches. The first parameter of every method is the account, and no method reads data of other
 * accounts. Each change also updates the poll set in the same commit. Newly needed feeds are due at once, before all
 * others. Feeds without a watch leave the poll set and lose their baseline, but their seen reviews stay stored. A
 * subscribe to an app with existing feeds makes those due at once that were not polled in the last minute.
 *
 * A watch set of all apps has one watch per app that the account tracks or has another watch for. Each change of those
 * apps also adds and removes watches of such sets in the same commit; a new watch matches occurrences from then on. The
 * watches of a set change and end only with the set.
 *
 * A change with `limits` throws `LimitReached` when it would exceed one. The same commit counts, so concurrent changes
 * cannot exceed a limit. A lowered limit does not remove existing hooks or watches.
 */
export type HookStorage = {
  readonly create: (
    hook: WithInstants<Hook>,
    watches: readonly WithInstants<Watch>[],
    options?: {
      readonly limits?: AccountLimits
      readonly idempotencyKey?: IdempotencyKey
      readonly watchSets?: readonly WithInstants<WatchSet>[]
      /** Called unless the key is repeated, again after a deadlock. When it throws, nothing is created. */
      readonly allow?: () => void
    },
  ) => Promise<Created>
  /**
   * Adds the watches to the account's inbox, without those of an app and event type that it already watches. If the
   * account has no inbox, `hook` becomes its inbox. Returns the id of the inbox.
   */
  readonly addToInbox: (
    hook: WithInstants<Hook>,
    watches: readonly WithInstants<Watch>[],
    limits?: WatchLimits,
  ) => Promise<string>
  readonly get: (accountId: string, id: string) => Promise<HookWithWatches | null>
  /** Oldest first, without deleted ones. */
  readonly list: (accountId: string) => Promise<HookWithWatches[]>
  /** Of all accounts, oldest first: the operator's command. */
  readonly listAll: () => Promise<HookWithWatches[]>
  /** Deletes the hook, its watches and its pending deliveries. False when the account has no such hook. */
  readonly remove: (accountId: string, id: string, now: Instant) => Promise<boolean>
  /**
   * `paused` holds back pending deliveries. `active` releases them in order, also for a `gone` hook. Null when the
   * account has no such hook.
   */
  readonly setStatus: (
    accountId: string,
    id: string,
    status: 'active' | 'paused',
    now: Instant,
  ) => Promise<HookWithWatches | null>
  /**
   * `setStatus` of several hooks in one commit. Returns the status after it of those that the account has; a `gone` hook is not
   * paused.
   */
  readonly setStatuses: (
    accountId: string,
    ids: readonly string[],
    status: 'active' | 'paused',
    now: Instant,
  ) => Promise<ReadonlyMap<string, { readonly before: HookStatus; readonly after: HookStatus }>>
  /**
   * Records that a recipient unsubscribed; a second time changes nothing. Pauses an active hook when all of its recipients have. Null when
   * the account has no such hook.
   */
  readonly unsubscribe: (
    accountId: string,
    id: string,
    unsubscription: WithInstants<Unsubscription>,
  ) => Promise<{ readonly hook: HookWithWatches; readonly isNew: boolean; readonly pauses: boolean } | null>
  /**
   * The recipient gets mails. Resumes a hook that was paused because nobody had confirmed; else it stays paused. Null when the account has
   * no such hook.
   */
  readonly resubscribe: (
    accountId: string,
    id: string,
    subscription: WithInstants<Unsubscription>,
  ) => Promise<{ readonly hook: HookWithWatches; readonly resumes: boolean } | null>
  /** Null when the account has no such hook. */
  readonly update: (
    accountId: string,
    id: string,
    change: HookUpdate & { readonly watches?: WithInstants<WatchReplacement> | undefined },
    limits?: WatchLimits,
  ) => Promise<HookWithWatches | null>
  /** False when the account has no such hook. */
  readonly addWatch: (accountId: string, watch: WithInstants<Watch>, limits?: WatchLimits) => Promise<boolean>
  /** A changed rule matches occurrences from its new `createdAt` on. False when the account has no such watch. */
  readonly updateWatch: (
    accountId: string,
    watch: WithInstants<Watch>,
    limits?: AccountLimits,
  ) => Promise<boolean>
  readonly removeWatch: (accountId: string, hookId: string, watchId: string, now: Instant) => Promise<boolean>

  /** Adds the set with its watches. False when the account has no such hook. */
  readonly addWatchSet: (
    accountId: string,
    set: WithInstants<WatchSet>,
    limits?: WatchLimits,
  ) => Promise<boolean>
  /**
   * Replaces a set and its watches. If the filter is the same, watches of apps that remain are not changed; the others
   * match occurrences from the new `createdAt` on. A set that becomes one of all apps keeps its apps: those that nothing
   * else tracks or watches become tracked. False when the account has no such set.
   */
  readonly updateWatchSet: (
    accountId: string,
    set: WithInstants<WatchSet>,
    limits?: AccountLimits,
  ) => Promise<boolean>
  /**
   * A watch becomes a set of the same hook. If the filter is the same and the set has the app, its watch is kept with its `createdAt` and
   * its last events; all others match occurrences from the `createdAt` of the set on. A set of all apps keeps the app as in
   * `updateWatchSet`. False when the account has no such watch.
   */
  readonly replaceWatchBySet: (
    accountId: string,
    watchId: string,
    set: WithInstants<WatchSet>,
    limits?: AccountLimits,
  ) => Promise<boolean>
  /**
   * A set becomes a watch of the same hook. If the filter is the same and the set has the app, its watch is kept and becomes one of its
   * own; `watch` is stored otherwise. False when the account has no such set.
   */
  readonly replaceSetByWatch: (
    accountId: string,
    setId: string,
    watch: WithInstants<Watch>,
    limits?: AccountLimits,
  ) => Promise<boolean>
  /** Removes the set with its watches. */
  readonly removeWatchSet: (
    accountId: string,
    hookId: string,
    setId: string,
    now: Instant,
  ) => Promise<boolean>

  /** Replaces the tracked storefronts of an app; an empty list stops tracking it. */
  readonly trackStorefronts: (
    accountId: string,
    app: { readonly store: Store; readonly appId: string },
    storefronts: readonly Storefront[],
    now: Instant,
    limits?: AccountLimits,
  ) => Promise<void>
  /**
   * Stops tracking the app, and removes it from the rules that name it, of hooks with a source that `removesFrom` accepts. A set without
   * another app is removed.
   */
  readonly untrack: (
    accountId: string,
    app: AppKey,
    removesFrom: (source: string) => boolean,
    now: Instant,
  ) => Promise<void>
  /**
   * Tracked storefronts plus those that watches need (docs/contract.md, Hooks), each once, by store, app id and order of docs/contract.md,
   * Storefronts.
   */
  readonly watchedApps: (accountId: string) => Promise<WatchedApp[]>
  /** The same storefronts of one app for all accounts. */
  readonly watchedStorefronts: (app: {
    readonly store: Store
    readonly appId: string
  }) => Promise<Storefront[]>
}
