import type { Instant, WithInstants } from '../../runtime/instant.ts'
import type { DeliveryFilter, DeliveryView, Page } from './deliveries.ts'

/** Dead letters are the unresolved deliveries with status `dead`; they have no table of their own. */
export type DeadFilter = Pick<
  DeliveryFilter,
  'hookId' | 'appId' | 'store' | 'eventType' | 'reason' | 'httpStatus' | 'since' | 'until'
>

/**
 * The events that one hook lost since a time: its dead letters and, with `delivered`, also the events that it accepted.
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
  /** How many of them were queued again so far. */
  readonly queued: number
  /** Outcomes so far of the queued ones. */
  readonly delivered: number
  readonly deadAgain: number
  readonly ratePerSecond: number
  readonly createdAt: Date
  readonly finishedAt: Date | null
}

export type NewReplay = WithInstants<
  Pick<Replay, 'id' | 'accountId' | 'filter' | 'ratePerSecond' | 'createdAt'>
>

/** With `accountId` null all accounts, for the operator's command. */
export type DeadLetterStorage = {
  readonly list: (accountId: string | null, filter: DeadFilter, page: Page) => Promise<DeliveryView[]>
  readonly count: (accountId: string | null, filter: DeadFilter) => Promise<number>
  readonly countByReason: (
    accountId: string | null,
    filter: DeadFilter,
  ) => Promise<{ readonly reason: string; readonly count: number }[]>
  /**
   * Queues dead letters again, due at once, on a new schedule, with the same event id and bytes. Returns how many it
   * queued. It closes open breakers of their hooks, since a manual replay means that the target was repaired. It skips
   * unknown ids, ids of other accounts, deliveries that are not dead, and those of gone or deleted hooks.
   */
  readonly replay: (
    accountId: string | null,
    eventIds: readonly string[],
    now: Instant,
    expireAfterMs: number,
  ) => Promise<number>
  /** All 0 for a hook that is gone or deleted. */
  readonly countRecoverable: (accountId: string, hookId: string, since: Date) => Promise<Recoverable>
  /** Marks as resolved without sending. Returns how many. */
  readonly discard: (accountId: string | null, eventIds: readonly string[], now: Instant) => Promise<number>

  /**
   * Stores jobs, each for all deliveries that match now, without those of gone or deleted hooks and without later ones.
   * Throws `LimitReached`, and stores none, when an account would have more than `openMax` running or paused ones; the
   * same commit counts them.
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
    now: Instant,
  ) => Promise<Replay | null>
  /** Runs one step of every due job in one commit, for at most one second of its rate. Returns how many it queued. */
  readonly advanceReplays: (now: Instant, expireAfterMs: number) => Promise<number>
}
