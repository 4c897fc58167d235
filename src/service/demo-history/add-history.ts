import { randomUUID } from 'node:crypto'
import type { Store } from '../../model/vocabulary.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Storage } from '../../storage/port/storage.ts'
import { sendAll } from './deliveries.ts'
import { rateAll } from './ratings.ts'
import { reviewAll, reviewsByDay } from './reviews.ts'

/**
 * The past month of a demo: ratings with drops, reviews as events, and their deliveries with attempts, as if the service had run for that
 * time. Uses the storage as the stages do, with past times. The reviews are already stored.
 */

const DAY_MS = 24 * 3_600_000
const LEASE_MS = 60_000
/** More than a demo has feeds. */
const FEEDS_MAX = 1_000

export type PastRelease = {
  readonly store: Store
  readonly appId: string
  readonly name: string
  readonly developer: string
  readonly version: string
  readonly daysAgo: number
}

export type HistoryOptions = {
  readonly storage: Storage
  readonly clock: Clock
  /** From 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number
  readonly accountId: string
  readonly days: number
  readonly releases: readonly PastRelease[]
  /** Whether the target fails sometimes. Its first attempts then fail, and the second succeeds. */
  readonly isFlaky: (targetUrl: string) => boolean
}

export async function addHistory(options: HistoryOptions): Promise<void> {
  const { storage, clock, days } = options
  const nowMs = clock.now().getTime()
  const byDay = await reviewsByDay(options, nowMs)
  for (const { daysAgo, store, appId, name, developer, version } of options.releases) {
    const release = { version, releasedAt: new Date(nowMs - daysAgo * DAY_MS) }
    await storage.feeds.saveApps([{ store, appId, name, developer, iconUrl: null, release }], clock.now())
  }
  for (let daysAgo = days; daysAgo > 0; daysAgo -= 1) {
    // A few minutes later each day, because real events do not occur at the same time.
    const at = new Date(nowMs - daysAgo * DAY_MS + Math.floor(options.random() * 3_600_000))
    // Without a turn of the event loop, so that fan-out and sender do not take these rows with the present time.
    await rateAll(storage, await leaseFeeds(storage, 'rating', nowMs), at, daysAgo)
    await reviewAll(storage, await leaseFeeds(storage, 'reviews', nowMs), byDay.get(daysAgo) ?? [], at)
    await sendAll(options, at)
    await new Promise(setImmediate)
  }
}

/** All feeds that are not being polled, due or not. */
async function leaseFeeds(storage: Storage, kind: 'rating' | 'reviews', nowMs: number) {
  const claim = (store: Store) =>
    storage.feeds.claim({
      store,
      kind,
      now: new Date(nowMs + DAY_MS),
      lease: randomUUID(),
      leaseMs: LEASE_MS,
      limit: FEEDS_MAX,
      sameMarket: false,
    })
  return [...(await claim('apple')), ...(await claim('google'))]
}
