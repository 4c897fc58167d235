import type { Clock } from '../runtime/clock.ts'
import { createKeyedRateLimit } from '../runtime/keyed-rate-limit.ts'
import { OperationError } from './error.ts'

/**
 * A rate limit for attempts to guess a secret: passwords, setup codes, invitations. Allows `max` failures at once per key, then `max`
 * spread evenly over each `windowMs`. Each node counts separately.
 */
export function createAttemptLimit(options: {
  readonly max: number
  readonly windowMs: number
  readonly clock: Clock
}) {
  const limit = createKeyedRateLimit(options)
  return {
    /** Throws `rate_limited` when `key` has failed too often. Counts as a failure until `succeeded` is called. */
    attempt(key: string): void {
      const waitMs = limit.take(key)
      if (waitMs > 0) throw tooManyAttempts(Math.ceil(waitMs / 1_000))
    },
    succeeded: limit.reset,
  }
}

export function tooManyAttempts(retryAfterS: number): OperationError {
  const wait = retryAfterS > 90 ? `${Math.ceil(retryAfterS / 60)} minutes` : `${retryAfterS} s`
  return new OperationError('rate_limited', `Too many attempts; try again in ${wait}.`, { retryAfterS })
}
