import type { Attempt, Delivery } from '../../model/delivery.ts'
import type { SealedSecret } from '../../model/hook.ts'
import type { DeadReason, HookStatus } from '../../model/vocabulary.ts'

/**
 * A lane is one hook's queue of deliveries. Claims take lanes in turn, so that no backlog starves another hook.
 * `health` is the sender's own state (breaker, rate limit), opaque to storage.
 */
export type Lane = {
  readonly hookId: string
  readonly accountId: string
  /** Host and port of the target, for the limit per host. */
  readonly host: string
  readonly source: string
  readonly ratePerSecond: number | null
  /** JSON the sender wrote last; null for a lane it never wrote. */
  readonly health: string | null
}

/** How many deliveries a lane may give to this claim. */
export type Allotment = {
  readonly take: number
  /** The lane is not looked at again before then, e.g. while its breaker is open; null for no new wait. */
  readonly notBefore: Date | null
  /** Absent leaves it as it is. */
  readonly health?: string
}

export type ClaimedDelivery = {
  readonly seq: number
  readonly lease: string
  readonly eventId: string
  readonly hookId: string
  readonly accountId: string
  readonly source: string
  readonly targetUrl: string
  readonly host: string
  readonly secrets: readonly SealedSecret[]
  readonly body: string
  /** Attempts made before this one. */
  readonly attempts: number
  readonly dueAt: Date
  readonly createdAt: Date
  /** When the wait list would have ended: not deferred past it. */
  readonly giveUpAt: Date
  readonly replayId: string | null
}

export type NextStep =
  | { readonly status: 'delivered' }
  | {
      readonly status: 'pending'
      readonly dueAt: Date
      /** By how much the receiver made this wait longer than the wait list has it: its end moves as far. Absent: 0. */
      readonly lengthenedByMs?: number
    }
  | { readonly status: 'dead'; readonly reason: DeadReason }

export type Settled = {
  readonly delivery: ClaimedDelivery
  readonly attempt: Attempt
  readonly next: NextStep
}

export const NOTICE_KINDS = [
  'failing',
  'recovered',
  'exhausted',
  'breaker_opened',
  'breaker_closed',
  'gone',
] as const
export type NoticeKind = (typeof NOTICE_KINDS)[number]

export type NewNotice = { readonly kind: NoticeKind; readonly detail: string }

/** What the attempts of one lane, in order, make of it. */
export type LaneChange = {
  /** Null leaves it as it is, which spares a write. */
  readonly health: string | null
  /** Until when its breaker is open. Null leaves that as it is; an instant that is not ahead lifts it. */
  readonly notBefore: Date | null
  readonly notices: readonly NewNotice[]
  /** The trigger behind the hook was turned off: it stops, and what is pending becomes dead letters. */
  readonly gone: boolean
}

/** How many of each. */
export type SweptEnded = { readonly dead: number; readonly dropped: number }

export type DeliveryStorage = {
  /**
   * Leases due deliveries. Looks at up to `lanesMax` ready lanes, longest waiting first, leaves out
   * `busyHooks` and `busyHosts`, asks the synchronous `allot` how many each may give (absent: none), and takes that many,
   * oldest due first; with `firstAttemptsOnly` only deliveries never tried. A claimed delivery is due again when its lease ends,
   * and its attempt counts only once it is settled. No two callers get the same one.
   */
  readonly claim: (
    request: {
      readonly now: Date
      readonly lease: string
      readonly leaseMs: number
      readonly limit: number
      readonly lanesMax: number
      readonly busyHooks: readonly string[]
      readonly busyHosts: readonly string[]
      readonly firstAttemptsOnly: boolean
    },
    allot: (lanes: readonly Lane[]) => ReadonlyMap<string, Allotment>,
  ) => Promise<ClaimedDelivery[]>
  /** Gives claims back at no cost: due again at once, no attempt counted. */
  readonly release: (deliveries: readonly ClaimedDelivery[]) => Promise<void>
  /**
   * The commit of sending: attempts, new states, lanes, notices. A delivery whose lease is no longer ours keeps its
   * state; its attempt is recorded all the same, because the request was made. `mayBeStored`: an earlier call with some of these may
   * have been committed although it threw; results whose attempt is recorded already are left out, from `change` too.
   */
  readonly settle: (
    settled: readonly Settled[],
    now: Date,
    change: (lane: Lane, settled: readonly Settled[]) => LaneChange,
    mayBeStored?: boolean,
  ) => Promise<void>
  /** Records an attempt that belongs to no delivery's schedule (the test button). Keeps the newest 20 of a hook. */
  readonly recordTest: (accountId: string, hookId: string, attempt: Attempt, body: string) => Promise<void>
  /** Recorded tests of a hook with the bytes they sent, newest first. */
  readonly tests: (
    accountId: string,
    hookId: string,
  ) => Promise<{ readonly attempt: Attempt; readonly body: string }[]>

  /** Makes dead letters of what is pending under hooks that are gone, and drops what is pending under deleted ones. At most `limit`. */
  readonly sweepEnded: (now: Date, limit: number) => Promise<SweptEnded>
  /**
   * Makes dead letters (`expired`) of deliveries deferred past their `giveUpAt` by a breaker. At most `limit`; how many.
   * What a hook released when it was resumed has `giveUpAfterMs` from then on at least: a pause costs no time.
   */
  readonly sweepExpired: (now: Date, giveUpAfterMs: number, limit: number) => Promise<number>

  /**
   * Puts a delivered one on the queue again, due at once, on a fresh schedule, with the same event id and bytes. False
   * when the account has none with this id, it is not delivered, or its hook is gone or deleted.
   */
  readonly sendAgain: (
    accountId: string,
    eventId: string,
    now: Date,
    giveUpAfterMs: number,
  ) => Promise<boolean>
  readonly get: (accountId: string, eventId: string) => Promise<DeliveryView | null>
  /** Attempts of a delivery, oldest first. */
  readonly attempts: (accountId: string, eventId: string) => Promise<Attempt[]>
  /** Newest first; `before` is the `seq` of the last row of the page before. */
  readonly list: (accountId: string, filter: DeliveryFilter, page: Page) => Promise<DeliveryView[]>
}

export type DeliveryView = Delivery & {
  readonly hookStatus: HookStatus | 'deleted'
  readonly targetUrl: string
  readonly body: string
}

export type Page = { readonly limit: number; readonly before: number | null }

export type DeliveryFilter = {
  readonly hookId?: string
  readonly appId?: string
  readonly store?: string
  readonly eventType?: string
  readonly status?: string
  /** Last failure or dead reason. */
  readonly reason?: string
  readonly httpStatus?: number
  /** Created within [since, until). */
  readonly since?: Date
  readonly until?: Date
  readonly occurrenceId?: string
}
