import type { Clock } from '../../runtime/clock.ts'
import { Refusal } from '../errors.ts'

/** Failed attempts of something that could be guessed, counted by key. Each node counts for itself. */
export type AttemptLimit = {
  /** Throws 429 when `key` has failed too often. Counts as a failure until `succeeded` says otherwise. */
  readonly attempt: (key: string) => void
  readonly succeeded: (key: string) => void
}

/** Keys remembered at most; beyond it the oldest are forgotten (chosen: some 10 MB). */
const KEYS_MAX = 50_000

export function createAttemptLimit(options: {
  readonly max: number
  readonly windowMs: number
  readonly clock: Clock
}): AttemptLimit {
  const { max, windowMs, clock } = options
  const failures = new Map<string, number[]>()
  return {
    attempt(key) {
      const nowMs = clock.monotonicMs()
      const recent = (failures.get(key) ?? []).filter((at) => at + windowMs > nowMs)
      const [oldest] = recent
      if (recent.length >= max && oldest !== undefined) {
        const waitS = Math.ceil((oldest + windowMs - nowMs) / 1_000)
        throw tooManyAttempts(waitS)
      }
      // Deleted first, so that the order of the map is the order of the last attempts.
      failures.delete(key)
      failures.set(key, [...recent, nowMs])
      for (const oldestKey of failures.keys()) {
        if (failures.size <= KEYS_MAX) break
        failures.delete(oldestKey)
      }
    },
    succeeded(key) {
      failures.delete(key)
    },
  }
}

export function tooManyAttempts(waitS: number): Refusal {
  const wait = waitS > 90 ? `${Math.ceil(waitS / 60)} minutes` : `${waitS} s`
  return new Refusal('rate_limited', `Too many attempts; try again in ${wait}.`, {
    'retry-after': String(waitS),
  })
}
