import type { SealedSecret } from '../../../model/hook.ts'
import type { Unsubscribed } from '../../../model/mail-recipient.ts'
import type { MessageSchedule } from '../../../model/message-schedule.ts'
import type { RedirectRule } from '../../../model/redirects.ts'
import type { TargetType } from '../../../model/target.ts'
import type { HookStatus } from '../../../model/vocabulary.ts'
import {
  type Column,
  columns,
  flag,
  instant,
  integer,
  json,
  nullable,
  real,
  text,
  word,
} from '../../columns.ts'
import { dateOf, dateOrNull, msOf, msOrNull, parsed } from '../../values.ts'

/** JSON, with instants in milliseconds. */
export const secrets: Column<readonly SealedSecret[]> = {
  read: (stored) =>
    parsed<{ sealed: string; expiresAt: number | null }[]>(String(stored)).map(({ sealed, expiresAt }) => ({
      sealed,
      expiresAt: dateOrNull(expiresAt),
    })),
  store: (value) =>
    JSON.stringify(value.map(({ sealed, expiresAt }) => ({ sealed, expiresAt: msOrNull(expiresAt) }))),
  type: 'text',
}

/** JSON; null for none. */
export const unsubscribed: Column<readonly Unsubscribed[]> = {
  read: (stored) =>
    parsed<{ recipient: string; at: number; unconfirmed?: true }[]>(String(stored ?? '[]')).map((each) => ({
      ...each,
      at: dateOf(each.at),
    })),
  store: (value) =>
    value.length === 0 ? null : JSON.stringify(value.map((each) => ({ ...each, at: msOf(each.at) }))),
  type: 'text',
}

export const messageSchedule = nullable(json<MessageSchedule>())

/** Of `hooks h`. */
export const HOOK_OPTIONS = columns(
  { cloudEvents: flag, redirect: word<RedirectRule>(), lateReviewsHours: integer },
  'h',
)

/** What `HookStorage.update` changes. */
export const UPDATED_HOOK = columns({
  targetUrl: text,
  targetType: word<TargetType>(),
  targetSettings: nullable(text),
  name: nullable(text),
  description: nullable(text),
  ratePerSecond: nullable(real),
  ...HOOK_OPTIONS.shape,
  messageSchedule,
  secrets,
})

export const HOOK = columns({
  id: text,
  accountId: text,
  source: text,
  externalRef: nullable(text),
  status: word<HookStatus>(),
  createdAt: instant,
  ...UPDATED_HOOK.shape,
  unsubscribed,
})
