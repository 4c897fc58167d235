import { httpDateMs } from '../../../runtime/retry-after.ts'

/** A difference that can make a store refuse a token. Smaller ones are the latency of the answer. */
const DIFFERENCE_MS_MIN = 30_000

/**
 * A sentence when this machine's clock differs from the store's `Date` header enough to refuse a token; else null. The
 * errors of the stores do not name the clock.
 */
export function clockDifference(
  headers: Readonly<Record<string, string>>,
  now: Date,
  storeName: string,
): string | null {
  const storeMs = httpDateMs(headers.date?.trim() ?? '', now.getTime())
  if (storeMs === null) return null
  const aheadMs = now.getTime() - storeMs
  if (Math.abs(aheadMs) < DIFFERENCE_MS_MIN) return null
  const place = aheadMs > 0 ? 'ahead of' : 'behind'
  return `The clock of this machine is ${durationText(Math.abs(aheadMs))} ${place} ${storeName}'s, and tokens are valid only around the store's time. Set the clock, e.g. with NTP.`
}

function durationText(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 120) return `${seconds} seconds`
  const minutes = Math.round(seconds / 60)
  if (minutes < 120) return `${minutes} minutes`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`
}
