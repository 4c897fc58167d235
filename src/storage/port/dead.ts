import type { DeliveryFilter, DeliveryView, Page } from './deliveries.ts'

/** Dead letters are deliveries with status `dead` that nobody resolved: a query, not another place. */
export type DeadFilter = Pick<
  DeliveryFilter,
  'hookId' | 'appId' | 'store' | 'eventType' | 'reason' | 'httpStatus' | 'since' | 'until'
>

export const REPLAY_STATUSES = ['running', 'paused', 'cancelled', 'done'] as const
export type ReplayStatus = (typeof REPLAY_STATUSES)[number]

/** A bulk replay: a stored job that survives a restart. */
export type Replay = {
  readonly id: string
  readonly accountId: string
  readonly filter: DeadFilter
  readonly status: ReplayStatus
  /** Dead letters that matched when it was made. */
  readonly total: number
  /** Of those, how many were put back on the queue so far. */
  readonly queued: number
  /** Outcome so far of those queued. */
  readonly delivered: number
  readonly deadAgain: number
  readonly ratePerSecond: number
  readonly createdAt: Date
  readonly finishedAt: Date | null
}

/** `accountId` null is the operator's command, over all accounts. */
export type DeadStorage = {
  readonly list: (accountId: string | null, filter: DeadFilter, page: Page) => Promise<DeliveryView[]>
  readonly count: (accountId: string | null, filter: DeadFilter) => Promise<number>
  readonly countByReason: (
    accountId: string | null,
    filter: DeadFilter,
  ) => Promise<{ readonly reason: string; readonly count: number }[]>
  /**
   * Puts dead letters back on the queue, due at once, on a fresh schedule, with the same event id and bytes; a breaker
   * that is open over them closes, for whoever sends by hand has mended the target. Unknown ids, ids of others, letters
   * that are not dead and those whose hook is gone or deleted (nobody would send them) are left out. How many were put back.
   */
  readonly replay: (
    accountId: string | null,
    eventIds: readonly string[],
    now: Date,
    giveUpAfterMs: number,
  ) => Promise<number>
  /** Marks as resolved without sending. How many. */
  readonly discard: (accountId: string | null, eventIds: readonly string[], now: Date) => Promise<number>

  /**
   * Stores a job over all that match now, without those whose hook is gone or deleted; dead letters that come later
   * are not part of it.
   */
  readonly createReplay: (
    replay: Pick<Replay, 'id' | 'accountId' | 'filter' | 'ratePerSecond' | 'createdAt'>,
  ) => Promise<Replay>
  readonly getReplay: (accountId: string, id: string) => Promise<Replay | null>
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
   * One step of every running job whose time has come: at most one second's worth each, in one commit. How many
   * dead letters were put back.
   */
  readonly advanceReplays: (now: Date, giveUpAfterMs: number) => Promise<number>
}
