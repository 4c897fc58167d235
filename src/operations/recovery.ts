import { newId } from '../model/ids.ts'
import { REPLAY_RATE } from '../model/input-limits.ts'
import type { Clock } from '../runtime/clock.ts'
import type { DeadLetterStorage, Recoverable, Replay } from '../storage/port/dead-letters.ts'
import type { DeliveryStorage, DeliveryView, Lane, LaneChange } from '../storage/port/deliveries.ts'
import type { HookStorage } from '../storage/port/hooks.ts'
import { REPLAYS_OPEN_MAX } from './dead-letters/replays.ts'
import { OperationError } from './error.ts'
import { noSuchHook } from './hooks/require-hook.ts'
import { requireInRange } from './in-range.ts'

export type { Recoverable }

/** What people can do to the sender's state of a hook. */
export type LanesByHand = {
  /** An open breaker lets its probe through now. */
  readonly halfOpen: (lane: Lane, now: Date) => LaneChange
  /** The target accepted an event: the breaker closes. */
  readonly accepted: (lane: Lane, now: Date) => LaneChange
}

export type RecoveryDeps = {
  readonly deliveries: Pick<DeliveryStorage, 'get' | 'retryNow' | 'retryPending' | 'changeLane'>
  readonly deadLetters: Pick<DeadLetterStorage, 'countRecoverable' | 'createReplays'>
  readonly hooks: Pick<HookStorage, 'get' | 'listAll'>
  readonly clock: Clock
  readonly lanesByHand: LanesByHand
  readonly wake: () => void
}

export type RecoveryInput = {
  readonly since: Date
  /** Also what the target accepted since then. */
  readonly delivered: boolean
  readonly ratePerSecond: number
}

export type Recovered = {
  /** Pending deliveries whose next attempt was brought forward. */
  readonly retried: number
  /** The bulk replay of the others; null when there are none. */
  readonly replay: Replay | null
}

/**
 * Sending again after a receiver was repaired. A retry by hand is the next attempt, sooner: it counts as one. If the breaker
 * of the hook is open, it lets the retry through as its probe. `accountId` null stands for all accounts, which only the
 * operator's commands may ask for.
 */
export type RecoveryOperations = {
  /** Throws `not_found`, and `conflict` when the delivery is not pending, is being sent, or its hook is not active. */
  readonly retryNow: (accountId: string, eventId: string) => Promise<void>
  /**
   * Brings all pending deliveries of a hook forward; how many were not due. Throws `not_found`, and `conflict` when the
   * hook is not active.
   */
  readonly retryPending: (accountId: string | null, hookId: string) => Promise<number>
  /** How many events a recovery concerns. Throws as `recover`. */
  readonly recoverable: (accountId: string | null, hookId: string, since: Date) => Promise<Recoverable>
  /**
   * Brings the pending deliveries of a hook forward, and starts a bulk replay of its dead letters since a time and, if asked
   * for, of what was delivered since. Throws `not_found`, `invalid` for the time or the rate, and `conflict` when there is
   * nothing to send, when the hook is not active, or at the limit of open replays.
   */
  readonly recover: (accountId: string | null, hookId: string, input: RecoveryInput) => Promise<Recovered>
}

/** Deliveries in one commit. Chosen: some 20 ms on SQLite, so that sending does not stall. */
const BATCH = 1_000

export function recoveryOperations(deps: RecoveryDeps): RecoveryOperations {
  const { deliveries, deadLetters, hooks, clock } = deps

  const requireActive = async (accountId: string | null, hookId: string) => {
    const hook =
      accountId === null
        ? ((await hooks.listAll()).find(({ id }) => id === hookId) ?? null)
        : await hooks.get(accountId, hookId)
    if (hook === null) throw noSuchHook()
    const problem = STOPPED[hook.status]
    if (problem !== null) throw new OperationError('conflict', problem)
    return hook
  }

  const halfOpen = async (accountId: string, hookId: string) => {
    const now = clock.now()
    await deliveries.changeLane(accountId, hookId, now, (lane) => deps.lanesByHand.halfOpen(lane, now))
    deps.wake()
  }

  const bringForward = async (accountId: string, hookId: string): Promise<number> => {
    const now = clock.now()
    let retried = 0
    for (let moved = BATCH; moved === BATCH; ) {
      moved = await deliveries.retryPending(accountId, hookId, now, BATCH)
      retried += moved
    }
    await halfOpen(accountId, hookId)
    return retried
  }

  const requirePast = (since: Date) => {
    if (since < clock.now()) return
    throw new OperationError('invalid', 'must be a time in the past.', { field: 'since' })
  }

  return {
    async retryNow(accountId, eventId) {
      const delivery = await deliveries.get(accountId, eventId)
      if (delivery === null) {
        throw new OperationError('not_found', 'The account has no delivery with this event id.')
      }
      if (!(await deliveries.retryNow(accountId, eventId, clock.now()))) {
        throw new OperationError('conflict', notRetriedReason(delivery))
      }
      await halfOpen(accountId, delivery.hookId)
    },

    async retryPending(accountId, hookId) {
      const hook = await requireActive(accountId, hookId)
      return bringForward(hook.accountId, hookId)
    },

    async recoverable(accountId, hookId, since) {
      requirePast(since)
      const hook = await requireActive(accountId, hookId)
      return deadLetters.countRecoverable(hook.accountId, hookId, since)
    },

    async recover(accountId, hookId, { since, delivered, ratePerSecond }) {
      requirePast(since)
      requireInRange('ratePerSecond', ratePerSecond, REPLAY_RATE)
      const hook = await requireActive(accountId, hookId)
      const count = await deadLetters.countRecoverable(hook.accountId, hookId, since)
      const replayed = count.dead + (delivered ? count.delivered : 0)
      if (replayed + count.pending === 0) {
        throw new OperationError('conflict', 'There is nothing to send again since then.')
      }
      const replays = replayed === 0 ? [] : await start(hook.accountId)
      return { retried: await bringForward(hook.accountId, hookId), replay: replays[0] ?? null }

      function start(owner: string): Promise<Replay[]> {
        const filter = { hookId, recoverSince: since, delivered }
        const createdAt = clock.now()
        return deadLetters.createReplays(
          [{ id: newId('rpl'), accountId: owner, filter, ratePerSecond, createdAt }],
          REPLAYS_OPEN_MAX,
        )
      }
    },
  }
}

/** Why nothing is sent to a hook; null for an active one. */
const STOPPED = {
  active: null,
  paused: 'The destination is paused. Resume it first.',
  gone: 'The destination was turned off by its receiver. Resume it first.',
} as const

/** Why storage did not bring the delivery forward. */
function notRetriedReason({ status, hookStatus }: DeliveryView): string {
  if (status === 'delivered') return 'It was delivered. Send it again instead.'
  if (status === 'dead') return 'It is a dead letter. Replay it instead.'
  if (hookStatus === 'deleted') return 'Its destination was deleted.'
  return STOPPED[hookStatus] ?? 'It is being sent now.'
}
