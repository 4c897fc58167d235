/**
 * Time as the service sees it: the only source of it, handed to whoever needs it. Tests and the simulation pass one that they move by
 * hand; to show a wall clock that jumps they move `now` alone, and `monotonicMs` goes on as it was.
 */
export type Clock = {
  /** The instant. May jump either way when somebody sets the machine's clock. For what is stored or shown. */
  readonly now: () => Date
  /**
   * Milliseconds since some fixed start, with fractions. Never jumps and never goes back, so it measures how long something took or
   * how long ago it was. Means nothing to another process or after a restart, and stands still while the machine is suspended.
   */
  readonly monotonicMs: () => number
  /** Resolves after `ms` of monotonic time, however many those are, or at once when `signal` aborts. Never rejects. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}

/**
 * The reason to end a sleep with, where that is hot. Nobody sees it, but an abort without a reason makes an error with its stack: 3
 * microseconds instead of 0.3.
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
