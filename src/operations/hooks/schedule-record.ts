import type { MessageScheduleBody, MessageScheduleView } from '../../contract/message-schedule.ts'
import type { MessageSchedule } from '../../model/message-schedule.ts'
import type { ScheduleInput } from './message-schedule.ts'

/** A schedule in the format of the REST API and of files. */
export function scheduleRecord(schedule: MessageSchedule | null): MessageScheduleView {
  if (schedule === null) return null
  return {
    time_zone: schedule.timeZone,
    every_minutes: schedule.everyMinutes,
    daily_at: schedule.dailyAt,
    weekday: schedule.weekday,
    quiet_from: schedule.quiet?.from ?? null,
    quiet_until: schedule.quiet?.until ?? null,
  }
}

export function scheduleInputOf(body: MessageScheduleBody): ScheduleInput | null | undefined {
  if (body == null) return body
  return {
    timeZone: body.time_zone,
    everyMinutes: body.every_minutes,
    dailyAt: body.daily_at,
    weekday: body.weekday,
    quietFrom: body.quiet_from,
    quietUntil: body.quiet_until,
  }
}

/** As text, equal for equal schedules; absent fields have their defaults. */
export function scheduleText(body: MessageScheduleBody): string {
  if (body == null) return 'none'
  const { time_zone, every_minutes, daily_at, weekday, quiet_from, quiet_until } = body
  const parts = [
    every_minutes == null ? null : `every ${every_minutes} min`,
    daily_at == null ? null : `at ${daily_at}`,
    weekday == null ? null : `on weekday ${weekday}`,
    quiet_from == null ? null : `quiet from ${quiet_from} to ${quiet_until}`,
    time_zone ?? 'UTC',
  ]
  return parts.filter((part) => part !== null).join(', ')
}
