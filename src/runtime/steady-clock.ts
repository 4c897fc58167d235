import type { Clock } from './clock.ts'
import { instantOf } from './instant.ts'

/**
 * A clock that starts from one reading of another clock (the database's) and advances with the monotonic clock,
 * independent of the wall clock. It never goes back, except by `step`.
 */
export type SteadyClock = Clock & {
  /** The instant at a monotonic reading of its base. */
  readonly at: (readMs: number) => Date
  /**
   * A small correction: the time was `at` at the monotonic reading `readMs`. A backward correction pauses the clock. `steppedMs` is for its
   * instants, also in `step`.
   */
  readonly correct: (at: Date, readMs: number, steppedMs: number) => void
  /** Sets the clock at once, forward or back. */
  readonly step: (at: Date, readMs: number, steppedMs: number) => void
}

export function createSteadyClock(base: Clock): SteadyClock {
  let originMs = base.now().getTime() - base.monotonicMs()
  let shownMs = Number.NEGATIVE_INFINITY
  let stepped: number | null = null
  return {
    now: () => {
      shownMs = Math.max(shownMs, Math.floor(originMs + base.monotonicMs()))
      return instantOf(shownMs, stepped)
    },
    monotonicMs: base.monotonicMs,
    sleep: base.sleep,
    at: (readMs) => new Date(Math.floor(originMs + readMs)),
    correct: (at, readMs, steppedMs) => {
      originMs = at.getTime() - readMs
      stepped = steppedMs
    },
    step: (at, readMs, steppedMs) => {
      originMs = at.getTime() - readMs
      stepped = steppedMs
      shownMs = Number.NEGATIVE_INFINITY
    },
  }
}
