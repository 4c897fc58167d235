import type { Rating } from '../../model/rating.ts'
import { detectRating } from '../../pipeline/detect/detect-rating.ts'
import type { LeasedFeed } from '../../storage/port/feeds.ts'
import type { Storage } from '../../storage/port/storage.ts'
import { eventsOfThePast } from './deliveries.ts'
import { settledPoll } from './polls.ts'

/** Days with a drop, and the stars that it costs; half of it is back after two days. */
const DROPS = [
  { daysAgo: 24, micros: 90_000 },
  { daysAgo: 10, micros: 160_000 },
] as const
const HALF_BACK_DAYS = 2
/** The share of all ratings that a day adds. */
const GROWTH_PER_DAY = 0.002
/** How much a rating varies from day to day. */
const NOISE_MICROS = 4_000

/** Adds the rating of a past day to the history of each feed, and the events of drops. The present rating stays. */
export async function rateAll(
  storage: Storage,
  feeds: readonly LeasedFeed[],
  at: Date,
  daysAgo: number,
): Promise<void> {
  const rated = feeds.filter(({ baseline }) => baseline !== null)
  await storage.feeds.release(feeds.filter(({ baseline }) => baseline === null))
  const observed = new Map(
    rated.map((feed) => [feed.id, [pastRating(feed, daysAgo), pastRating(feed, daysAgo + 1)] as const]),
  )
  await storage.feeds.commitRatings(
    rated.map((feed) => ({ ...settledPoll(feed, at), rating: pastRating(feed, daysAgo) })),
    ({ feedId }, _present, intervalMs) => {
      const feed = rated.find(({ id }) => id === feedId)
      const [current = null, before = null] = observed.get(feedId) ?? []
      const drop = feed === undefined ? null : detectRating(feed.store, feed.appId, current, before).drop
      return { baseline: null, drop, rise: null, nextPollAt: feed?.dueAt ?? at, intervalMs }
    },
  )
  await eventsOfThePast(storage, at)
}

/** The rating some days ago, from the present one. The same for each call. */
function pastRating({ id, baseline }: LeasedFeed, daysAgo: number): Rating {
  if (baseline === null) throw new Error('the feed has no rating yet')
  const lost = DROPS.reduce((sum, drop) => {
    const days = drop.daysAgo - daysAgo
    return days < 0 ? sum : sum + drop.micros * 0.5 ** (days / HALF_BACK_DAYS)
  }, 0)
  const noise = NOISE_MICROS * Math.sin(id * 12.9 + daysAgo * 78.2)
  return {
    micros: Math.round(Math.min(Math.max(baseline.micros - lost + noise, 1_000_000), 5_000_000)),
    count: Math.max(1, Math.round(baseline.count * (1 - GROWTH_PER_DAY * daysAgo))),
  }
}
