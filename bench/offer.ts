import { detectReviews } from '../src/pipeline/detect/detect-reviews.ts'
import type { Instant } from '../src/runtime/instant.ts'
import { instantOf } from '../src/runtime/instant.ts'
import type { LeasedFeed } from '../src/storage/port/feeds.ts'
import type { Storage } from '../src/storage/port/storage.ts'
import { until } from '../test/support/until.ts'
import { claimReviewFeeds } from './feeds.ts'
import { reviewOf } from './reviews.ts'

/** Far in the future, so that no service polls these feeds during the measurement. */
const FAR = instantOf(Date.parse('2100-01-01T00:00:00Z'))
const BEYOND = instantOf(Date.parse('2100-01-02T00:00:00Z'))

/** More feeds than any measurement has. */
const FEEDS_MAX = 10_000

/** Reviews per commit, app after app, like polls. Small, so that apps alternate. */
const PAGE = 50

export type Offer = {
  /**
   * Commits `perApp` new reviews of each app as occurrences that are ready for fan-out after `leadMs`. Returns their number. Throws when
   * `leadMs` ends before all are stored.
   */
  readonly reviews: (perApp: number, leadMs?: number) => Promise<number>
}

/**
 * Offers new reviews of every Google app in the database, with texts of at least `bodyCharsMin`. The service must not poll Google before
 * the first offer.
 */
export function createOffer(storage: Storage, bodyCharsMin = 0): Offer {
  let made = 0
  const commit = async (feed: LeasedFeed, count: number, readyAt: Instant) => {
    const now = instantOf(Date.now())
    const place = { store: feed.store, appId: feed.appId, market: feed.market }
    const reviews = Array.from({ length: count }, () => reviewOf(place, made++, now, bodyCharsMin))
    await storage.feeds.commitReviews(
      {
        feedId: feed.id,
        lease: feed.lease,
        polledAt: now,
        outcome: 'ok',
        source: 'bench',
        detail: null,
        raw: null,
      },
      reviews,
      false,
      // Only pending enrichment can delay an occurrence. The measured services do not enrich.
      { readyAt, enrich: readyAt > now },
      (known) => ({
        ...detectReviews(reviews, known),
        nextPollAt: FAR,
        intervalMs: 60_000,
        reviewsPerDay: null,
      }),
    )
  }
  let apps = 0
  /** The feeds of all apps. A service on PostgreSQL may have locked some for a moment, which a claim skips. */
  const claimAll = async () => {
    const feeds: LeasedFeed[] = []
    await until('all feeds are claimed', async () => {
      feeds.push(...(await claimReviewFeeds(storage, 'google', FEEDS_MAX, BEYOND)))
      return feeds.length >= Math.max(1, apps)
    })
    apps = feeds.length
    return feeds
  }
  return {
    async reviews(perApp, leadMs = 0) {
      const readyAt = instantOf(Date.now() + leadMs)
      let left = perApp
      do {
        const feeds = await claimAll()
        await Promise.all(feeds.map((feed) => commit(feed, Math.min(left, PAGE), readyAt)))
        left -= PAGE
      } while (left > 0)
      if (leadMs > 0 && new Date() > readyAt)
        throw new Error(`storing the reviews took longer than the lead time of ${leadMs} ms`)
      return apps * perApp
    },
  }
}
