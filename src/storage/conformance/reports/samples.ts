import type { Rating } from '../../../model/rating.ts'
import type { Review } from '../../../model/review.ts'
import type { Store, Storefront } from '../../../model/vocabulary.ts'
import { type Instant, instantOf } from '../../../runtime/instant.ts'
import type { ReviewFilter } from '../../port/reports.ts'
import type { Storage } from '../../port/storage.ts'
import { enrichmentOf } from '../queue/queue-samples.ts'
import { after, claimFeeds, claimTexts, HOUR, NOON, poll, pollOf } from '../samples.ts'

/** Sample data for the report suites: tracked storefronts, reviews and ratings in one call. */

export async function tick(
  storage: Storage,
  accountId: string,
  storefronts: readonly Storefront[],
  app: { readonly store?: Store; readonly appId?: string } = {},
): Promise<void> {
  await storage.hooks.trackStorefronts(accountId, { store: 'apple', appId: '1', ...app }, storefronts, NOON)
}

/** Polls every due review feed once; each poll returns the `reviews` of its app and market. */
export async function bring(storage: Storage, reviews: readonly Review[], at = NOON): Promise<void> {
  for (const store of ['apple', 'google'] as const) {
    for (const feed of await claimFeeds(storage, { store, now: at })) {
      const fetched = reviews.filter(
        (review) => review.store === store && review.appId === feed.appId && review.market === feed.market,
      )
      await poll(storage, feed, fetched, {
        poll: { polledAt: at },
        nextPollAt: instantOf(0),
        enrichment: { readyAt: at, enrich: true },
      })
    }
  }
}

/** Stores enrichments of all queued texts. */
export async function understand(
  storage: Storage,
  meaning: (review: Review) => Partial<ReturnType<typeof enrichmentOf>>,
): Promise<void> {
  const texts = await claimTexts(storage, after(HOUR))
  await storage.occurrences.commitEnrichment(
    texts.map(({ reviewSeq, lease, review }) => ({
      reviewSeq,
      lease,
      enrichment: { ...enrichmentOf(), ...meaning(review) },
      engine: { name: 'offline', version: '1' },
      failure: null,
    })),
    NOON,
  )
}

/** Polls every due rating feed once, with `rating` as the result; a fall becomes a drop. */
export async function rate(
  storage: Storage,
  rating: Rating,
  at: Instant,
  given: { readonly market?: string; readonly drops?: string } = {},
): Promise<void> {
  const feeds = await claimFeeds(storage, { kind: 'rating', now: at })
  for (const feed of feeds.filter(({ market }) => (given.market ?? market) === market)) {
    await storage.feeds.commitRatings([{ ...pollOf(feed, { polledAt: at }), rating }], (_, previous) => ({
      baseline: rating,
      drop:
        given.drops !== undefined && previous !== null
          ? { occurrenceId: given.drops, previous, current: rating }
          : null,
      nextPollAt: instantOf(0),
      intervalMs: HOUR,
    }))
  }
  await storage.feeds.release(feeds)
}

/** The ids of all reviews that match a filter, page by page. */
export async function feedOf(
  storage: Storage,
  accountId: string,
  filter: ReviewFilter = {},
  limit = 100,
): Promise<string[]> {
  const ids: string[] = []
  let before = null
  do {
    const page = await storage.reports.reviews(accountId, filter, { limit, before })
    ids.push(...page.reviews.map(({ reviewId }) => reviewId))
    before = page.next
  } while (before !== null)
  return ids
}
