import { LRUCache } from 'lru-cache'
import type { Clock } from './clock.ts'
import { takePermits } from './gcra.ts'

/** A rate limit for each key, in the memory of this process: every node counts for itself. */
export type KeyedRateLimit = {
  /** Takes a permit of the key. 0 when there was one, else the milliseconds until the next. */
  readonly take: (key: string) => number
  /** Restores the full burst of the key. */
  readonly reset: (key: string) => void
}

/** Beyond this the least recently used keys are dropped and start with a full burst (chosen: some 4 MB). */
const KEYS_MAX = 20_000

/** `max` permits at once for each key, then `max` spread evenly over each `windowMs`. */
export function createKeyedRateLimit(options: {
  readonly max: number
  readonly windowMs: number
  readonly clock: Pick<Clock, 'monotonicMs'>
}): KeyedRateLimit {
  const { max, windowMs, clock } = options
  const rate = { burst: max, intervalMs: windowMs / max }
  const arrivals = new LRUCache<string, number>({ max: KEYS_MAX })
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
