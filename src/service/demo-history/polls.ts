import { randomUUID } from 'node:crypto'
import { reviewOf, type StoreReview } from '../../model/review.ts'
import { FEED_KINDS, STORES } from '../../model/vocabulary.ts'
import { detectRating } from '../../pipeline/detect/detect-rating.ts'
import { detectReviews } from '../../pipeline/detect/detect-reviews.ts'
import { type Instant, later } from '../../runtime/instant.ts'
import type { LeasedFeed, Poll } from '../../storage/port/feeds.ts'
import type { Past } from './past.ts'

export const RATING_POLL_MS = 12 * 3_600_000
/** The wait after a failed poll. */
const RETRY_MS = 6 * 3_600_000
const LEASE_MS = 60_000
/** More than the demo has. */
const FEEDS_MAX = 1_000

/** A later poll reads only the first page. */
const PAGE_REVIEWS = 50

/** A review is found by a poll 3 to 30 minutes after it was written. */
const FOUND_MS = [3 * 60_000, 30 * 60_000] as const

/** When a review is found. The same for each call. */
export function firstSeenAt({ shownAt }: StoreReview): Date {
  const [least, most] = FOUND_MS
  return new Date(shownAt.getTime() + least + (shownAt.getTime() % (most - least)))
}

/** Polls the feeds that are due: those with a new review, and ratings at their interval. Returns the polled ones. */
export async function pollDue(past: Past, at: Instant): Promise<readonly LeasedFeed[]> {
  const claimed: LeasedFeed[] = []
  for (const store of STORES)
    for (const kind of FEED_KINDS) {
      const request = { store, kind, now: at, limit: FEEDS_MAX, sameMarket: false }
      claimed.push(
        ...(await past.storage.feeds.claim({ ...request, lease: randomUUID(), leaseMs: LEASE_MS })),
      )
    }
  const failed = new Set(claimed.filter((feed) => past.stores.problem(feed, at) !== null))
  const read = claimed.filter((feed) => !failed.has(feed))
  await past.storage.feeds.commitFailures(
    [...failed].map((feed) => ({
      ...pollOf(feed, at),
      outcome: 'changed',
      detail: past.stores.problem(feed, at),
      nextPollAt: notAfter(past.until, at.getTime() + RETRY_MS),
    })),
  )
  await pollRatings(
    past,
    read.filter(({ kind }) => kind === 'rating'),
    at,
  )
  for (const feed of read) if (feed.kind === 'reviews') await pollReviews(past, feed, at)
  return claimed
}

async function pollReviews(past: Past, feed: LeasedFeed, at: Instant): Promise<void> {
  const all = past.stores.reviews(feed)
  const fetched = all
    .filter((review) => firstSeenAt(review) <= at)
    .sort((a, b) => b.shownAt.getTime() - a.shownAt.getTime())
    .slice(0, feed.lastOkAt === null ? undefined : PAGE_REVIEWS)
    .map((review) => reviewOf(feed, review, at))
  const next = all.map((review) => firstSeenAt(review).getTime()).filter((atMs) => atMs > at.getTime())
  await past.storage.feeds.commitReviews(
    pollOf(feed, at),
    fetched,
    false,
    // Events of the past do not wait for their enrichment, which the service adds to the stored reviews after its start.
    { readyAt: at, enrich: true },
    (known) => ({
      ...detectReviews(fetched, known),
      nextPollAt: notAfter(past.until, Math.min(...next)),
      intervalMs: feed.intervalMs,
      reviewsPerDay: null,
    }),
  )
}

async function pollRatings(past: Past, feeds: readonly LeasedFeed[], at: Instant): Promise<void> {
  const observed = feeds.map((feed) => ({ ...pollOf(feed, at), feed, rating: past.stores.rating(feed, at) }))
  const feedOf = new Map(observed.map(({ feedId, feed }) => [feedId, feed]))
  await past.storage.feeds.commitRatings(observed, ({ feedId, rating }, baseline, intervalMs) => {
    const { store = 'apple', appId = '' } = feedOf.get(feedId) ?? {}
    return {
      ...detectRating(store, appId, rating, baseline),
      nextPollAt: notAfter(past.until, at.getTime() + RATING_POLL_MS),
      intervalMs,
    }
  })
}

/** A successful poll by the primary source. */
function pollOf({ id: feedId, lease, store, kind }: LeasedFeed, polledAt: Instant): Poll {
  const source =
    store === 'google' ? { reviews: 'batchexecute', rating: 'details' } : { reviews: 'rss', rating: 'lookup' }
  return { feedId, lease, polledAt, outcome: 'ok', source: source[kind], detail: null, raw: null }
}

function notAfter(until: Instant, atMs: number): Instant {
  return later(until, Math.min(0, atMs - until.getTime()))
}
