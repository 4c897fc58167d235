import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import { createSteadyClock } from '../../runtime/steady-clock.ts'
import type { ClockState, TimeStorage } from '../../storage/port/time.ts'
import { differenceOf, type Reading, readDatabaseClock } from './reading.ts'

/** The interval of comparisons with the database's clock. */
const CHECK_MS = 10_000
/** The interval of comparisons of the wall clock with the monotonic one, which cost nothing. */
const WALL_CLOCK_CHECK_MS = 1_000
/** A difference above this, plus the uncertainty of a slow response, is a jump. A smaller one is a correction, as NTP makes. */
const JUMP_MS_MIN = 2_000
/** When the wall clock differs from the monotonic one by this much, the node measures the time before its next claim. */
const DIVERGED_MS = 1_000
/** With a larger difference a node claims nothing and is not ready. */
export const SKEW_MS_MAX = 5_000
/** After a jump of more than this nothing is deleted or expires until the time is confirmed. */
const LARGE_JUMP_MS = 3_600_000
/** The service must run this long without another large jump until the time is confirmed. */
const CONFIRM_MS = 24 * 3_600_000
/** Leases last 45 s longer than their work, so a smaller jump forward ends no lease too early. */
const EXTEND_LEASES_MS_MIN = 15_000

/**
 * The time of one node: a clock that follows the database's, and its state. All stored and compared instants use `clock`. It jumps only
 * after a commit has adjusted the stored instants.
 */
export type Timekeeper = {
  readonly clock: Clock
  /** False while the time is uncertain: the wall clock moved and was not compared yet, or this node's clock is off. */
  readonly mayClaim: () => boolean
  /** Whether rows may be deleted or expire. */
  readonly isConfirmed: () => boolean
  /** The lead of this machine's clock over the database's, in milliseconds; 0 on SQLite. */
  readonly skewMs: () => number
  readonly state: () => ClockState
  /** Compares once, and adjusts. Throws `StorageUnavailable`. The simulation may call it instead of `run`. */
  readonly check: () => Promise<void>
  /** Compares every 10 s, and at once when the wall clock jumped, until `signal` aborts. Never rejects. */
  readonly run: (signal: AbortSignal) => Promise<void>
}

export type TimekeeperDeps = {
  /** The machine's clock. */
  readonly base: Clock
  readonly time: TimeStorage
  readonly log: Log
}

