import type { MessageScheduleView } from '../../../src/contract/message-schedule.ts'

export const SCHEDULE_MODES = ['each', 'throttle', 'daily', 'weekly'] as const
export type ScheduleMode = (typeof SCHEDULE_MODES)[number]

/** What a person chose. Values of other modes stay, so that switching back restores them. */
export type ScheduleChoice = {
  readonly mode: ScheduleMode
  readonly everyMinutes: number | string
  readonly dailyAt: string
  readonly weekday: number
  readonly isQuiet: boolean
  readonly quietFrom: string
  readonly quietUntil: string
  readonly timeZone: string
}

export function choiceOf(schedule: MessageScheduleView, timeZone: string): ScheduleChoice {
  const dailyAt = schedule?.daily_at ?? null
  const everyMinutes = schedule?.every_minutes ?? null
  const weekday = schedule?.weekday ?? null
  const quietFrom = schedule?.quiet_from ?? null
  return {
    mode:
      dailyAt !== null
        ? weekday === null
          ? 'daily'
          : 'weekly'
        : everyMinutes !== null
          ? 'throttle'
          : 'each',
    everyMinutes: everyMinutes ?? 10,
    dailyAt: dailyAt ?? '09:00',
    weekday: weekday ?? 1,
    isQuiet: quietFrom !== null,
    quietFrom: quietFrom ?? '22:00',
    quietUntil: schedule?.quiet_until ?? '07:00',
    timeZone: schedule?.time_zone ?? timeZone,
  }
}

/** Null for each event at once. */
export function scheduleOf(choice: ScheduleChoice): MessageScheduleView {
  const { mode, everyMinutes, dailyAt, weekday, isQuiet, quietFrom, quietUntil, timeZone } = choice
  if (mode === 'each' && !isQuiet) return null
  return {
    time_zone: timeZone,
    every_minutes: mode === 'throttle' ? Number(everyMinutes) : null,
    daily_at: mode === 'daily' || mode === 'weekly' ? dailyAt : null,
    weekday: mode === 'weekly' ? weekday : null,
    quiet_from: isQuiet ? quietFrom : null,
    quiet_until: isQuiet ? quietUntil : null,
  }
}
