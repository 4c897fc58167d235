import { createHmac, randomBytes } from 'node:crypto'
import type { Clock } from './clock.ts'
import { takePermits } from './gcra.ts'

/** A rate limit for each key, in memory: every node counts separately. */
export type KeyedRateLimit = {
  /** Takes permits of the key, one by default, all or none. Returns 0, or the milliseconds until there are as many. */
  readonly take: (key: string, count?: number) => number
  /** What `take` would return, without taking. */
  readonly waitMs: (key: string, count?: number) => number
  /** Restores the full burst of the key. It frees another key that shares a slot only if that one has taken no more permits. */
  readonly reset: (key: string) => void
}

/** Of each of the rows: half a megabyte. */
const SLOTS = 65_536
const ROWS = 2

/**
 * `max` permits at once for each key, then `max` spread evenly over each `windowMs`.
 *
 * A key has one slot in each row, chosen by a hash with a secret, and its count is the lowest of them (a count-min sketch). So the memory
 * is bounded and nothing is evicted: no number of other keys makes a limited key free. A key is limited by others only if they use all of
 * its slots.
 */
export function createKeyedRateLimit(options: {
  readonly max: number
  readonly windowMs: number
  readonly clock: Pick<Clock, 'monotonicMs'>
}): KeyedRateLimit {
  const { max, windowMs, clock } = options
  const rate = { burst: max, intervalMs: windowMs / max }
  const secret = randomBytes(32)
  const arrivals = new Float64Array(ROWS * SLOTS).fill(Number.NEGATIVE_INFINITY)
  const slotsOf = (key: string): number[] => {
    const hash = createHmac('sha256', secret).update(key).digest()
    return Array.from({ length: ROWS }, (_, row) => row * SLOTS + (hash.readUInt32LE(row * 4) % SLOTS))
  }
  const arrivalAt = (slot: number) => arrivals[slot] ?? Number.NEGATIVE_INFINITY
  const permits = (slots: readonly number[], count: number) => {
    const stored = Math.min(...slots.map(arrivalAt))
    const { arrivalMs, waitMs, taken } = takePermits(stored, rate, clock.monotonicMs(), count)
    return {
      arrivalMs,
      waitMs: waitMs === 0 ? 0 : waitMs + Math.floor((count - taken - 1) * rate.intervalMs),
    }
  }
  return {
    take(key, count = 1) {
      const slots = slotsOf(key)
      const { arrivalMs, waitMs } = permits(slots, count)
      if (waitMs > 0) return waitMs
      for (const slot of slots) arrivals[slot] = Math.max(arrivalAt(slot), arrivalMs)
      return 0
    },
    waitMs: (key, count = 1) => permits(slotsOf(key), count).waitMs,
    reset: (key) => {
      const slots = slotsOf(key)
      const own = Math.min(...slots.map(arrivalAt))
      // A higher count is that of another key.
      for (const slot of slots) if (arrivalAt(slot) === own) arrivals[slot] = Number.NEGATIVE_INFINITY
    },
  }
}
