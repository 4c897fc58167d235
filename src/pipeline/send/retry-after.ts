/** A receiver may ask for a longer wait, but not for more than the longest step of the wait list (DESIGN 5.6). */
export const RETRY_AFTER_MS_MAX = 24 * 60 * 60 * 1000

const DAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)'
const LONG_DAY = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day'
const CLOCK = '\\d{2}:\\d{2}:\\d{2}'
/** The three forms of RFC 9110 5.6.7; `Date.parse` alone would take `-5` or `1.5` for dates. */
const HTTP_DATE = new RegExp(
  `^(?:${DAY}, \\d{2} [A-Z][a-z]{2} \\d{4} ${CLOCK} GMT|${LONG_DAY}, \\d{2}-[A-Z][a-z]{2}-\\d{2} ${CLOCK} GMT|${DAY} [A-Z][a-z]{2} [ \\d]\\d ${CLOCK} \\d{4})$`,
)

/**
 * Milliseconds that the answer asks us to wait, from 0 to a day; null when it does not ask or what it says is neither
 * seconds nor a date (RFC 9110 10.2.3). A date counts from the receiver's own `date` header where there is one: its
 * clock may differ from ours.
 */
export function retryAfterMs(headers: Readonly<Record<string, string>>, now: Date): number | null {
  const value = headers['retry-after']?.trim()
  if (!value) return null
  if (/^\d+$/.test(value)) return bounded(Number(value) * 1000)
  const until = httpDate(value)
  if (until === null) return null
  return bounded(until - (httpDate(headers.date ?? '') ?? now.getTime()))
}

function httpDate(text: string): number | null {
  if (!HTTP_DATE.test(text)) return null
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
  return Number.isNaN(at) ? null : at
}

function bounded(ms: number): number {
  return Math.min(Math.max(ms, 0), RETRY_AFTER_MS_MAX)
}
