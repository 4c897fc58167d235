import { type Clock, systemClock } from '../../src/runtime/clock.ts'

/** The real time plus the test's jumps, at any speed. */
export type TestClock = Clock & {
  /** Time passes: the instant and the monotonic reading both move. */
  readonly leap: (ms: number) => void
  /** Sets the wall clock: the instant moves in either direction, the monotonic reading does not. */
  readonly jump: (ms: number) => void
}

export type TestClockOptions = {
  /** Seconds of this clock per real second. */
  readonly speed?: number
  /** The real instant at which this clock shows the real time, so that several processes can share it. */
  readonly anchorMs?: number
  /**
   * Real milliseconds after which every sleep ends, so that loops check more often and tests are fast. Rate limits need
   * real sleeps.
   */
  readonly sleepMsMax?: number
}

export function testClock(options: TestClockOptions = {}): TestClock {
  const { speed = 1, anchorMs = Date.now(), sleepMsMax = Number.POSITIVE_INFINITY } = options
  // Both readings derive from the monotonic clock: at a high speed small corrections of the real clock would look like
  // jumps.
  const startMs = Date.now()
  const startMonotonicMs = performance.now()
  let leaptMs = 0
  let jumpedMs = 0
  const passedMs = () => startMs - anchorMs + performance.now() - startMonotonicMs
  const monotonicMs = () => passedMs() * speed + leaptMs
  return {
    now: () => new Date(anchorMs + monotonicMs() + jumpedMs),
    monotonicMs,
    sleep: (ms, signal) => systemClock.sleep(Math.min(ms / speed, sleepMsMax), signal),
    leap: (ms) => {
      leaptMs += ms
    },
    jump: (ms) => {
      jumpedMs += ms
    },
  }
}
