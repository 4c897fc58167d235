import type { Hook, HookWithWatches, SealedSecret, Watch } from '../../model/hook.ts'
import type { Store, Storefront } from '../../model/vocabulary.ts'

export type WatchedApp = {
  readonly store: Store
  readonly appId: string
  readonly storefront: Storefront
  /** Null until a store told us. */
  readonly name: string | null
}

/** How much one account may have. A storefront counts once for each app that is tracked in it. */
export type AccountLimits = { readonly hooksMax: number; readonly storefrontsMax: number }

/** Makes a create repeatable: with the same key the account gets the first answer again, and no second hook. */
export type IdempotencyKey = {
  readonly keySha256Hex: string
  /** Of what was asked, to tell a repetition from a mistake. */
  readonly requestSha256Hex: string
  /** To be kept for repetitions; sealed, because it holds the secret. */
  readonly answer: string
  readonly expiresAt: Date
}

export type Created =
  | { readonly kind: 'created' }
  /** The key was used before: what was asked then, and its answer. Nothing was made. */
  | { readonly kind: 'repeated'; readonly requestSha256Hex: string; readonly answer: string }

/**
 * Hooks and their watches. Every method takes the account first and sees nothing of another's. Each change also
 * settles which feeds are polled, in the same commit: feeds newly needed are due at once (before everything that is
 * merely due), feeds nobody needs leave the poll set and lose their baseline, their seen reviews stay. A subscribe to
 * an app whose feeds exist makes those due at once that were not polled in the last minute.
 *
 * A change that is given `limits` throws `LimitReached` when it takes the account beyond one: counted in its commit, so
 * that of two changes at once none gets past. What an account has beyond a limit that was lowered stays.
 */
export type HookStorage = {
  readonly create: (
    hook: Hook,
    watches: readonly Watch[],
    options?: { readonly limits?: AccountLimits; readonly once?: IdempotencyKey },
  ) => Promise<Created>
  readonly get: (accountId: string, id: string) => Promise<HookWithWatches | null>
  /** Oldest first. Deleted ones are not there. */
  readonly list: (accountId: string) => Promise<HookWithWatches[]>
  /** Of all accounts, oldest first: the operator's command. */
  readonly listAll: () => Promise<HookWithWatches[]>
  /** Tears down the hook, its watches and its waiting deliveries. False when the account has no such hook. */
  readonly remove: (accountId: string, id: string, now: Date) => Promise<boolean>
  /**
   * Pause holds what is pending, resume (also of a `gone` hook) releases it in order. Null when the account has no
   * such hook.
   */
  readonly setStatus: (
    accountId: string,
    id: string,
    status: 'active' | 'paused',
    now: Date,
  ) => Promise<HookWithWatches | null>
  /** Null when the account has no such hook. An absent field stays as it is. */
  readonly update: (
    accountId: string,
    id: string,
    change: {
      readonly targetUrl?: string
      readonly ratePerSecond?: number | null
      readonly secrets?: readonly SealedSecret[]
    },
  ) => Promise<HookWithWatches | null>
  /** False when the account has no such hook. */
  readonly addWatch: (accountId: string, watch: Watch, limits?: AccountLimits) => Promise<boolean>
  /** A changed rule looks forward only from its new `createdAt`. False when the account has no such watch. */
  readonly updateWatch: (accountId: string, watch: Watch, limits?: AccountLimits) => Promise<boolean>
  readonly removeWatch: (accountId: string, hookId: string, watchId: string, now: Date) => Promise<boolean>

  /** The storefronts ticked in the console for one app become exactly these; none stops following it. */
  readonly follow: (
    accountId: string,
    app: { readonly store: Store; readonly appId: string },
    storefronts: readonly Storefront[],
    now: Date,
    limits?: AccountLimits,
  ) => Promise<void>
  /** Ticked storefronts plus those that watches need (DESIGN 5.1), each once, by store, app id and order of SPEC 2.4. */
  readonly watchedApps: (accountId: string) => Promise<WatchedApp[]>
}
