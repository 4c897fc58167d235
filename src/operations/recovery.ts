import { newId } from '../model/ids.ts'
import { EVENT_IDS_MAX, HOOK_IDS_MAX, REPLAY_RATE } from '../model/input-limits.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Instant } from '../runtime/instant.ts'
import type { DeadLetterStorage, Recoverable, Replay } from '../storage/port/dead-letters.ts'
import type { DeliveryStorage, DeliveryView, Lane, LaneChange } from '../storage/port/deliveries.ts'
import type { HookStorage } from '../storage/port/hooks.ts'
import { type BulkResult, bulkIds } from './bulk.ts'
import { REPLAYS_OPEN_MAX } from './dead-letters/replays.ts'
import { OperationError } from './error.ts'
import { requireInRange } from './in-range.ts'
import { noSuchHook } from './require-hook.ts'

export type { Recoverable }

/** Manual changes of the sender's state of a hook. */
export type ManualLaneChanges = {
  /** Lets the probe of an open breaker through now. */
  readonly halfOpen: (lane: Lane, now: Instant) => LaneChange
  /** The target accepted an event: the breaker closes. */
  readonly accepted: (lane: Lane, now: Instant) => LaneChange
}

export type RecoveryDeps = {
  readonly deliveries: Pick<
    DeliveryStorage,
    'get' | 'retryNow' | 'retryEachNow' | 'retryPending' | 'changeLanes'
  >
  readonly deadLetters: Pick<DeadLetterStorage, 'countRecoverable' | 'createReplays'>
  readonly hooks: Pick<HookStorage, 'get' | 'list' | 'listAll'>
  readonly clock: Clock
  readonly manualLaneChanges: ManualLaneChanges
  readonly wake: () => void
}

export type RecoveryInput = {
  readonly since: Date
  /** Whether to send delivered events since then again too. */
  readonly delivered: boolean
  readonly ratePerSecond: number
}

export type Recovered = {
  /** Pending deliveries whose next attempt was brought forward. */
  readonly retried: number
  /** The bulk replay of dead letters and delivered events; null when there are none. */
  readonly replay: Replay | null
}

/** Deliveries per commit. A commit takes about 20 ms on SQLite, so that sending does not stall. */
const BATCH = 1_000
/** Hooks per commit, for the same reason. */
const HOOKS_BATCH = 100

/**
 * Sends events again after a receiver was repaired. A manual retry is the next attempt, brought forward, and counts as one. If the breaker
 * of the hook is open, the retry is its probe. `accountId` null means all accounts, which only the operator's commands may use.
 */
