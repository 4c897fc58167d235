import type { Clock } from '../../src/runtime/clock.ts'
import { instantOf } from '../../src/runtime/instant.ts'
import type { Scheduler } from './scheduler.ts'

/** The clock of one node. Its wall clock may be wrong and may jump; sleeps and the monotonic clock are correct. */
export type NodeClock = Clock & {
  readonly monotonicMs: () => number
  /** Sets how far the wall clock is ahead of the true time. */
  readonly setOffset: (ms: number) => void
  readonly offsetMs: () => number
}

/** A sleep of a process that is no longer alive (`isAlive`) never returns. */
export function createNodeClock(scheduler: Scheduler, isAlive: () => boolean): NodeClock {
  const startedAtMs = scheduler.nowMs()
  let offsetMs = 0
  return {
    now: () => instantOf(Math.floor(scheduler.nowMs() + offsetMs)),
    monotonicMs: () => scheduler.nowMs() - startedAtMs,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve()
        const done = () => {
          timer.cancel()
          signal?.removeEventListener('abort', done)
          if (isAlive()) resolve()
        }
        // A timer never fires early, and counts whole milliseconds.
        const timer = scheduler.after(Math.max(1, Math.ceil(ms)), done)
        signal?.addEventListener('abort', done, { once: true })
      }),
    setOffset: (ms) => {
      offsetMs = ms
    },
    offsetMs: () => offsetMs,
  }
}
