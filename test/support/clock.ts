import { type Clock, systemClock } from '../../src/runtime/clock.ts'

/** Idle loops look again this soon, whatever wait they asked for: nothing a test waits for takes a second. */
const SLEEP_MS_MAX = 25

/** The real time, moved ahead by what a test leaps over. Sleeps are short, which only makes loops look more often. */
export type LeapingClock = Clock & { readonly leap: (ms: number) => void }

export function leapingClock(): LeapingClock {
  let aheadMs = 0
  return {
    now: () => new Date(Date.now() + aheadMs),
    sleep: (ms, signal) => systemClock.sleep(Math.min(ms, SLEEP_MS_MAX), signal),
    leap: (ms) => {
      aheadMs += ms
    },
  }
}
