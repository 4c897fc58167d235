import type { Attempt, Delivery } from '../../model/delivery.ts'
import type { SealedSecret } from '../../model/hook.ts'
import type { HookOptions } from '../../model/hook-options.ts'
import type { MessageSchedule } from '../../model/message-schedule.ts'
import type { TargetType } from '../../model/target.ts'
import type { DeadReason, HookStatus } from '../../model/vocabulary.ts'
import type { Instant } from '../../runtime/instant.ts'

/**
 * A lane is the queue of one hook's deliveries. Claims serve lanes in rotation, so that no backlog starves another hook.
 * `health` is the sender's state (breaker, rate limit), opaque to storage.
 */
export type Lane = {
  readonly hookId: string
  readonly accountId: string
  /** Host and port of the target, for the limit per host. */
  readonly host: string
  readonly source: string
  readonly targetType: TargetType
  readonly ratePerSecond: number | null
  readonly messageSchedule: MessageSchedule | null
  /** JSON that the sender wrote last; null before that. */
  readonly health: string | null
}

/** How many deliveries this claim may take from a lane. */
export type Allocation = {
  readonly take: number
  /** Postpones the lane until then, e.g. while its breaker is open; null for no change. */
  readonly notBefore: Instant | null
  /** Absent: unchanged. */
  readonly health?: string
}

export type ClaimedDelivery = HookOptions & {
  readonly seq: number
  readonly lease: string
  readonly eventId: string
  readonly hookId: string
  readonly accountId: string
  readonly source: string
  readonly targetType: TargetType
  readonly targetUrl: string
  /** Sealed for the hook's id; null for a webhook. */
  readonly targetSettings: string | null
  readonly host: string
  readonly secrets: readonly SealedSecret[]
  /** Ids of the recipients of mails who unsubscribed. */
  readonly unsubscribed: readonly string[]
  /** Ids of the recipients that accepted the mail of this delivery in earlier attempts. */
  readonly acceptedBy: readonly string[]
  /** One message shows all deliveries of the hook in the claim. */
  readonly inOneMessage: boolean
  readonly body: string
  /** Attempts made before this one. */
  readonly attempts: number
  readonly dueAt: Date
  readonly createdAt: Date
  /** The end of its retry schedule. It is not postponed beyond that. */
  readonly expiresAt: Date
  readonly replayId: string | null
}

export type NextStep =
  | { readonly status: 'delivered' }
  | {
      readonly status: 'pending'
      readonly dueAt: Instant
      /**
       * By how much `Retry-After` lengthened this wait. The end of the retry schedule moves by the same time. Absent:
       * 0.
       */
      readonly lengthenedByMs?: number
    }
  | { readonly status: 'dead'; readonly reason: DeadReason }

