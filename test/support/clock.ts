import { type Clock, systemClock } from '../../src/runtime/clock.ts'

/** The real time, moved ahead by what a test leaps over, and as fast as it likes. */
export type TestClock = Clock & {
  /** Time passes: the instant and the monotonic reading both move. */
  readonly leap: (ms: number) => void
  /** Somebody sets the wall clock: the instant moves, either way, the monotonic reading does not. */
  readonly jump: (ms: number) => void
}

export type TestClockOptions = {
  /** Seconds that pass in a real one. */
  readonly speed?: number
  /** The real instant at which this clock shows the real time, so that several processes share it. */
  readonly anchorMs?: number
  /**
   * Real milliseconds after which every sleep ends. Loops only look more often then, so nothing a test waits for takes
   * a second; whoever spaces requests needs sleeps that are true.
   */
  readonly sleepMsMax?: number
}

export function testClock(options: TestClockOptions = {}): TestClock {
  const { speed = 1, anchorMs = Date.now(), sleepMsMax = Number.POSITIVE_INFINITY } = options
  // Both readings come from the monotonic one, or the real clock's small corrections would look like jumps at a high speed.
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
