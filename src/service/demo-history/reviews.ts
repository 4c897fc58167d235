import type { LeasedFeed } from '../../storage/port/feeds.ts'
import type { ReviewRecord } from '../../storage/port/reports.ts'
import type { Storage } from '../../storage/port/storage.ts'
import { eventsOfThePast } from './deliveries.ts'
import { settledPoll } from './polls.ts'

const DAY_MS = 24 * 3_600_000
/** More than a demo has in a month. */
const REVIEWS_MAX = 5_000

type PastReviews = {
  readonly storage: Storage
  readonly accountId: string
  readonly days: number
}

/** The stored reviews of the past days, by the number of whole days before now. */
export async function reviewsByDay(
  { storage, accountId, days }: PastReviews,
  nowMs: number,
): Promise<ReadonlyMap<number, readonly ReviewRecord[]>> {
  const since = new Date(nowMs - (days + 1) * DAY_MS)
  const page = { limit: REVIEWS_MAX, before: null }
  const { reviews } = await storage.reports.reviews(accountId, { since }, page)
  return Map.groupBy(reviews, ({ occurredAt }) => Math.floor((nowMs - occurredAt.getTime()) / DAY_MS))
}

/** Events of stored reviews, created at a past time. */
export async function reviewAll(
  storage: Storage,
  feeds: readonly LeasedFeed[],
  reviews: readonly ReviewRecord[],
  at: Date,
): Promise<void> {
  const unused: LeasedFeed[] = []
  for (const feed of feeds) {
    const own = reviews.filter(
      ({ store, appId, market }) => store === feed.store && appId === feed.appId && market === feed.market,
    )
    if (own.length === 0) {
      unused.push(feed)
      continue
    }
    await storage.feeds.commitReviews(
      settledPoll(feed, at),
      own,
      false,
      { readyAt: at, enrich: false },
      () => ({
        seen: [],
        toStore: [],
        occurrences: own,
        nextPollAt: feed.dueAt,
        intervalMs: feed.intervalMs,
        reviewsPerDay: null,
      }),
    )
  }
  await storage.feeds.release(unused)
  await eventsOfThePast(storage, at)
}
