import type { Clock } from '../runtime/clock.ts'
import type { Meter } from '../runtime/meter.ts'
import type { AccountLimits } from '../storage/port/hooks.ts'
import { createRateLimit } from './rate-limit.ts'

/** What one account may have and do, whichever door it uses: the REST API, or the console and its API. */
export type AccountLimitSettings = AccountLimits & {
  readonly apiRequestsPerMinute: number
  readonly appSearchesPerMinute: number
  readonly testEventsPerMinute: number
}

export type LimitName = 'api_requests' | 'app_searches' | 'test_events' | 'hooks' | 'storefronts'

/** An account did something too often; it may again after `retryAfterS`. */
export class RateLimited extends Error {
  override readonly name = 'RateLimited'
  readonly retryAfterS: number

  constructor(message: string, retryAfterS: number) {
    super(message)
    this.retryAfterS = retryAfterS
  }
}

/** The limits of every account. Each node counts rates for itself; counts hold for the installation. */
export type AccountGuard = {
  /** To be given to each change that may make more of something. */
  readonly counts: AccountLimits
  /** Each throws `RateLimited` when the account has used up its minute. */
  readonly apiRequest: (accountId: string) => void
  readonly appSearch: (accountId: string) => void
  readonly testEvent: (accountId: string) => void
}

const WINDOW_MS = 60_000

export function createAccountGuard(
  settings: AccountLimitSettings,
  deps: { readonly clock: Clock; readonly meter: Meter },
): AccountGuard {
  const perMinute = (max: number, name: LimitName, things: string) => {
    const limit = createRateLimit({ max, windowMs: WINDOW_MS, clock: deps.clock })
    return (accountId: string) => {
      const waitMs = limit(accountId)
      if (waitMs === 0) return
      deps.meter.count('account_limits_reached_total', { limit: name })
      const waitS = Math.ceil(waitMs / 1_000)
      throw new RateLimited(`An account has ${max} ${things} a minute; try again in ${waitS} s.`, waitS)
    }
  }
  return {
    counts: { hooksMax: settings.hooksMax, storefrontsMax: settings.storefrontsMax },
    apiRequest: perMinute(settings.apiRequestsPerMinute, 'api_requests', 'API requests'),
    appSearch: perMinute(settings.appSearchesPerMinute, 'app_searches', 'app searches'),
    testEvent: perMinute(settings.testEventsPerMinute, 'test_events', 'test events'),
  }
}
