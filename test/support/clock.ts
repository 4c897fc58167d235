import { type Clock, systemClock } from '../../src/runtime/clock.ts'

/** The real time, moved ahead by what a test leaps over, and as fast as it likes. */
export type TestClock = Clock & { readonly leap: (ms: number) => void }

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
  let aheadMs = 0
  return {
    now: () => new Date(anchorMs + (Date.now() - anchorMs) * speed + aheadMs),
    sleep: (ms, signal) => systemClock.sleep(Math.min(ms / speed, sleepMsMax), signal),
    leap: (ms) => {
      aheadMs += ms
    },
  }
}