export function recoveryOperations(deps: RecoveryDeps) {
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

  const halfOpen = async (accountId: string, hookIds: readonly string[]) => {
    await deliveries.changeLanes(accountId, hookIds, clock.now(), deps.manualLaneChanges.halfOpen)
    deps.wake()
  }

  /** Returns the number of deliveries by hook, without hooks that had none. */
  const bringForward = async (
    accountId: string,
    hookIds: readonly string[],
  ): Promise<ReadonlyMap<string, number>> => {
    const now = clock.now()
    const retried = new Map<string, number>()
    for (let at = 0; at < hookIds.length; at += HOOKS_BATCH) {
      const batch = hookIds.slice(at, at + HOOKS_BATCH)
      for (let changed = BATCH; changed === BATCH; ) {
        const moved = await deliveries.retryPending(accountId, batch, now, BATCH)
        for (const [id, count] of moved) retried.set(id, (retried.get(id) ?? 0) + count)
        changed = total(moved)
      }
      await halfOpen(accountId, batch)
    }
    return retried
  }

  const requirePast = (since: Date) => {
    if (since < clock.now()) return
    throw new OperationError('invalid', 'must be a time in the past.', { field: 'since' })
  }

  return {
    /** Throws `not_found`, and `conflict` when the delivery is not pending, is being sent, or its hook is not active. */
    async retryNow(accountId: string, eventId: string): Promise<void> {
      const delivery = await deliveries.get(accountId, eventId)
      if (delivery === null) {
        throw new OperationError('not_found', NO_DELIVERY)
      }
      if (!(await deliveries.retryNow(accountId, eventId, clock.now()))) {
        throw new OperationError('conflict', notRetriedReason(delivery))
      }
      await halfOpen(accountId, [delivery.hookId])
    },

    /** `retryNow` of at most `EVENT_IDS_MAX` deliveries, in one commit. Throws `invalid` for more. */
    async retryEach(accountId: string, eventIds: readonly string[]): Promise<BulkResult> {
      const unique = bulkIds('eventIds', eventIds, EVENT_IDS_MAX)
      const moved = await deliveries.retryEachNow(accountId, unique, clock.now())
      if (moved.length > 0) await halfOpen(accountId, [...new Set(moved.map(({ hookId }) => hookId))])
      const retried = new Set(moved.map(({ eventId }) => eventId))
      const failed: { id: string; reason: string }[] = []
      for (const id of unique.filter((eventId) => !retried.has(eventId))) {
        const delivery = await deliveries.get(accountId, id)
        failed.push({ id, reason: delivery === null ? NO_DELIVERY : notRetriedReason(delivery) })
      }
      return { changed: retried.size, failed }
    },

    /**
     * `retryPending` of several hooks. `changed` counts the hooks with a delivery that was not due. Throws `invalid` for more than
     * `HOOK_IDS_MAX`.
     */
    async retryHooks(accountId: string, hookIds: readonly string[]): Promise<BulkResult> {
      const unique = bulkIds('hookIds', hookIds, HOOK_IDS_MAX)
      const statuses = new Map((await hooks.list(accountId)).map(({ id, status }) => [id, status]))
      const failed = unique.flatMap((id) => {
        const status = statuses.get(id)
        const reason = status === undefined ? noSuchHook().message : STOPPED[status]
        return reason === null ? [] : [{ id, reason }]
      })
      const active = unique.filter((id) => statuses.get(id) === 'active')
      return { changed: (await bringForward(accountId, active)).size, failed }
    },

    /**
     * Makes all pending deliveries of a hook due now and returns how many were not due. Throws `not_found`, and `conflict` when the hook is
     * not active.
     */
    async retryPending(accountId: string | null, hookId: string): Promise<number> {
      const hook = await requireActive(accountId, hookId)
      return total(await bringForward(hook.accountId, [hookId]))
    },

    /** The number of events that a recovery affects. Throws like `recover`. */
    async recoverable(accountId: string | null, hookId: string, since: Date): Promise<Recoverable> {
      requirePast(since)
      const hook = await requireActive(accountId, hookId)
      return deadLetters.countRecoverable(hook.accountId, hookId, since)
    },

    /**
     * Makes the pending deliveries of a hook due now and starts a bulk replay of its dead letters since a time, with `delivered` also of
     * its delivered events. Throws `not_found`, `invalid` for the time or the rate, and `conflict` when there is nothing to send, when the
     * hook is not active, or at the limit of open replays.
     */
    async recover(
      accountId: string | null,
      hookId: string,
      { since, delivered, ratePerSecond }: RecoveryInput,
    ): Promise<Recovered> {
      requirePast(since)
      requireInRange('ratePerSecond', ratePerSecond, REPLAY_RATE)
      const hook = await requireActive(accountId, hookId)
      const count = await deadLetters.countRecoverable(hook.accountId, hookId, since)
      const replayed = count.dead + (delivered ? count.delivered : 0)
      if (replayed + count.pending === 0) {
        throw new OperationError('conflict', 'There are no events since then to replay.')
      }
      const replays = replayed === 0 ? [] : await start(hook.accountId)
      const retried = total(await bringForward(hook.accountId, [hookId]))
      return { retried, replay: replays[0] ?? null }

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

function total(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0)
}

const NO_DELIVERY = 'The account has no delivery with this event id.'

/** Why the service sends nothing to a hook; null for an active one. */
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
