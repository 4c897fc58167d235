/**
 * The only source of time, passed to everything that needs it. Tests and the simulation pass one that they control; a
 * jump of the wall clock moves only `now`.
 */
export type Clock = {
  /** The wall clock. May jump either way when the machine's clock is set. For stored and shown instants. */
  readonly now: () => Date
  /**
   * Milliseconds since some fixed start, with fractions. Never jumps and never goes back, so it measures durations and ages. Has no
   * meaning in another process or after a restart, and pauses while the machine is suspended.
   */
  readonly monotonicMs: () => number
  /** Resolves after `ms` of monotonic time, without an upper limit, or at once when `signal` aborts. Never rejects. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}

/**
 * The reason for ending a sleep on a hot path. Nothing reads it, but an abort without a reason creates an error with a
 * stack: 3 microseconds instead of 0.3.
 */
export const WOKEN = 'woken'

/** The longest wait of one timer (24.8 days): Node ends a longer one after a millisecond. */
export const TIMER_MS_MAX = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      let leftMs = ms
      let timer: NodeJS.Timeout | undefined
      const done = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', done)
        resolve()
      }
      const wait = () => {
        const partMs = Math.min(leftMs, TIMER_MS_MAX)
        leftMs -= partMs
        timer = setTimeout(leftMs > 0 ? wait : done, partMs)
      }
      wait()
      signal?.addEventListener('abort', done, { once: true })
    }),
}
