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
  readonly importedRowsPerDay: number
  /** Of the installation; null without a limit. */
  readonly modelRequestsPerDay: number | null
}

export type LimitName =
  | 'api_requests'
  | 'app_searches'
  | 'test_events'
  | 'test_mails'
  | 'reply_drafts'
  | 'translations'
  | 'model_tasks'
  | 'imported_rows'
  | 'hooks'
  | 'storefronts'

export type AccountGuard = ReturnType<typeof createAccountGuard>

/** Of the installation's requests to the model server a day, for drafts and translations of one account. */
const MODEL_SHARE = 0.25

const WINDOW_MS = { minute: 60_000, hour: 3_600_000, day: 24 * 3_600_000 } as const

/** People who did not ask for a mail get few of them, whatever accounts try. */
const TEST_MAILS_PER_HOUR = 6

/** The limits of every account. Rates apply per node, counts to the whole installation. */
export function createAccountGuard(
  settings: AccountLimitSettings,
  deps: { readonly clock: Clock; readonly meter: Meter },
) {
  const limited = (
    window: keyof typeof WINDOW_MS,
    max: number,
    name: LimitName,
    things: string,
    who = 'An account',
  ) => {
    const limit = createKeyedRateLimit({ max, windowMs: WINDOW_MS[window], clock: deps.clock })
    deps.meter.count('account_limits_reached_total', { limit: name }, 0)
    return (key: string, count = 1) => {
      if (count > max) {
        const most = `${who} is limited to ${max} ${things} per ${window}`
        throw new OperationError('invalid', `${most}, and this request has ${count}.`)
      }
      const waitMs = limit.take(key, count)
      if (waitMs === 0) return
      deps.meter.count('account_limits_reached_total', { limit: name })
      const waitS = Math.ceil(waitMs / 1_000)
      throw new OperationError(
        'rate_limited',
        `${who} is limited to ${max} ${things} per ${window}. Try again in ${waitS > 7_200 ? `${Math.ceil(waitS / 3_600)} hours` : `${waitS} s`}.`,
        { retryAfterS: waitS },
      )
    }
  }
  const { modelRequestsPerDay } = settings
  const modelTask =
    modelRequestsPerDay === null
      ? () => {}
      : limited(
          'day',
          Math.max(1, Math.floor(modelRequestsPerDay * MODEL_SHARE)),
          'model_tasks',
          'drafts of answers and translations',
        )
  const testMail = limited('hour', TEST_MAILS_PER_HOUR, 'test_mails', 'test mails', 'An address')
  const perMinute = (max: number, name: LimitName, things: string) => limited('minute', max, name, things)
  return {
    /** The limits that storage methods check when they create a row. */
    counts: { hooksMax: settings.hooksMax, storefrontsMax: settings.storefrontsMax },
    /** Each takes one permit of the account, or `count`, and throws `OperationError` `rate_limited` when none is left. */
    apiRequest: perMinute(settings.apiRequestsPerMinute, 'api_requests', 'API requests'),
    appSearch: perMinute(settings.appSearchesPerMinute, 'app_searches', 'app searches'),
    testEvent: perMinute(settings.testEventsPerMinute, 'test_events', 'test events'),
    replyDraft: both(
      perMinute(settings.replyDraftsPerMinute, 'reply_drafts', 'drafts of answers'),
      modelTask,
    ),
    translation: both(perMinute(settings.replyDraftsPerMinute, 'translations', 'translations'), modelTask),
    testMail: (address: string) => testMail(address.toLowerCase()),
    /** Of one import, which stores all of them or none. */
    importedRows: limited('day', settings.importedRowsPerDay, 'imported_rows', 'imported rows'),
  }
}

type TakePermit = (accountId: string) => void

function both(first: TakePermit, second: TakePermit): TakePermit {
  return (accountId) => {
    first(accountId)
    second(accountId)
  }
}
