import { LOCALE } from './locale.ts'
import { decimal } from './numbers.ts'

/** The only module that formats times. */

const RELATIVE = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' })
const EXACT = new Intl.DateTimeFormat(LOCALE, {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
})
const DATE = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', year: 'numeric' })
const DAY = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short' })
const FULL_DAY = new Intl.DateTimeFormat(LOCALE, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
})
const MONTH = new Intl.DateTimeFormat(LOCALE, { month: 'short' })
const MONTH_AND_YEAR = new Intl.DateTimeFormat(LOCALE, { month: 'short', year: 'numeric' })
const WHOLE_MONTH = new Intl.DateTimeFormat(LOCALE, { month: 'long', year: 'numeric' })
const CLOCK = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit' })

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

/** `3 hours ago`, `in 5 minutes`, `now`, or a date if more than a week away. */
export function relativeTime(instant: Date, now: Date): string {
  const distanceMs = instant.getTime() - now.getTime()
  if (Math.abs(distanceMs) > 7 * 86_400_000) return DATE.format(instant)
  for (const [unit, unitMs] of UNITS) {
    if (Math.abs(distanceMs) >= unitMs) return RELATIVE.format(Math.round(distanceMs / unitMs), unit)
  }
  if (Math.abs(distanceMs) < 5_000) return 'now'
  return RELATIVE.format(Math.round(distanceMs / 1000), 'second')
}

/** With seconds and the time zone. */
export function exactTime(instant: Date): string {
  return EXACT.format(instant)
}

/** `22 Nov` in the viewer's time zone. */
export function dayOf(instant: Date): string {
  return DAY.format(instant)
}

/** `Sun, 22 Nov 2026` in the viewer's time zone. */
export function fullDayOf(instant: Date): string {
  return FULL_DAY.format(instant)
}

/** `1 – 22 Nov 2026` in the viewer's time zone. `until` is not part of the period. */
export function periodOf(since: Date, until: Date): string {
  return DATE.formatRange(since, new Date(Math.max(since.getTime(), until.getTime() - 1)))
}

/** `Nov`, or `Jan 2027` for January. */
export function monthOf(instant: Date): string {
  return (instant.getMonth() === 0 ? MONTH_AND_YEAR : MONTH).format(instant)
}

/** `22 Nov, 14:00–15:00`: an hour in the viewer's time zone. */
export function hourOf(instant: Date): string {
  return `${dayOf(instant)}, ${clockTime(instant)}–${clockTime(new Date(instant.getTime() + 3_600_000))}`
}

/** `14:05` in the viewer's time zone. */
export function clockTime(instant: Date): string {
  return CLOCK.format(instant)
}

/** `14:05` today, `22 Nov, 14:05` on another day, `22 Nov 2025, 14:05` in another year. */
export function dayAndTime(instant: Date, now: Date): string {
  const time = clockTime(instant)
  if (instant.getFullYear() !== now.getFullYear()) return `${DATE.format(instant)}, ${time}`
  return dayOf(instant) === dayOf(now) ? time : `${dayOf(instant)}, ${time}`
}

/** `tomorrow about 14:00`: an estimate, to the next full hour. */
export function expectedTime(instant: Date, now: Date): string {
  const hour = new Date(Math.ceil(instant.getTime() / 3_600_000) * 3_600_000)
  const days = Math.round((startOfDay(hour).getTime() - startOfDay(now).getTime()) / 86_400_000)
  return `${days > 1 ? dayOf(hour) : RELATIVE.format(days, 'day')} about ${clockTime(hour)}`
}

function startOfDay(instant: Date): Date {
  return new Date(instant.getFullYear(), instant.getMonth(), instant.getDate())
}

/** `October 2026` in the viewer's time zone. */
export function monthAndYear(instant: Date): string {
  return WHOLE_MONTH.format(instant)
}

/** `12 ms`, `1.4 s`, `3 min`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${decimal(ms / 1_000, 1)} s`
  if (ms < 3_600_000) return `${Math.round(ms / 60_000)} min`
  return `${decimal(ms / 3_600_000, 1)} h`
}
