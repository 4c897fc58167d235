import type { Clock } from '../runtime/clock.ts'
import { createKeyedRateLimit } from '../runtime/keyed-rate-limit.ts'
import type { Network } from '../runtime/network.ts'
import { OperationError } from './error.ts'

/**
 * A rate limit for attempts to guess a secret: passwords, setup codes, invitations. Allows `max` failures at once from a network, and for
 * a user if one is named, then `max` spread evenly over each `windowMs`. Each node counts separately.
 */
export function createAttemptLimit(options: {
  readonly max: number
  readonly windowMs: number
  readonly clock: Clock
}) {
  const limit = createKeyedRateLimit(options)
  return {
    /** Throws `rate_limited` after too many failures. Counts as a failure until `succeeded` is called. */
    attempt(network: Network, user = ''): void {
      const waitMs = limit.take(`${network} ${user}`)
      if (waitMs > 0) throw tooManyAttempts(Math.ceil(waitMs / 1_000))
    },
    succeeded: (network: Network, user = ''): void => limit.reset(`${network} ${user}`),
  }
}

export function tooManyAttempts(retryAfterS: number): OperationError {
  const wait = retryAfterS > 90 ? `${Math.ceil(retryAfterS / 60)} minutes` : `${retryAfterS} s`
  return new OperationError('rate_limited', `Too many attempts; try again in ${wait}.`, { retryAfterS })
}
