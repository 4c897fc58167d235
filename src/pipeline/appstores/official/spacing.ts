import { createBoundedCache } from '../../../runtime/bounded-cache.ts'
import type { Clock } from '../../../runtime/clock.ts'
import { type Rate, reservePermits } from '../../../runtime/gcra.ts'

/** Spaces the requests of each key, for limits of a store that are per key. Every node counts separately. */
export type Spacing = {
  /** Waits for a permit of the key. `false` when `signal` aborts. */
  readonly wait: (key: string, signal: AbortSignal) => Promise<boolean>
}

const KEYS_MAX = 10_000

export function createSpacing(clock: Pick<Clock, 'monotonicMs' | 'sleep'>, rate: Rate): Spacing {
  const arrivals = createBoundedCache<string, number>(KEYS_MAX)
  return {
    wait: async (key, signal) => {
      const nowMs = clock.monotonicMs()
      const { permitsAtMs, arrivalMs } = reservePermits(arrivals.get(key) ?? null, rate, nowMs, 1)
      arrivals.set(key, arrivalMs)
      const waitMs = (permitsAtMs[0] ?? nowMs) - nowMs
      if (waitMs > 0) await clock.sleep(waitMs, signal)
      return !signal.aborted
    },
  }
}
