import { z } from 'zod'
import { MESSAGE_INTERVAL_MINUTES, WEEKDAY } from '../model/hook-limits.ts'
import { says } from './field.ts'

const time = (field: string) => z.string(says(`message_schedule.${field}`, 'a time such as "09:00"'))

type Range = { readonly min: number; readonly max: number }

function wholeNumber(field: string, { min, max }: Range, shownMin = `${min}`) {
  const message = says(`message_schedule.${field}`, `a whole number from ${shownMin} to ${max}`)
  // `radar apply` also runs the operation, which would report the same.
  const once = { ...message, abort: true }
  return z.int(message).min(min, once).max(max, once)
}

const fields = {
  time_zone: z.string(says('message_schedule.time_zone', 'the name of a time zone, such as "Europe/Berlin"')),
  every_minutes: wholeNumber('every_minutes', MESSAGE_INTERVAL_MINUTES),
  daily_at: time('daily_at'),
  weekday: wholeNumber('weekday', WEEKDAY, '1 (Monday)'),
  quiet_from: time('quiet_from'),
  quiet_until: time('quiet_until'),
} as const

/** When the messages of a formatted destination are sent (docs/contract.md, Formatted destinations). */
export const messageScheduleFields = {
  time_zone: fields.time_zone.nullish().meta({ default: 'UTC', description: 'IANA name of the time zone.' }),
  every_minutes: fields.every_minutes.nullish().meta({ description: 'At most one message in this time.' }),
  daily_at: fields.daily_at.nullish().meta({ description: 'One message a day at this time, `HH:MM`.' }),
  weekday: fields.weekday
    .nullish()
    .meta({ description: 'With `daily_at`: one message a week. Monday is 1.' }),
  quiet_from: fields.quiet_from.nullish().meta({ description: 'No messages from this time, `HH:MM`.' }),
  quiet_until: fields.quiet_until.nullish().meta({ description: 'The end of the quiet hours.' }),
}

export const messageSchedule = z
  .object(messageScheduleFields, says('message_schedule', 'an object or null'))
  .nullish()
  .meta({
    description:
      'When messages are sent; null sends each event at once. Until then events are collected, and one message shows them all. Not for `webhook`.',
  })
export type MessageScheduleBody = z.infer<typeof messageSchedule>

export const messageScheduleView = z
  .object({
    time_zone: z.string(),
    every_minutes: z.int().nullable(),
    daily_at: z.string().nullable(),
    weekday: z.int().nullable(),
    quiet_from: z.string().nullable(),
    quiet_until: z.string().nullable(),
  })
  .nullable()
  .meta({ description: 'When messages are sent; null for each event at once.' })
export type MessageScheduleView = z.infer<typeof messageScheduleView>
