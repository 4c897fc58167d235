import type { FeedSources, FrozenReason } from '../../model/feed.ts'
import { storefrontsOf } from '../../model/market.ts'
import type { Review, StoreReview } from '../../model/review.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { FeedStorage, LeasedFeed } from '../../storage/port/feeds.ts'
import type { AppStore, Pace, ReviewsPage } from '../appstores/appstore.ts'
import {
  firstSource,
  isNewer,
  isOlderThanKnown,
  mayAskOther,
  newestOf,
  nextFallback,
  RATINGS_GROWTH_MIN,
  standsStillSince,
} from './source-rule.ts'

/** Asks a store's sources for one poll in the order that the feed's stored sources give, and returns the new ones to store. */
export type SourceWatch = {
  readonly firstPage: (pace: Pace, signal: AbortSignal) => Promise<ReviewsPage>
  /** The sources to store with the feed, given all reviews of the walk. */
  readonly remember: (reviews: readonly Review[]) => FeedSources
}

type OkPage = Extract<ReviewsPage, { kind: 'ok' }>

export function createSourceWatch(
  deps: {
    readonly appStore: AppStore
    readonly feeds: Pick<FeedStorage, 'ratingsGrowth'>
    readonly clock: Clock
  },
  feed: LeasedFeed,
): SourceWatch {
  const { appStore, feeds, clock } = deps
  const before = feed.sources
  const primary = appStore.reviewSources[0] ?? ''
  let after: FeedSources = before

  const suspicionOf = async (page: OkPage, now: Date): Promise<FrozenReason | null> => {
    if (isOlderThanKnown(newestOf(page.reviews, now), before)) return 'older_than_known'
    const since = standsStillSince(page.reviews, now)
    if (since === null) return null
    const storefronts = storefrontsOf(feed.store, feed.kind, feed.market)
    const growth = await feeds.ratingsGrowth(feed, storefronts, since)
    return growth !== null && growth >= RATINGS_GROWTH_MIN ? 'ratings_move' : null
  }

  /** Compares a suspicious page with another source's; the page to go on with. */
  const compare = async (
    page: OkPage,
    reason: FrozenReason,
    now: Date,
    pace: Pace,
    signal: AbortSignal,
  ): Promise<OkPage> => {
    const suspect = (why: FrozenReason) => ({
      source: page.source,
      since: before.frozen?.since ?? now,
      reason: why,
    })
    if (!mayAskOther(before, now)) {
      after = { ...after, frozen: before.frozen ?? suspect(reason) }
      return page
    }
    const query = { appId: feed.appId, market: feed.market, than: page.source }
    const other = await appStore.otherReviewsPage(query, pace, signal)
    const shown = newestOf(page.reviews, now)
    const otherShown = other.kind === 'ok' && other.partial !== true ? newestOf(other.reviews, now) : null
    after = { ...after, otherAskedAt: now, frozen: suspect(reason) }
    if (other.kind !== 'ok' || otherShown === null || shown === null) return page
    if (isNewer(otherShown, shown)) {
      const why = `${page.source} may be frozen: ${other.source} shows newer reviews.`
      const since = before.fallback?.since ?? now
      after = {
        ...after,
        frozen: suspect('other_source_newer'),
        fallback: { source: other.source, since, why, probedAt: now },
      }
      return other
    }
    // Both show the same: the newest review was taken down. That both stand still proves nothing.
    if (reason === 'older_than_known') after = { ...after, frozen: null, newestShownAt: otherShown }
    return page
  }

  return {
    async firstPage(pace, signal) {
      const now = clock.now()
      const startWith = firstSource(before, now)
      const query = { appId: feed.appId, market: feed.market, cursor: null, startWith }
      const page = await appStore.reviewsPage(query, pace, signal)
      const serves = page.kind === 'ok' && page.partial !== true ? page : null
      const why = 'passedOver' in page ? (page.passedOver ?? []) : []
      const fallback = nextFallback(before, {
        now,
        served: serves?.source ?? null,
        primary,
        lastSource: feed.lastSource,
        startedWith: startWith,
        why: why
          .map((one) => `${one.source}: ${one.detail}`)
          .join(' ')
          .slice(0, WHY_CHARS_MAX),
      })
      after = { ...before, fallback }
      if (serves === null) return page
      const reason = await suspicionOf(serves, now)
      if (reason !== null) {
        const chosen = await compare(serves, reason, now, pace, signal)
        // A primary source that shows old reviews again is not back.
        if (chosen === serves && after.frozen !== null && before.fallback !== null && fallback === null) {
          after = { ...after, fallback: { ...before.fallback, probedAt: now } }
        }
        return chosen === serves ? page : { ...chosen, passedOver: [...why, frozenTrouble(serves.source)] }
      }
      if (before.frozen?.source === serves.source) after = { ...after, frozen: null }
      return page
    },
    remember: (reviews) => ({ ...after, newestShownAt: newerOf(after.newestShownAt, reviews, clock.now()) }),
  }
}

const WHY_CHARS_MAX = 500

function frozenTrouble(source: string) {
  return { kind: 'unknown', source, detail: 'It may be frozen: another source shows newer reviews.' } as const
}

function newerOf(known: Date | null, reviews: readonly StoreReview[], now: Date): Date | null {
  const newest = newestOf(reviews, now)
  if (newest === null) return known
  return known === null || newest > known ? newest : known
}
