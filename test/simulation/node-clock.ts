import type { Clock } from '../../src/runtime/clock.ts'
import type { Scheduler } from './scheduler.ts'

/** The clock of one node: its wall clock may be wrong and may jump; its sleeps and its monotonic reading are true. */
export type NodeClock = Clock & {
  readonly monotonicMs: () => number
  /** Sets how far the wall clock is ahead of the true time. */
  readonly setOffset: (ms: number) => void
  readonly offsetMs: () => number
}

/** `isAlive` ends every sleep of a dead process: it never returns. */
export function createNodeClock(scheduler: Scheduler, isAlive: () => boolean): NodeClock {
  const startedAtMs = scheduler.nowMs()
  let offsetMs = 0
  return {
    now: () => new Date(Math.floor(scheduler.nowMs() + offsetMs)),
    monotonicMs: () => scheduler.nowMs() - startedAtMs,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve()
        const done = () => {
          timer.cancel()
          signal?.removeEventListener('abort', done)
          if (isAlive()) resolve()
        }
        // A timer never fires early, and by whole milliseconds.
        const timer = scheduler.after(Math.max(1, Math.ceil(ms)), done)
        signal?.addEventListener('abort', done, { once: true })
      }),
    setOffset: (ms) => {
      offsetMs = ms
    },
    offsetMs: () => offsetMs,
  }
}
