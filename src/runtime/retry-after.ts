const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const MONTH = `(?<month>${MONTHS.join('|')})`
const DAY_NAME = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)'
const LONG_DAY_NAME = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day'
const TIME = '(?<hour>\\d{2}):(?<minute>\\d{2}):(?<second>\\d{2})'
const DAY = '(?<day>\\d{2})'
const YEAR = '(?<year>\\d{4})'

/**
 * The three forms of RFC 9110 5.6.7: IMF-fixdate, RFC 850 and asctime. `Date.parse` would also accept `-5` as a date.
 */
const FORMS = [
  new RegExp(`^${DAY_NAME}, ${DAY} ${MONTH} ${YEAR} ${TIME} GMT$`),
  new RegExp(`^${LONG_DAY_NAME}, ${DAY}-${MONTH}-(?<shortYear>\\d{2}) ${TIME} GMT$`),
  new RegExp(`^${DAY_NAME} ${MONTH} (?<day>[ \\d]\\d) ${TIME} ${YEAR}$`),
]

/** RFC 9110 5.6.7: a two-digit year is never more than 50 years ahead. */
const SHORT_YEAR_AHEAD_MAX = 50

/**
 * The wait that an answer requests, in milliseconds from 0 to `maxMs`. Null when `Retry-After` is absent, or neither
 * delta-seconds nor an HTTP-date (RFC 9110 10.2.3). A date is relative to the sender's `Date` header, since clocks may
 * differ, otherwise to `now`. Null without both.
 */
export function retryAfterMs(
  headers: Readonly<Record<string, string>>,
  limits: { readonly maxMs: number; readonly now: Date | null },
): number | null {
  const value = headers['retry-after']?.trim() ?? ''
  const bounded = (ms: number) => Math.min(Math.max(ms, 0), limits.maxMs)
  if (/^\d+$/.test(value)) return bounded(Number(value) * 1000)
  const nowMs = limits.now?.getTime() ?? null
  const fromMs = httpDateMs(headers.date?.trim() ?? '', nowMs) ?? nowMs
  const untilMs = httpDateMs(value, fromMs)
  return untilMs === null || fromMs === null ? null : bounded(untilMs - fromMs)
}

/** Milliseconds since the epoch of an HTTP-date; null for anything else. The name of the day is not checked. */
export function httpDateMs(text: string, nowMs: number | null): number | null {
  const found = FORMS.map((form) => form.exec(text)?.groups).find((groups) => groups !== undefined)
  if (found === undefined) return null
  const year = found.year === undefined ? fullYear(Number(found.shortYear), nowMs) : Number(found.year)
  const month = MONTHS.indexOf(found.month ?? '')
  const [day, hour, minute, second] = [found.day, found.hour, found.minute, found.second].map(Number)
  if (day === undefined || hour === undefined || minute === undefined || second === undefined) return null
  // A leap second is written as 60.
  if (hour > 23 || minute > 59 || second > 60) return null
  const date = new Date(0)
  date.setUTCFullYear(year, month, day)
  // A day beyond the end of the month would roll over into the next month.
  if (date.getUTCMonth() !== month || date.getUTCDate() !== day) return null
  return date.getTime() + ((hour * 60 + minute) * 60 + second) * 1000
}

function fullYear(shortYear: number, nowMs: number | null): number {
  const year = 2000 + shortYear
  if (nowMs === null) return year
  return year > new Date(nowMs).getUTCFullYear() + SHORT_YEAR_AHEAD_MAX ? year - 100 : year
}
