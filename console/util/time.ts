/** Instants as people read them: local, relative when near, exact on hover. */

const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' })
const EXACT = new Intl.DateTimeFormat('en-GB', {
  year: 'numeric',
  month: 'short',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
})
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

/** `3 hr. ago`, `in 5 min.`, `now`; the date beyond a week either way. */
export function relativeTime(instant: Date, now: Date): string {
  const distanceMs = instant.getTime() - now.getTime()
  if (Math.abs(distanceMs) > 7 * 86_400_000) return DAY.format(instant)
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

/** `12 ms`, `1.4 s`, `3 min`: for how long something took. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`
  if (ms < 3_600_000) return `${Math.round(ms / 60_000)} min`
  return `${(ms / 3_600_000).toFixed(1)} h`
}
