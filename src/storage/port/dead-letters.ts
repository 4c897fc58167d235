import type { DeliveryFilter, DeliveryView, Page } from './deliveries.ts'

/** Dead letters are unresolved deliveries with status `dead`: a query, not another table. */
export type DeadFilter = Pick<
  DeliveryFilter,
  'hookId' | 'appId' | 'store' | 'eventType' | 'reason' | 'httpStatus' | 'since' | 'until'
>

/**
 * What one hook lost since a time: its dead letters of that time on and, with `delivered`, also what it accepted then.
 */
export type RecoveryFilter = {
  readonly hookId: string
  readonly recoverSince: Date
  readonly delivered: boolean
}

export type ReplayFilter = DeadFilter | RecoveryFilter

/** How many of a hook's events are pending, and how many became dead letters or were delivered since a time. */
export type Recoverable = { readonly pending: number; readonly dead: number; readonly delivered: number }

export const REPLAY_STATUSES = ['running', 'paused', 'cancelled', 'done'] as const
export type ReplayStatus = (typeof REPLAY_STATUSES)[number]

/** A bulk replay: a stored job that survives a restart. */
export type Replay = {
  readonly id: string
  readonly accountId: string
  readonly filter: ReplayFilter
  readonly status: ReplayStatus
  /** Dead letters, and delivered events of a recovery, that matched at its creation. */
  readonly total: number
  /** How many of them are on the queue again so far. */
  readonly queued: number
  /** Outcomes so far of the queued ones. */
  readonly delivered: number
  readonly deadAgain: number
  readonly ratePerSecond: number
  readonly createdAt: Date
  readonly finishedAt: Date | null
}

export type NewReplay = Pick<Replay, 'id' | 'accountId' | 'filter' | 'ratePerSecond' | 'createdAt'>

/** With `accountId` null all accounts, for the operator's command. */
export type DeadLetterStorage = {
  readonly list: (accountId: string | null, filter: DeadFilter, page: Page) => Promise<DeliveryView[]>
  readonly count: (accountId: string | null, filter: DeadFilter) => Promise<number>
  readonly countByReason: (
    accountId: string | null,
    filter: DeadFilter,
  ) => Promise<{ readonly reason: string; readonly count: number }[]>
  /**
   * Queues dead letters again, due at once, on a new schedule, with the same event id and bytes. An open breaker of their
   * hooks closes, since a replay by hand means that the target was repaired. Left out: unknown ids, ids of other accounts,
   * deliveries that are not dead, and those of gone or deleted hooks. Returns how many were queued.
   */
  readonly replay: (
    accountId: string | null,
    eventIds: readonly string[],
    now: Date,
    expireAfterMs: number,
  ) => Promise<number>
  /** Of a hook that is neither gone nor deleted: else none. */
  readonly countRecoverable: (accountId: string, hookId: string, since: Date) => Promise<Recoverable>
  /** Marks as resolved without sending. Returns how many. */
  readonly discard: (accountId: string | null, eventIds: readonly string[], now: Date) => Promise<number>

  /**
   * Stores jobs, each over all that match now, without those of gone or deleted hooks; what dies or is delivered later is not
   * part of it. Throws `LimitReached`, and stores none, when an account would have more than `openMax` running or paused
   * ones; the count is part of the commit.
   */
  readonly createReplays: (replays: readonly NewReplay[], openMax?: number) => Promise<Replay[]>
  readonly getReplay: (accountId: string | null, id: string) => Promise<Replay | null>
  /** Newest first. */
  readonly listReplays: (accountId: string | null, limit: number) => Promise<Replay[]>
  /** Pause, resume or cancel. Null when there is no such job, or it has ended. */
  readonly setReplayStatus: (
    accountId: string | null,
    id: string,
    status: 'running' | 'paused' | 'cancelled',
    now: Date,
  ) => Promise<Replay | null>
  /**
   * One step of every due job: at most one second's worth each, in one commit. Returns how many were queued.
   */
  readonly advanceReplays: (now: Date, expireAfterMs: number) => Promise<number>
}
