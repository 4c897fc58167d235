import { eventsOf } from '../../pipeline/fanout/events.ts'
import { expireAfterMsOf } from '../../pipeline/send/after-attempt.ts'
import { type Instant, instantOf } from '../../runtime/instant.ts'
import { sendDue } from './deliveries.ts'
import type { Past } from './past.ts'
import { firstSeenAt, pollDue, RATING_POLL_MS } from './polls.ts'

/** More than the demo has at one time. */
const OCCURRENCES_MAX = 5_000

/**
 * The past of the demo, written before the service starts: polls, events, and deliveries with their attempts. Detection, rules of
 * subscriptions, retries and breakers are those of the service, at past times. No request is made.
 */
export async function addHistory(past: Past): Promise<void> {
  const { storage, from, until } = past
  for (const { store, appId, name, developer, ...release } of past.stores.releases)
    await storage.feeds.saveApps([{ store, appId, name, developer, iconUrl: null, release }], from)

  const expireAfterMs = expireAfterMsOf(past.waitsMs)
  const polls = new Set<number>()
  const sends = new Set<number>()
  const isPast = (date: Date) => date < until
  for (let atMs = from.getTime(); atMs < until.getTime(); atMs += RATING_POLL_MS) polls.add(atMs)
  for (let at: Instant | null = from; at !== null; at = earliest(polls, sends)) {
    sends.delete(at.getTime())
    if (polls.delete(at.getTime())) {
      const feeds = await pollDue(past, at)
      const found = at === from ? feeds.flatMap((feed) => past.stores.reviews(feed).map(firstSeenAt)) : []
      for (const date of found.filter(isPast)) if (date > from) polls.add(date.getTime())
      const request = { now: at, limit: OCCURRENCES_MAX, expireAfterMs }
      while ((await storage.occurrences.fanOut(request, eventsOf)).occurrences > 0);
      await storage.deliveries.sweepExpired(at, expireAfterMs, OCCURRENCES_MAX)
    }
    for (const date of (await sendDue(past, at)).filter(isPast)) sends.add(date.getTime())
  }
}

function earliest(...sets: readonly ReadonlySet<number>[]): Instant | null {
  let first = Number.POSITIVE_INFINITY
  for (const set of sets) for (const instant of set) if (instant < first) first = instant
  return Number.isFinite(first) ? instantOf(first) : null
}