export type Settled = {
  readonly delivery: ClaimedDelivery
  readonly attempt: Attempt
  readonly next: NextStep
  /** Ids of all recipients that have accepted the mail so far. A delivered one forgets them. Absent: no change. */
  readonly acceptedBy?: readonly string[]
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

/** The change of a lane after its attempts, in order. */
export type LaneChange = {
  /** Null for no change, which saves a write. */
  readonly health: string | null
  /** Until when its breaker is open. Null for no change; a past instant makes the lane ready. */
  readonly notBefore: Instant | null
  readonly notices: readonly NewNotice[]
  /** The target was turned off (410): the hook stops, and its pending deliveries become dead letters. */
  readonly gone: boolean
}

/** The number of each. */
export type SweptEnded = { readonly dead: number; readonly dropped: number }

/** A test event as it was sent. */
export type RecordedTest = {
  readonly attempt: Attempt
  readonly body: string
  /** The number of the stored review that it shows, and with which it is deleted; null: an invented one. */
  readonly reviewSeq: number | null
}

export type DeliveryStorage = {
  /**
   * Leases due deliveries. Reads up to `lanesMax` ready lanes, longest waiting first, without `busyHooks` and `busyHosts`. The synchronous
   * `allocate` returns how many to take from each (absent: none); its `now` is that of the request by storage's clock. Takes that many,
   * oldest due first; with `firstAttemptsOnly` only deliveries without an attempt. A claimed delivery is due again when its lease ends, and
   * its attempt counts when it is settled. No two callers get the same one.
   */
  readonly claim: (
    request: {
      readonly now: Instant
      readonly lease: string
      readonly leaseMs: number
      readonly limit: number
      readonly lanesMax: number
      readonly busyHooks: readonly string[]
      readonly busyHosts: readonly string[]
      readonly firstAttemptsOnly: boolean
    },
    allocate: (lanes: readonly Lane[], now: Instant) => ReadonlyMap<string, Allocation>,
  ) => Promise<ClaimedDelivery[]>
  /** Releases claims: due again at once, without counting an attempt. */
  readonly release: (deliveries: readonly ClaimedDelivery[]) => Promise<void>
  /**
   * The commit of sending: attempts, new states, lanes, notices. A delivery with another lease or number of attempts keeps its state, but
   * its attempt is recorded, because the request was made. `mayBeStored`: an earlier call with some of these may have been committed
   * although it threw. Results whose attempt is already recorded are then skipped, also for `change`.
   */
  readonly settle: (
    settled: readonly Settled[],
    now: Instant,
    change: (lane: Lane, settled: readonly Settled[], now: Instant) => LaneChange,
    mayBeStored?: boolean,
  ) => Promise<void>
  /** Records an attempt without a delivery. Stores the newest 20 of a hook. Does nothing when the review that it shows is gone. */
  readonly recordTest: (accountId: string, hookId: string, test: RecordedTest) => Promise<void>
  /** Recorded tests of a hook with the bytes they sent, newest first. */
  readonly tests: (
    accountId: string,
    hookId: string,
  ) => Promise<{ readonly attempt: Attempt; readonly body: string }[]>

  /** Makes pending deliveries of gone hooks dead letters and deletes those of deleted hooks. At most `limit`. */
  readonly sweepEnded: (now: Instant, limit: number) => Promise<SweptEnded>
  /**
   * Makes deliveries that a breaker held back beyond their `expiresAt` dead letters (`expired`), at most `limit`.
   * Returns how many. After a pause, a delivery has at least `expireAfterMs` from the time at which its hook was
   * resumed.
   */
  readonly sweepExpired: (now: Instant, expireAfterMs: number, limit: number) => Promise<number>

  /**
   * Queues a delivered one again, due at once, on a new schedule, with the same event id and bytes. False when the
   * account has no delivery with this id, it is not delivered, or its hook is gone or deleted.
   */
  readonly sendAgain: (
    accountId: string,
    eventId: string,
    now: Instant,
    expireAfterMs: number,
  ) => Promise<boolean>
  /**
   * Makes a pending delivery due at `now`, before all others of its hook. False when the account has no delivery with
   * this id, it is not pending or is being sent, or its hook is paused, gone or deleted.
   */
  readonly retryNow: (accountId: string, eventId: string, now: Instant) => Promise<boolean>
  /** `retryNow` of several deliveries in one commit. Returns those that it brought forward. */
  readonly retryEachNow: (
    accountId: string,
    eventIds: readonly string[],
    now: Instant,
  ) => Promise<readonly { readonly eventId: string; readonly hookId: string }[]>
  /**
   * Makes the pending deliveries of these hooks due at `now`, at most `limit` in all, in the order of the hooks. Returns
   * the number by hook, without hooks that had none. It skips deliveries that are due or being sent, and hooks that are
   * paused, gone, deleted or of another account.
   */
  readonly retryPending: (
    accountId: string,
    hookIds: readonly string[],
    now: Instant,
    limit: number,
  ) => Promise<ReadonlyMap<string, number>>
  /** Changes the sender's state of lanes in one commit. Skips hooks that the account does not have. */
  readonly changeLanes: (
    accountId: string,
    hookIds: readonly string[],
    now: Instant,
    change: (lane: Lane, now: Instant) => LaneChange,
  ) => Promise<void>
  readonly get: (accountId: string, eventId: string) => Promise<DeliveryView | null>
  /**
   * The market in which each occurrence was seen first, by its id: a storefront, or a language for Google reviews.
   * Unknown ones are absent.
   */
  readonly markets: (occurrenceIds: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** Attempts of a delivery, oldest first. */
  readonly attempts: (accountId: string, eventId: string) => Promise<Attempt[]>
  /**
   * Events after a number, in the order of their numbers, with any state of their deliveries. No later call finds an
   * event at or before `end`, so a reader that continues there misses none. `end` equals `after` when there is no new
   * event. It is lower when `after` was never assigned, e.g. after a restore from a backup.
   */
  readonly eventsAfter: (
    accountId: string,
    filter: EventFilter,
    page: { readonly limit: number; readonly after: number },
  ) => Promise<EventPage>
  /** Newest first, or oldest first with `after`. Both are the `seq` of the last row of the previous page. */
  readonly list: (
    accountId: string,
    filter: DeliveryFilter,
    page: Page | OldestFirstPage,
  ) => Promise<DeliveryView[]>
}

export type DeliveryView = Delivery & {
  readonly hookStatus: HookStatus | 'deleted'
  readonly hookName: string | null
  readonly targetType: TargetType
  readonly targetUrl: string
  readonly body: string
}

export type EventFilter = Pick<DeliveryFilter, 'hookId' | 'appId' | 'store' | 'eventType'>
/** `body`: the bytes that every attempt sends. */
export type EventPage = {
  readonly events: readonly { readonly seq: number; readonly body: string }[]
  readonly end: number
}

export type Page = { readonly limit: number; readonly before: number | null }
export type OldestFirstPage = { readonly limit: number; readonly after: number | null }

/** An absent part does not filter. */
export type DeliveryFilter = {
  readonly hookId?: string | undefined
  readonly appId?: string | undefined
  readonly store?: string | undefined
  readonly eventType?: string | undefined
  readonly status?: string | undefined
  /** Only of paused hooks. Not for counts, bulk replays and dead letters. */
  readonly ofPausedHooks?: true
  /** Last failure or dead reason. */
  readonly reason?: string | undefined
  readonly httpStatus?: number | undefined
  /** Created within [since, until). */
  readonly since?: Date | undefined
  readonly until?: Date | undefined
  readonly occurrenceId?: string
}
