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
  | 'confirmation_mails'
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
/** Chosen: two destinations with all their recipients, and some asked again. */
const CONFIRMATIONS_PER_DAY = 50
/** Of the installation, because anybody may open accounts. Chosen: far below what marks a mail server as a sender of spam. */
const CONFIRMATIONS_PER_DAY_ALL = 1_000

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
    const check = (key: string, count: number) => {
      if (count > max) {
        const most = `${who} is limited to ${max} ${things} per ${window}`
        throw new OperationError('invalid', `${most}, and this request has ${count}.`)
      }
      const waitMs = limit.waitMs(key, count)
      if (waitMs === 0) return
      deps.meter.count('account_limits_reached_total', { limit: name })
      const waitS = Math.ceil(waitMs / 1_000)
      throw new OperationError(
        'rate_limited',
        `${who} is limited to ${max} ${things} per ${window}. Try again in ${waitS > 7_200 ? `${Math.ceil(waitS / 3_600)} hours` : `${waitS} s`}.`,
        { retryAfterS: waitS },
      )
    }
    return { check, take: limit.take }
  }
  const { modelRequestsPerDay } = settings
  const modelTask =
    modelRequestsPerDay === null
      ? []
      : [
          limited(
            'day',
            Math.max(1, Math.floor(modelRequestsPerDay * MODEL_SHARE)),
            'model_tasks',
            'drafts of answers and translations',
          ),
        ]
  const perAddress = limited(
    'hour',
    TEST_MAILS_PER_HOUR,
    'test_mails',
    'confirmation and test mails',
    'An address',
  )
  const confirmations = (max: number, who: string) =>
    limited('day', max, 'confirmation_mails', 'confirmation mails', who)
  const confirmationsOfAccount = confirmations(CONFIRMATIONS_PER_DAY, 'An account')
  const confirmationsOfAll = confirmations(CONFIRMATIONS_PER_DAY_ALL, 'This node')
  const perMinute = (max: number, name: LimitName, things: string) => limited('minute', max, name, things)
  const testEvents = perMinute(settings.testEventsPerMinute, 'test_events', 'test events')
  const confirmationsFrom = (accountId: string, count: number): Wanted[] => [
    [confirmationsOfAccount, accountId, count],
    [confirmationsOfAll, '', count],
  ]
  return {
    /** The limits that storage methods check when they create a row. */
    counts: { hooksMax: settings.hooksMax, storefrontsMax: settings.storefrontsMax },
    /** Each takes one permit of the account, or `count`, and throws `OperationError` `rate_limited` when none is left. */
    apiRequest: permitOf(perMinute(settings.apiRequestsPerMinute, 'api_requests', 'API requests')),
    appSearch: permitOf(perMinute(settings.appSearchesPerMinute, 'app_searches', 'app searches')),
    testEvent: permitOf(testEvents),
    replyDraft: permitOf(
      perMinute(settings.replyDraftsPerMinute, 'reply_drafts', 'drafts of answers'),
      ...modelTask,
    ),
    translation: permitOf(
      perMinute(settings.replyDraftsPerMinute, 'translations', 'translations'),
      ...modelTask,
    ),
    /** Of one test, which goes to all addresses or to none. */
    testMails: (addresses: readonly string[]) => takeAll(mailboxesOf(perAddress, addresses)),
    /** Of one request, which asks all addresses or none. */
    confirmations(accountId: string, addresses: readonly string[]) {
      const count = addresses.length
      if (count === 0) return
      takeAll([...mailboxesOf(perAddress, addresses), ...confirmationsFrom(accountId, count)])
    },
    /** Of one test alert, which goes to all of `tested` and asks all of `asked`, or none. */
    testAlert(
      accountId: string,
      { tested, asked }: { readonly tested: readonly string[]; readonly asked: readonly string[] },
    ) {
      takeAll([
        [testEvents, accountId, 1],
        ...mailboxesOf(perAddress, [...tested, ...asked]),
        ...(asked.length === 0 ? [] : confirmationsFrom(accountId, asked.length)),
      ])
    },
    /** Of one import, which stores all of them or none. */
    importedRows: permitOf(limited('day', settings.importedRowsPerDay, 'imported_rows', 'imported rows')),
  }
}

type Limit = {
  /** Throws unless there are `count` permits. */
  readonly check: (key: string, count: number) => void
  readonly take: (key: string, count: number) => void
}

type Wanted = readonly [limit: Limit, key: string, count: number]

/** Without any permit taken when one of the limits refuses. */
function takeAll(wanted: readonly Wanted[]): void {
  for (const [limit, key, count] of wanted) limit.check(key, count)
  for (const [limit, key, count] of wanted) limit.take(key, count)
}

function permitOf(...limits: readonly Limit[]): (accountId: string, count?: number) => void {
  return (accountId, count = 1) => takeAll(limits.map((limit) => [limit, accountId, count]))
}

/** One for each mailbox: most mail servers put `ann+tag@` into that of `ann@`, so a tag gives nobody more mails. */
function mailboxesOf(limit: Limit, addresses: readonly string[]): Wanted[] {
  const counts = new Map<string, number>()
  for (const address of addresses) {
    const [name = '', domain] = address.toLowerCase().split('@')
    const mailbox = `${name.split('+', 1)[0]}@${domain}`
    counts.set(mailbox, (counts.get(mailbox) ?? 0) + 1)
  }
  return [...counts].map(([mailbox, count]) => [limit, mailbox, count])
}
