import type { Clock } from './clock.ts'

/**
 * A clock that goes on evenly from one reading of another (the database's), whatever becomes of the machine's wall clock meanwhile.
 * Its instants never go back, except by `step`.
 */
export type SteadyClock = Clock & {
  /** What it shows at a monotonic reading of its base. */
  readonly at: (readMs: number) => Date
  /** It showed `at` at the monotonic reading `readMs`. A small correction: back, it stands still until it is right. */
  readonly correct: (at: Date, readMs: number) => void
  /** The same, also back. */
  readonly step: (at: Date, readMs: number) => void
}

export function createSteadyClock(base: Clock): SteadyClock {
  let originMs = base.now().getTime() - base.monotonicMs()
  let shownMs = Number.NEGATIVE_INFINITY
  return {
    now: () => {
      shownMs = Math.max(shownMs, Math.floor(originMs + base.monotonicMs()))
      return new Date(shownMs)
    },
    monotonicMs: base.monotonicMs,
    sleep: base.sleep,
    at: (readMs) => new Date(Math.floor(originMs + readMs)),
    correct: (at, readMs) => {
      originMs = at.getTime() - readMs
    },
    step: (at, readMs) => {
      originMs = at.getTime() - readMs
      shownMs = Number.NEGATIVE_INFINITY
    },
  }
}
