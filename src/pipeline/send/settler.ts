import { type Clock, WOKEN } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import type { Lane, LaneChange, NewNotice, Settled } from '../../storage/port/deliveries.ts'
import type { Storage } from '../../storage/port.ts'
import { type BreakerState, claimableAt } from './breaker.ts'
import { type AttemptResult, afterResult, healthFrom, healthText, noticesOf } from './health.ts'

export type SettlerDeps = {
  readonly storage: Pick<Storage, 'deliveries'>
  readonly clock: Clock
  readonly log: Log
}

/** A result and what the rules made of it. */
export type Result = { readonly settled: Settled; readonly result: AttemptResult }

export type Settler = {
  /** Takes a result over; it is stored within about 10 ms. */
  readonly add: (result: Result) => void
  /** Resolves when everything taken over is stored, or given up because `signal` aborted. */
  readonly flush: (signal: AbortSignal) => Promise<void>
}

/** As many as one claim takes: what was claimed together often ends together. */
const BATCH_MAX = 128
/** The longest a result waits for company: at 10 ms a commit costs little, and a kill loses little (checklist 6). */
const BATCH_WAIT_MS = 10
/** Waits while storage is away (checklist 8). A result not stored means a request made twice, so it is kept. */
const RETRY_WAIT_MS = 100
const RETRY_WAIT_MS_MAX = 15_000

/** Stores results of attempts in batches, one commit each. While storage is away it keeps them and tries again. */
export function createSettler(deps: SettlerDeps): Settler {
  const { storage, clock, log } = deps
  let waiting: Waiting[] = []
  let working: Promise<void> | null = null
  let hurry = new AbortController()
  let stop: AbortSignal | null = null

  async function work(): Promise<void> {
    let failures = 0
    while (waiting.length > 0) {
      if (waiting.length < BATCH_MAX && stop === null && failures === 0)
        await clock.sleep(BATCH_WAIT_MS, hurry.signal)
      const batch = waiting.slice(0, BATCH_MAX)
      try {
        const aheadMs = aheadOf(clock)
        await settle(
          storage,
          batch.map((one) => afterJump(one, aheadMs)),
          clock.now(),
          failures > 0,
        )
        waiting = waiting.slice(batch.length)
        failures = 0
      } catch (error) {
        failures += 1
        log.error('deliveries.unsettled', { results: waiting.length, failures, error })
        if (stop?.aborted) {
          waiting = []
          return
        }
        const waitMs = Math.min(RETRY_WAIT_MS_MAX, RETRY_WAIT_MS * 2 ** Math.min(failures - 1, 10))
        await clock.sleep(waitMs, stop ?? undefined)
      }
    }
  }

  function start(): void {
    if (working !== null) return
    hurry = new AbortController()
    working = work().finally(() => {
      working = null
      if (waiting.length > 0) start()
    })
  }

  return {
    add(result) {
      waiting.push({ ...result, aheadMs: aheadOf(clock) })
      if (waiting.length >= BATCH_MAX) hurry.abort(WOKEN)
      start()
    },
    async flush(signal) {
      stop = signal
      hurry.abort(WOKEN)
      while (working !== null) await working
    },
  }
}

/** A result, and by how much the clock was ahead of the monotonic one when it came. */
type Waiting = Result & { readonly aheadMs: number }

function aheadOf(clock: Clock): number {
  return clock.now().getTime() - clock.monotonicMs()
}

/** Less is a correction, and rounding. */
const BACK_MS_MIN = 1_000

/** A clock that went back since the result came takes its next attempt along: stored instants have moved already. */
function afterJump({ aheadMs, ...one }: Waiting, aheadNowMs: number): Result {
  const backMs = Math.round(aheadMs - aheadNowMs)
  const { next } = one.settled
  if (backMs < BACK_MS_MIN || next.status !== 'pending') return one
  const dueAt = new Date(next.dueAt.getTime() - backMs)
  return { ...one, settled: { ...one.settled, next: { ...next, dueAt } } }
}

async function settle(
  storage: Pick<Storage, 'deliveries'>,
  batch: readonly Result[],
  now: Date,
  mayBeStored: boolean,
): Promise<void> {
  const resultOf = new Map(batch.map(({ settled, result }) => [settled.delivery.seq, result]))
  await storage.deliveries.settle(
    batch.map(({ settled }) => settled),
    now,
    (lane, ofLane) =>
      laneChange(
        lane,
        ofLane.flatMap(({ delivery }) => resultOf.get(delivery.seq) ?? []),
        now,
      ),
    mayBeStored,
  )
}

/** What the results of one lane, in order, make of it. Pure. */
export function laneChange(lane: Lane, results: readonly AttemptResult[], now: Date): LaneChange {
  const before = healthFrom(lane.health)
  const notices: NewNotice[] = []
  let health = before
  for (const result of results) {
    const after = afterResult(health, result, now)
    notices.push(...noticesOf(health, after, result))
    health = after
  }
  return {
    health: health === before ? null : healthText(health),
    notBefore: waitOf(before.breaker, health.breaker, now),
    notices,
    gone: results.some(({ after }) => after.kind === 'settle' && after.hookGone),
  }
}

/** How long the lane waits now; a breaker that closed lifts the wait it began. Null leaves it as it is. */
function waitOf(before: BreakerState, after: BreakerState, now: Date): Date | null {
  if (before === after) return null
  if (before.openUntilMs !== null && after.openUntilMs === null) return now
  return after.openUntilMs === before.openUntilMs ? null : claimableAt(after, now)
}
