import type { Clock } from '../../runtime/clock.ts'
import { reservePermits } from '../../runtime/gcra.ts'

/** The part of a store's requests that people's searches may use in the long run. The others are for polls. */
const SHARE = 0.1
/** And at once, after a pause: of the requests of a minute. */
const BURST_SHARE = 0.5
/** The time to use a booked request. */
const GRACE_MS = 20_000
/** Further ahead nothing is booked. */
const AHEAD_MS_MAX = 5 * 60_000

export type SearchShare = {
  /** Returns 0 when the account may send a request to the store now, or the milliseconds after which it may. */
  readonly take: (accountId: string) => number
}

/**
 * The requests to one store that searches of all accounts may send; each node has its own. An account that must wait gets the next request
 * that no other account has booked, and has one booking at most: so accounts take turns, however often one of them asks.
 */
export function createSearchShare(requestsPerMinute: number, clock: Pick<Clock, 'monotonicMs'>): SearchShare {
  const rate = {
    burst: Math.max(1, Math.floor(requestsPerMinute * BURST_SHARE)),
    intervalMs: 60_000 / (requestsPerMinute * SHARE),
  }
  const bookedAtMs = new Map<string, number>()
  let arrivalMs: number | null = null
  return {
    take(accountId) {
      const nowMs = clock.monotonicMs()
      for (const [account, atMs] of bookedAtMs) if (atMs + GRACE_MS < nowMs) bookedAtMs.delete(account)
      let atMs = bookedAtMs.get(accountId)
      if (atMs === undefined) {
        const reserved = reservePermits(arrivalMs, rate, nowMs, 1)
        atMs = reserved.permitsAtMs[0] ?? nowMs
        if (atMs - nowMs > AHEAD_MS_MAX) return atMs - nowMs
        arrivalMs = reserved.arrivalMs
        bookedAtMs.set(accountId, atMs)
      }
      if (atMs > nowMs) return atMs - nowMs
      bookedAtMs.delete(accountId)
      return 0
    },
  }
}