/** Reads the clock and detects a jump since the last run. Throws `StorageUnavailable`. */
export async function openTimekeeper(deps: TimekeeperDeps): Promise<Timekeeper> {
  const { base, time, log } = deps
  const clock = createSteadyClock(base)
  const wallAheadMs = () => base.now().getTime() - base.monotonicMs()
  let comparedAheadMs = wallAheadMs()
  const diverged = () => Math.abs(wallAheadMs() - comparedAheadMs) > DIVERGED_MS
  let skewMs = 0
  /** Gaps that are corrected here and not stored yet. */
  let gapMs = 0
  let state = await begin()

  async function begin(): Promise<ClockState> {
    const before = await time.state()
    const reading = await readDatabaseClock(base, time)
    const after = await since(reading, before)
    if (before !== null && isOvertaken(reading, before, after)) return begin()
    clock.step(reading.at, reading.readMs, after.steppedMs)
    recordReading(reading)
    return after
  }

  async function since(reading: Reading, before: ClockState | null): Promise<ClockState> {
    if (before === null) return time.recordReading(reading.at, CONFIRM_MS)
    const byMs = reading.at.getTime() - before.highWaterAt.getTime()
    const isJump = byMs < -jumpMs(reading) || byMs > LARGE_JUMP_MS
    return isJump
      ? adjust(before.highWaterAt, reading.at, before, true)
      : time.recordReading(reading.at, CONFIRM_MS, gapOf(byMs))
  }

  function recordReading(reading: Reading): void {
    skewMs = reading.wallAt.getTime() - reading.at.getTime()
    comparedAheadMs = reading.wallAt.getTime() - reading.readMs
  }

  async function check(): Promise<void> {
    const stored = (await time.state()) ?? state
    followStep(stored)
    const reading = await readDatabaseClock(base, time)
    const here = clock.at(reading.readMs)
    const byMs = differenceOf(here, reading.at)
    if (Math.abs(byMs) <= jumpMs(reading)) {
      clock.correct(reading.at, reading.readMs, stored.steppedMs)
      gapMs += gapOf(byMs)
      const after = await time.recordReading(clock.now(), CONFIRM_MS, gapMs)
      gapMs = 0
      // If another node has stepped since, the next check follows it.
      if (after.steps === stored.steps) state = after
    } else {
      const after = await jump(here, reading, stored)
      if (after === null) return check()
      state = after
      clock.step(reading.at, reading.readMs, state.steppedMs)
    }
    recordReading(reading)
  }

  /**
   * Applies a step that was committed without an answer to this node: another node made it, or this node's call lost its answer.
   * Otherwise a correction of the database's clock before the next check would go unnoticed: creation times that a step back moved would
   * not be restored, and leases that a step forward extended would not end. A step detected at a start is not exact enough for this.
   */
  function followStep(stored: ClockState): void {
    const { steps, lastJump } = stored
    if (steps !== state.steps + 1 || lastJump === null || lastJump.whileStopped) return
    const readMs = base.monotonicMs()
    clock.step(new Date(clock.at(readMs).getTime() + lastJump.byMs), readMs, stored.steppedMs)
    state = stored
    log.warn('clock.corrected', { by_ms: lastJump.byMs })
  }

  /**
   * The clock of this node and the database's differ: one of the two jumped, or this machine was suspended. `stored` is from before the
   * reading. Null when the reading is overtaken.
   */
  async function jump(here: Date, reading: Reading, stored: ClockState): Promise<ClockState | null> {
    const before = await time.state()
    if (before === null) return time.recordReading(reading.at, CONFIRM_MS)
    if (isOvertaken(reading, stored, before)) return null
    // Another node has already adjusted, or agrees with the database, so only this node's time was wrong.
    const lastMs = Math.max(here.getTime(), before.highWaterAt.getTime())
    const isForward = reading.at > here
    const byMs = reading.at.getTime() - lastMs
    const isOurs = isForward && byMs <= jumpMs(reading) + CHECK_MS && !isReturn(before, byMs)
    const isCorrection = before.steps !== state.steps || isOurs
    if (isCorrection) log.warn('clock.corrected', { by_ms: differenceOf(here, reading.at) })
    const after = await (isCorrection
      ? time.recordReading(reading.at, CONFIRM_MS, gapOf(byMs))
      : adjust(isForward ? new Date(lastMs) : here, reading.at, before, false))
    return isOvertaken(reading, before, after) ? null : after
  }

  async function adjust(
    from: Date,
    to: Date,
    before: ClockState,
    whileStopped: boolean,
  ): Promise<ClockState> {
    const byMs = differenceOf(from, to)
    log.warn('clock.jumped', { by_ms: byMs, from, to, while_stopped: whileStopped })
    return time.step({
      from,
      to,
      steps: before.steps,
      whileStopped,
      extendLeases: !whileStopped && byMs > EXTEND_LEASES_MS_MIN,
      confirmMs: Math.abs(byMs) > LARGE_JUMP_MS ? CONFIRM_MS : null,
    })
  }

  return {
    clock,
    mayClaim: () => !diverged() && Math.abs(skewMs) <= SKEW_MS_MAX,
    isConfirmed: () => state.unconfirmedUntil === null,
    skewMs: () => skewMs,
    state: () => state,
    check,
    async run(signal) {
      let comparedMs = base.monotonicMs()
      while (!signal.aborted) {
        await base.sleep(WALL_CLOCK_CHECK_MS, signal)
        if (signal.aborted) return
        if (!diverged() && base.monotonicMs() - comparedMs < CHECK_MS) continue
        try {
          await check()
          comparedMs = base.monotonicMs()
        } catch (error) {
          log.warn('clock.check_failed', { error })
        }
      }
    },
  }
}

/** The smallest difference that counts as a gap: less is drift, or an error of measurement. */
function gapOf(byMs: number): number {
  return byMs < DIVERGED_MS ? 0 : Math.ceil(byMs)
}

/**
 * Whether another node made a step between the two states. The reading may be older than the change of the database's clock that was
 * the reason for it: this node would keep the earlier clock, and take its times for those after the step.
 */
function isOvertaken(reading: Reading, before: ClockState, { steps, lastJump }: ClockState): boolean {
  return steps !== before.steps && lastJump?.at.getTime() !== reading.at.getTime()
}

/** Whether the clock returned from an earlier step back; then even a few seconds are a jump. */
function isReturn({ aheadMs }: ClockState, byMs: number): boolean {
  return aheadMs < 0 && Math.abs(aheadMs + byMs) <= byMs / 2
}

/** The smallest difference that is a jump, given the precision of the reading. */
function jumpMs(reading: Reading): number {
  return JUMP_MS_MIN + reading.errorMs
}
