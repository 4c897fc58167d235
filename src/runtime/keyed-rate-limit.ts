import { createBoundedCache } from './bounded-cache.ts'
import type { Clock } from './clock.ts'
import { takePermits } from './gcra.ts'

/** A rate limit for each key, in memory: every node counts separately. */
export type KeyedRateLimit = {
  /** Takes a permit of the key. Returns 0, or the milliseconds until the next permit. */
  readonly take: (key: string) => number
  /** Restores the full burst of the key. */
  readonly reset: (key: string) => void
}

/** The most keys: about 4 MB. Beyond it, the least recently used keys are evicted and start with a full burst. */
const KEYS_MAX = 20_000

/** `max` permits at once for each key, then `max` spread evenly over each `windowMs`. */
export function createKeyedRateLimit(options: {
  readonly max: number
  readonly windowMs: number
  readonly clock: Pick<Clock, 'monotonicMs'>
}): KeyedRateLimit {
  const { max, windowMs, clock } = options
  const rate = { burst: max, intervalMs: windowMs / max }
  const arrivals = createBoundedCache<string, number>(KEYS_MAX)
  return {
    take(key) {
      const { arrivalMs, waitMs } = takePermits(arrivals.get(key) ?? null, rate, clock.monotonicMs(), 1)
      arrivals.set(key, arrivalMs)
      return waitMs
    },
    reset: (key) => {
      arrivals.delete(key)
    },
  }
}
