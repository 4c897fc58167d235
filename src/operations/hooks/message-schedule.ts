import type { Hook } from '../../model/hook.ts'
import { MESSAGE_INTERVAL_MINUTES, WEEKDAY } from '../../model/hook-limits.ts'
import type { MessageSchedule } from '../../model/message-schedule.ts'
import { OperationError } from '../error.ts'
import { requireInRange } from '../in-range.ts'

/** When messages are sent, as a caller gives it. Times are `HH:MM`. */
export type ScheduleInput = {
  /** An IANA name; UTC by default. */
  readonly timeZone?: string | null | undefined
  readonly everyMinutes?: number | null | undefined
  readonly dailyAt?: string | null | undefined
  /** With `dailyAt`: Monday is 1, Sunday 7. */
  readonly weekday?: number | null | undefined
  readonly quietFrom?: string | null | undefined
  readonly quietUntil?: string | null | undefined
}

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/

/** The changed schedule of a hook; undefined leaves it unchanged. Throws `invalid` with the name of the field. */
export function changedSchedule(
  hook: Pick<Hook, 'targetType' | 'messageSchedule'>,
  input: ScheduleInput | null | undefined,
  now: Date,
): MessageSchedule | null | undefined {
  // A webhook gets every event by itself.
  if (hook.targetType === 'webhook') {
    if (input != null)
      throw new OperationError('invalid', 'must not be given for a webhook.', { field: 'messageSchedule' })
    return hook.messageSchedule === null ? undefined : null
  }
  if (input == null) return input
  const { timeZone, everyMinutes, dailyAt, weekday, quietFrom, quietUntil } = input
  requireInRange(of('everyMinutes'), everyMinutes, MESSAGE_INTERVAL_MINUTES)
  requireInRange(of('weekday'), weekday, WEEKDAY)
  if (everyMinutes != null && !Number.isInteger(everyMinutes))
    throw invalid('everyMinutes', 'must be a whole number.')
  if (weekday != null && !Number.isInteger(weekday)) throw invalid('weekday', 'must be a whole number.')
  for (const [field, time] of Object.entries({ dailyAt, quietFrom, quietUntil })) {
    if (time != null && !TIME.test(time))
      throw invalid(field, 'must be a time from 00:00 to 23:59, such as 09:00.')
  }
  if (everyMinutes != null && dailyAt != null)
    throw invalid('everyMinutes', 'must not be given with daily_at.')
  if (weekday != null && dailyAt == null) throw invalid('dailyAt', 'is required with weekday.')
  if ((quietFrom == null) !== (quietUntil == null)) {
    throw invalid(quietFrom == null ? 'quietFrom' : 'quietUntil', 'is required: quiet hours have both times.')
  }
  if (quietFrom != null && quietFrom === quietUntil)
    throw invalid('quietUntil', 'must differ from the start of the quiet hours.')
  if (everyMinutes == null && dailyAt == null && quietFrom == null) {
    const problem = 'must have every_minutes, daily_at or quiet hours; null sends each event at once.'
    throw new OperationError('invalid', problem, { field: 'messageSchedule' })
  }
  const schedule = {
    timeZone: knownTimeZone(timeZone ?? 'UTC'),
    everyMinutes: everyMinutes ?? null,
    dailyAt: dailyAt ?? null,
    weekday: weekday ?? null,
    quiet: quietFrom != null && quietUntil != null ? { from: quietFrom, until: quietUntil } : null,
  }
  // The same one keeps its start, so that a change of other fields delays no message.
  const { sinceMs, ...stored } = hook.messageSchedule ?? { sinceMs: 0 }
  const isSame = JSON.stringify({ ...stored }) === JSON.stringify(schedule)
  return isSame ? undefined : { ...schedule, sinceMs: now.getTime() }
}

/** As given, so that a caller that compares finds no difference: the runtime resolves Asia/Kolkata to an older name. */
function knownTimeZone(name: string): string {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return name
  } catch {
    throw invalid('timeZone', 'must be the name of a time zone, such as Europe/Berlin.')
  }
}

function of(field: string): string {
  return `messageSchedule.${field}`
}

function invalid(field: string, problem: string): OperationError {
  return new OperationError('invalid', problem, { field: of(field) })
}
