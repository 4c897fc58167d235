import { type Clock, systemClock } from '../../src/runtime/clock.ts'
import { instantOf } from '../../src/runtime/instant.ts'

/** A clock at any speed that tests can move. */
export type TestClock = Clock & {
  /** Lets time pass: moves the wall clock and the monotonic clock. */
  readonly leap: (ms: number) => void
  /** Sets the wall clock forward or back. The monotonic clock does not move. */
  readonly jump: (ms: number) => void
}

export type TestClockOptions = {
  /** Seconds of this clock per real second. */
  readonly speed?: number
  /** The real time at which this clock shows the real time, so that several processes can share a clock. */
  readonly anchorMs?: number
  /**
   * Maximum real duration of a sleep, so that loops run more often and tests are fast. Sleeps of several seconds may take up
   * to ten times as long: they repeat something rare, or are ended by a wake. An idle service of a test takes 2 % of a core, twice
   * that if only sleeps of a minute were so long. Tests of rate limits need real sleeps.
   */
  readonly sleepMsMax?: number
}

/** A sleep of this length may take ten times `sleepMsMax`; a shorter one less, in proportion. */
const LONG_SLEEP_MS = 10_000

export function testClock(options: TestClockOptions = {}): TestClock {
  const { speed = 1, anchorMs = Date.now(), sleepMsMax = Number.POSITIVE_INFINITY } = options
  // Both clocks derive from the real monotonic clock: at a high speed, small corrections of the wall clock would look like
  // jumps.
  const startMs = Date.now()
  const startMonotonicMs = performance.now()
  let leaptMs = 0
  let jumpedMs = 0
  const passedMs = () => startMs - anchorMs + performance.now() - startMonotonicMs
  const monotonicMs = () => passedMs() * speed + leaptMs
  return {
    now: () => instantOf(anchorMs + monotonicMs() + jumpedMs),
    monotonicMs,
    sleep: (ms, signal) => {
      const longer = 1 + 9 * Math.min(1, ms / LONG_SLEEP_MS)
      return systemClock.sleep(Math.min(ms / speed, sleepMsMax * longer), signal)
    },
    leap: (ms) => {
      leaptMs += ms
    },
    jump: (ms) => {
      jumpedMs += ms
    },
  }
}
