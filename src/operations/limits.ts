import type { Meter } from '../model/metrics.ts'
import type { Clock } from '../runtime/clock.ts'
import { createKeyedRateLimit } from '../runtime/keyed-rate-limit.ts'
import type { AccountLimits } from '../storage/port/hooks.ts'
import { OperationError } from './error.ts'

/** The limits of one account, the same in the REST API and in the console. */
export type AccountLimitSettings = AccountLimits & {
  readonly apiRequestsPerMinute: number
  readonly appSearchesPerMinute: number
  readonly testEventsPerMinute: number
  readonly replyDraftsPerMinute: number
}

export type LimitName =
  | 'api_requests'
  | 'app_searches'
  | 'test_events'
  | 'reply_drafts'
  | 'translations'
  | 'hooks'
  | 'storefronts'

export type AccountGuard = ReturnType<typeof createAccountGuard>

const WINDOW_MS = 60_000

/** The limits of every account. Rates apply per node, counts to the whole installation. */
export function createAccountGuard(
  settings: AccountLimitSettings,
  deps: { readonly clock: Clock; readonly meter: Meter },
) {
  const perMinute = (max: number, name: LimitName, things: string) => {
    const limit = createKeyedRateLimit({ max, windowMs: WINDOW_MS, clock: deps.clock })
    deps.meter.count('account_limits_reached_total', { limit: name }, 0)
    return (accountId: string) => {
      const waitMs = limit.take(accountId)
      if (waitMs === 0) return
      deps.meter.count('account_limits_reached_total', { limit: name })
      const waitS = Math.ceil(waitMs / 1_000)
      throw new OperationError(
        'rate_limited',
        `An account is limited to ${max} ${things} per minute. Try again in ${waitS} s.`,
        { retryAfterS: waitS },
      )
    }
  }
  return {
    /** The limits that storage methods check when they create a row. */
    counts: { hooksMax: settings.hooksMax, storefrontsMax: settings.storefrontsMax },
    /** Each takes one permit of the account and throws `OperationError` `rate_limited` when none is left. */
    apiRequest: perMinute(settings.apiRequestsPerMinute, 'api_requests', 'API requests'),
    appSearch: perMinute(settings.appSearchesPerMinute, 'app_searches', 'app searches'),
    testEvent: perMinute(settings.testEventsPerMinute, 'test_events', 'test events'),
    replyDraft: perMinute(settings.replyDraftsPerMinute, 'reply_drafts', 'drafts of answers'),
    translation: perMinute(settings.replyDraftsPerMinute, 'translations', 'translations'),
  }
}
