import type { Clock } from '../runtime/clock.ts'
import { takePermits } from '../runtime/gcra.ts'
import type { Network } from '../runtime/network.ts'
import type { AttemptLimitStorage } from '../storage/port/attempt-limits.ts'
import { OperationError } from './error.ts'

export type AttemptLimitDeps = { readonly attemptLimits: AttemptLimitStorage; readonly clock: Clock }

const MINUTE_MS = 60_000

/** Allows `max` attempts at once from a network, and for a user if one is named, then `max` spread evenly over each `windowMs`. */
const ATTEMPT_LIMITS = {
  /** Wrong setup codes. */
  setup: { max: 10, windowMs: 15 * MINUTE_MS },
  /** New accounts. */
  sign_up: { max: 5, windowMs: 60 * MINUTE_MS },
  /** Unknown invitations. */
  invitation: { max: 20, windowMs: 15 * MINUTE_MS },
  /** Wrong passwords, codes and passkeys of one user. */
  sign_in_failure: { max: 10, windowMs: 15 * MINUTE_MS },
  /** Sign-ins of all users, by each way of them. Enough for an office behind one address. */
  sign_in: { max: 60, windowMs: MINUTE_MS },
} as const

/**
 * A limit of attempts to guess a secret: passwords, codes, invitations. All nodes count together, and a restart forgets nothing. For requests
 * without a secret use `createKeyedRateLimit`, which counts in memory.
 */
export function createAttemptLimit(deps: AttemptLimitDeps, name: keyof typeof ATTEMPT_LIMITS) {
  const { max, windowMs } = ATTEMPT_LIMITS[name]
  const rate = { burst: max, intervalMs: windowMs / max }
  const keyOf = (network: Network, user: string) => `${name} ${network} ${user}`
  return {
    /** Throws `rate_limited` after too many failures. Counts as a failure until `succeeded` is called. */
    async attempt(network: Network, user = ''): Promise<void> {
      const { attemptLimits, clock } = deps
      const waitMs = await attemptLimits.take(keyOf(network, user), clock.now(), (arrivalMs, now) =>
        takePermits(arrivalMs, rate, now.getTime(), 1),
      )
      if (waitMs > 0) throw tooManyAttempts(Math.ceil(waitMs / 1_000))
    },
    succeeded: (network: Network, user = ''): Promise<void> => deps.attemptLimits.reset(keyOf(network, user)),
  }
}

export function tooManyAttempts(retryAfterS: number): OperationError {
  const wait = retryAfterS > 90 ? `${Math.ceil(retryAfterS / 60)} minutes` : `${retryAfterS} s`
  return new OperationError('rate_limited', `Too many attempts; try again in ${wait}.`, { retryAfterS })
}
