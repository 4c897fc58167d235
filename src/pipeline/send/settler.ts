import type { Meter } from '../../model/metrics.ts'
import { type Clock, WOKEN } from '../../runtime/clock.ts'
import { type Instant, later } from '../../runtime/instant.ts'
import type { Log } from '../../runtime/log.ts'
import type { Lane, LaneChange, NewNotice, Settled } from '../../storage/port/deliveries.ts'
import type { Storage } from '../../storage/port/storage.ts'
import { type BreakerState, claimableAt } from './breaker.ts'
import { type AttemptResult, afterMessage, afterResult, healthFrom, healthText, noticesOf } from './health.ts'
import type { InFlight } from './in-flight.ts'

export type SettlerDeps = {
  readonly storage: Pick<Storage, 'deliveries'>
  readonly clock: Clock
  readonly log: Log
  readonly meter: Meter
  readonly inFlight: InFlight
}

/** A finished attempt and its next step. */
export type Result = {
  readonly settled: Settled
  readonly result: AttemptResult
  /** The message of this delivery has another one with the result, so it says no more about the target. */
  readonly isRepeated?: boolean
  /** Its scheduled message had all events that waited. */
  readonly isLastMessage?: boolean
}

/** The size of a claim: deliveries claimed together often finish together. */
const BATCH_MAX = 128
/** The longest time that a result waits for a batch. After 10 ms commits are cheap enough, and a crash loses little. */
const BATCH_WAIT_MS = 10
/** Backoff while storage is unavailable. Results stay queued, since a lost one means a duplicate request. */
const RETRY_WAIT_MS = 100
const RETRY_WAIT_MS_MAX = 15_000

/** Stores results of attempts in batches of one commit. Retries while storage is unavailable. */
export function createSettler(deps: SettlerDeps) {
  const { storage, clock, log, meter, inFlight } = deps
  let queue: Result[] = []
  let working: Promise<void> | null = null
  let settleNow = new AbortController()
  let stop: AbortSignal | null = null

  async function work(): Promise<void> {
    let failures = 0
    while (queue.length > 0) {
      if (queue.length < BATCH_MAX && stop === null && failures === 0) {
        await clock.sleep(BATCH_WAIT_MS, settleNow.signal)
      }
      const batch = queue.slice(0, BATCH_MAX)
      try {
        await settle(storage, batch, clock.now(), failures > 0)
        queue = queue.slice(batch.length)
        failures = 0
        for (const one of batch) reportLate(one)
        inFlight.end(batch.map(({ settled }) => settled.delivery))
      } catch (error) {
        failures += 1
        log.error('deliveries.unsettled', { results: queue.length, failures, error })
        if (stop?.aborted) {
          queue = []
          return
        }
        const waitMs = Math.min(RETRY_WAIT_MS_MAX, RETRY_WAIT_MS * 2 ** Math.min(failures - 1, 10))
        await clock.sleep(waitMs, stop ?? undefined)
      }
    }
  }

  /** After the end of its lease, another process may have sent a delivery again. */
  function reportLate({ settled, result }: Result): void {
    const leaseEndsAtMs = inFlight.leaseEndsAtMs(settled.delivery)
    if (leaseEndsAtMs === null) return
    const lateMs = Math.round(clock.monotonicMs() - leaseEndsAtMs)
    if (lateMs <= 0) return
    const { eventId, hookId } = settled.delivery
    log.warn('delivery.settled_late', { event_id: eventId, hook_id: hookId, late_ms: lateMs })
    if (result.outcome.kind === 'accepted')
      meter.count('duplicates_suspected_total', { reason: 'lease_ended' })
  }

  function start(): void {
    if (working !== null) return
    settleNow = new AbortController()
    working = work().finally(() => {
      working = null
      if (queue.length > 0) start()
    })
  }

  return {
    /** Queues a result; it is stored within about 10 ms. */
    add(result: Result): void {
      queue.push(result)
      if (queue.length >= BATCH_MAX) settleNow.abort(WOKEN)
      start()
    },
    /** Resolves when all queued results are stored, or dropped because `signal` aborted. */
    async flush(signal: AbortSignal): Promise<void> {
      stop = signal
      settleNow.abort(WOKEN)
      while (working !== null) await working
    },
  }
}

async function settle(
  storage: Pick<Storage, 'deliveries'>,
  batch: readonly Result[],
  now: Instant,
  mayBeStored: boolean,
): Promise<void> {
  const resultOf = new Map(batch.map((one) => [one.settled.delivery.seq, one]))
  const change = (lane: Lane, settledOfLane: readonly Settled[], now: Instant) => {
    const all = settledOfLane.flatMap(({ delivery }) => resultOf.get(delivery.seq) ?? [])
    const results = all.filter(({ isRepeated }) => isRepeated !== true).map(({ result }) => result)
    const changed = laneChange(lane, results, now)
    return lane.messageSchedule === null ? changed : afterScheduled(lane, changed, all, now)
  }
  const settled = batch.map((result) => result.settled)
  await storage.deliveries.settle(settled, now, change, mayBeStored)
}

/** The change of a lane after results of its deliveries, in order. Pure. */
export function laneChange(lane: Lane, results: readonly AttemptResult[], now: Instant): LaneChange {
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
    notBefore: latest(notBeforeOf(before.breaker, health.breaker, now), holdUntil(results, now)),
    notices,
    gone: results.some(({ after }) => after.kind === 'settle' && after.hookGone),
  }
}

/** Also ends the mark of the message under way. The next claim reads the schedule. */
function afterScheduled(
  lane: Lane,
  changed: LaneChange,
  results: readonly Result[],
  now: Instant,
): LaneChange {
  const isLast = results.some(
    ({ result, isLastMessage }) => result.outcome.kind === 'accepted' && isLastMessage === true,
  )
  const health = afterMessage(healthFrom(changed.health ?? lane.health), isLast, now)
  return { ...changed, health: healthText(health), notBefore: changed.notBefore ?? now }
}

/** The end of the longest rate limit of these results; null without one. */
function holdUntil(results: readonly AttemptResult[], now: Instant): Instant | null {
  const holdsMs = results.map(({ outcome }) => (outcome.kind === 'failed' ? (outcome.holdMs ?? 0) : 0))
  const longestMs = Math.max(0, ...holdsMs)
  return longestMs === 0 ? null : later(now, longestMs)
}

function latest(a: Instant | null, b: Instant | null): Instant | null {
  if (a === null || b === null) return a ?? b
  return a > b ? a : b
}

/** When the lane is ready: now if its breaker closed. Null leaves it unchanged. */
function notBeforeOf(before: BreakerState, after: BreakerState, now: Instant): Instant | null {
  if (before === after) return null
  if (before.openUntilMs !== null && after.openUntilMs === null) return now
  return after.openUntilMs === before.openUntilMs ? null : claimableAt(after, now)
}
