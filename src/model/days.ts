/** Calendar days of a time zone, and hours: the intervals of reports. */

/** The starts of days or hours, oldest first. Each lasts until the next, the last one until now. */
export type Buckets = readonly [Date, ...Date[]]

const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** Whether the text is a name in the IANA time zone database, such as `Europe/Berlin`. */
export function isTimeZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text })
    return true
  } catch {
    return false
  }
}

/** When the last `count` days begin in the zone, oldest first; the last one is the day of `now`. */
export function dayStarts(now: Date, count: number, zone: string): Buckets {
  const offsetAt = offsetsOf(zone)
  const today = Math.floor((now.getTime() + offsetAt(now.getTime())) / DAY_MS)
  return last(count, (ago) => new Date(instantOf((today - ago) * DAY_MS, offsetAt)))
}

/** When the last `count` hours begin, oldest first; the last one is the hour of `now`. */
export function hourStarts(now: Date, count: number): Buckets {
  const presentMs = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS
  return last(count, (ago) => new Date(presentMs - ago * HOUR_MS))
}

function last(count: number, startOf: (ago: number) => Date): Buckets {
  return [startOf(count - 1), ...Array.from({ length: count - 1 }, (_, index) => startOf(count - 2 - index))]
}

/** The instant of a local midnight. If the clock skips midnight, the day starts after the skipped time. */
function instantOf(midnightMs: number, offsetAt: (ms: number) => number): number {
  const earlier = midnightMs - offsetAt(midnightMs - DAY_MS)
  const later = midnightMs - offsetAt(midnightMs + DAY_MS)
  return [earlier, later].find((ms) => ms + offsetAt(ms) === midnightMs) ?? Math.max(earlier, later)
}

/** The offset of the zone from UTC at an instant, in milliseconds. */
function offsetsOf(zone: string): (ms: number) => number {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
  return (ms) => {
    const name = format.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? ''
    const [, sign, hours, minutes, seconds] = /([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(name) ?? []
    if (sign === undefined) return 0
    const distanceMs = Number(hours) * HOUR_MS + Number(minutes) * 60_000 + Number(seconds ?? 0) * 1_000
    return sign === '-' ? -distanceMs : distanceMs
  }
}
