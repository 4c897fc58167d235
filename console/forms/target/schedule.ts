import type { MessageScheduleBody } from '../../../src/contract/console/destinations.ts'

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

export function choiceOf(schedule: MessageScheduleBody | null, timeZone: string): ScheduleChoice {
  const {
    everyMinutes = null,
    dailyAt = null,
    weekday = null,
    quietFrom = null,
    quietUntil = null,
  } = schedule ?? {}
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
    quietUntil: quietUntil ?? '07:00',
    timeZone: schedule?.timeZone ?? timeZone,
  }
}

/** Null for each event at once. */
export function scheduleOf(choice: ScheduleChoice): MessageScheduleBody | null {
  const { mode, everyMinutes, dailyAt, weekday, isQuiet, quietFrom, quietUntil, timeZone } = choice
  if (mode === 'each' && !isQuiet) return null
  return {
    timeZone,
    everyMinutes: mode === 'throttle' ? Number(everyMinutes) : null,
    dailyAt: mode === 'daily' || mode === 'weekly' ? dailyAt : null,
    weekday: mode === 'weekly' ? weekday : null,
    quietFrom: isQuiet ? quietFrom : null,
    quietUntil: isQuiet ? quietUntil : null,
  }
}
