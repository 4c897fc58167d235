import type { Clock } from '../runtime/clock.ts'
import { takePermits } from '../runtime/gcra.ts'
import { type Network, siteOf } from '../runtime/network.ts'
import type { AttemptLimitStorage } from '../storage/port/attempt-limits.ts'
import { OperationError } from './error.ts'

export type AttemptLimitDeps = { readonly attemptLimits: AttemptLimitStorage; readonly clock: Clock }

const MINUTE_MS = 60_000

/**
 * Allows `max` attempts at once from a network, and for a user if one is named, then `max` spread evenly over each `windowMs`. `siteMax` is
 * the same for all networks of an IPv6 /48 together: only an attacker uses so many of its 256 networks.
 */
export const ATTEMPT_LIMITS = {
  /** Wrong setup codes. */
  setup: { max: 10, siteMax: 50, windowMs: 15 * MINUTE_MS },
  /** New accounts. */
  sign_up: { max: 5, siteMax: 25, windowMs: 60 * MINUTE_MS },
  /** Unknown invitations. */
  invitation: { max: 20, siteMax: 100, windowMs: 15 * MINUTE_MS },
  /** Invitations that are shown, known or not: to show one does not use it up, so a known one must not end the count. */
  invitation_shown: { max: 60, siteMax: 300, windowMs: 15 * MINUTE_MS },
  /** Wrong passwords, codes and passkeys of one user. Without `siteMax`, by which somebody in another network could lock the user out. */
  sign_in_failure: { max: 10, siteMax: null, windowMs: 15 * MINUTE_MS },
  /** Sign-ins of all users, by each way of them. Enough for an office behind one address. */
  sign_in: { max: 60, siteMax: 300, windowMs: MINUTE_MS },
} as const

/**
 * A limit of attempts to guess a secret: passwords, codes, invitations. All nodes count together, and a restart forgets nothing. For
 * requests without a secret use `createKeyedRateLimit`, which counts in memory.
 */
export function createAttemptLimit(
  deps: Pick<AttemptLimitDeps, 'attemptLimits'> & { readonly clock: Pick<Clock, 'now'> },
  name: keyof typeof ATTEMPT_LIMITS,
) {
  const { max, siteMax, windowMs } = ATTEMPT_LIMITS[name]
  const { attemptLimits, clock } = deps

  const take = async (storedName: string, burst: number, key: string) => {
    const rate = { burst, intervalMs: windowMs / burst }
    // An instant of a node whose clock is ahead counts in full, so the limit never opens. Storage moves it when a clock jumps.
    const waitMs = await attemptLimits.take(storedName, key, clock.now(), (arrivalMs, now) =>
      takePermits(arrivalMs, rate, now.getTime(), 1, Number.POSITIVE_INFINITY),
    )
    if (waitMs > 0) throw tooManyAttempts(Math.ceil(waitMs / 1_000))
  }
  const siteName = `${name}_site`
  const siteKeyOf = (network: Network, user: string) => {
    const site = siteOf(network)
    return site === null ? null : keyOf(site, user)
  }

  return {
    /** Throws `rate_limited` after too many failures. Counts as a failure until `succeeded` is called. */
    async attempt(network: Network, user = ''): Promise<void> {
      await take(name, max, keyOf(network, user))
      const siteKey = siteKeyOf(network, user)
      // Last, so that one network cannot use up what its site has.
      if (siteMax !== null && siteKey !== null) await take(siteName, siteMax, siteKey)
    },
    async succeeded(network: Network, user = ''): Promise<void> {
      await attemptLimits.reset(name, keyOf(network, user))
      const siteKey = siteKeyOf(network, user)
      if (siteMax !== null && siteKey !== null) await attemptLimits.reset(siteName, siteKey)
    },
  }
}

const keyOf = (network: Network, user: string) => `${network} ${user}`

export function tooManyAttempts(retryAfterS: number): OperationError {
  const wait = retryAfterS > 90 ? `${Math.ceil(retryAfterS / 60)} minutes` : `${retryAfterS} s`
  return new OperationError('rate_limited', `Too many attempts; try again in ${wait}.`, { retryAfterS })
}
