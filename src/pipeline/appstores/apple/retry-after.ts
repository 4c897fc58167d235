/** Longer waits than a day say nothing more. */
const RETRY_AFTER_MS_MAX = 24 * 60 * 60 * 1000

/**
 * Milliseconds that Apple asked us to wait, 0 to a day (RFC 9110 section 10.2.3): seconds, or a date measured against
 * the answer's own `Date`, since the two clocks need not agree. Undefined when there is none or it cannot be read.
 */
export function retryAfterMsOf(headers: Readonly<Record<string, string>>): number | undefined {
  const value = headers['retry-after']?.trim() ?? ''
  const waitMs = /^\d+$/.test(value)
    ? Number(value) * 1000
    : Date.parse(value) - Date.parse(headers.date ?? '')
  return Number.isFinite(waitMs) ? Math.min(Math.max(waitMs, 0), RETRY_AFTER_MS_MAX) : undefined
}
