import type { FeedSources, FrozenReason } from '../../model/feed.ts'
import { storefrontsOf } from '../../model/market.ts'
import type { Review, StoreReview } from '../../model/review.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { FeedStorage, LeasedFeed } from '../../storage/port/feeds.ts'
import type { HookStorage } from '../../storage/port/hooks.ts'
import type { AppStore, Pace, ReviewsPage, StoreFailure } from '../appstores/appstore.ts'
import {
  firstSource,
  isNewer,
  isOlderThanKnown,
  mayCompare,
  newestOf,
  nextFallback,
  RATINGS_GROWTH_MIN,
  suspiciousPauseStart,
} from './source-selection.ts'
import type { StoreSources } from './store-sources.ts'
import { watchedStorefronts } from './watched-storefronts.ts'

export type FirstPageFetcher = ReturnType<typeof createFirstPageFetcher>

type OkPage = Extract<ReviewsPage, { kind: 'ok' }>

type Deps = {
  readonly appStore: AppStore
  readonly feeds: Pick<FeedStorage, 'ratingsGrowth'>
  readonly hooks: Pick<HookStorage, 'watchedStorefronts'>
  readonly storeSources: StoreSources
  readonly clock: Clock
}

/** The context of a first page: the stored state, and how to fetch the page of another source. */
type Context = {
  readonly deps: Deps
  readonly feed: LeasedFeed
  readonly before: FeedSources
  readonly now: Date
  /** How to ask the sources, by their health for the whole store. */
  readonly order: Awaited<ReturnType<StoreSources['order']>>
  readonly pace: Pace
  readonly signal: AbortSignal
}

/** The page to continue with, and the state of the sources to store. */
type Selected = { readonly page: ReviewsPage; readonly sources: FeedSources }

/**
 * Fetches the first page of one poll from the source that the feed's stored state selects, and returns the state to
 * store.
 */
export function createFirstPageFetcher(deps: Deps, feed: LeasedFeed) {
  const { clock } = deps
  let sources: FeedSources = feed.sources
  return {
    async firstPage(pace: Pace, signal: AbortSignal): Promise<ReviewsPage> {
      // An app that never showed reviews proves nothing about a source.
      const order = await deps.storeSources.order(feed.sources.newestShownAt !== null)
      const selected = await fetchFirstPage({
        deps,
        feed,
        before: feed.sources,
        now: clock.now(),
        order,
        pace,
        signal,
      })
      const { frozen } = selected.sources
      // What is true of the whole store is not stored again with each feed.
      sources =
        frozen !== null && order.frozen.has(frozen.source)
          ? { ...selected.sources, frozen: null }
          : selected.sources
      return selected.page
    },
    /** The state of the sources to store with the feed, given all fetched reviews. */
    sourcesAfter: (reviews: readonly Review[]): FeedSources => ({
      ...sources,
      newestShownAt: newerOf(sources.newestShownAt, reviews, clock.now()),
    }),
  }
}

async function fetchFirstPage(context: Context): Promise<Selected> {
  const { deps, feed, before, now, order, pace, signal } = context
  const { without } = order
  const fallbackFirst = firstSource(before, now)
  const startWith = fallbackFirst ?? (order.first === deps.appStore.reviewSources[0] ? null : order.first)
  const storefronts = () => watchedStorefronts(deps.hooks, feed)
  const query = { appId: feed.appId, market: feed.market, cursor: null, startWith, storefronts, without }
  const page = await deps.appStore.reviewsPage(query, pace, signal)
  const complete = page.kind === 'ok' && page.partial !== true ? page : null
  const fallback = nextFallback(before, {
    now,
    served: complete?.source ?? null,
    primary: order.first,
    lastSource: feed.lastSource,
    startedWith: fallbackFirst,
    reason: reasonOf(earlierFailuresOf(page)),
  })
  const sources = { ...before, fallback }
  const selected = await selectFrom(context, page, complete, sources)
  const isOlder = complete !== null && selected.sources.frozen?.reason === 'other_source_newer'
  await deps.storeSources.learn(feed.appId, page, isOlder && selected.page !== page ? complete.source : null)
  return selected
}

async function selectFrom(
  context: Context,
  page: ReviewsPage,
  complete: OkPage | null,
  sources: FeedSources,
): Promise<Selected> {
  if (complete === null) return { page, sources }
  const suspicion = await suspicionOf(context, complete)
  if (suspicion !== null) return compare(context, complete, suspicion, sources)
  return { page, sources: { ...sources, frozen: frozenUnless(complete.source, context.before) } }
}

/** The stored suspicion, which ends when its source gives no reason for it any more. */
function frozenUnless(source: string, { frozen }: FeedSources): FeedSources['frozen'] {
  return frozen?.source === source ? null : frozen
}

/** `pause`: no review for much longer than usual. Alone it is a reason to compare, not to warn. */
type Suspicion = FrozenReason | 'pause'

/** Why the source may be frozen; null without a suspicion. */
async function suspicionOf({ deps, feed, before, now }: Context, page: OkPage): Promise<Suspicion | null> {
  if (isOlderThanKnown(newestOf(page.reviews, now), before)) return 'older_than_known'
  const since = suspiciousPauseStart(page.reviews, now)
  if (since === null) return null
  const storefronts = storefrontsOf(feed.store, feed.kind, feed.market)
  const growth = await deps.feeds.ratingsGrowth(feed, storefronts, since)
  return growth !== null && growth >= RATINGS_GROWTH_MIN ? 'ratings_move' : 'pause'
}

/** Compares a suspicious page with one of another source, unless the last comparison was recent. */
async function compare(
  { deps, feed, before, now, order, pace, signal }: Context,
  page: OkPage,
  suspicion: Suspicion,
  sources: FeedSources,
): Promise<Selected> {
  const frozenFor = (reason: FrozenReason) => ({
    source: page.source,
    since: before.frozen?.since ?? now,
    reason,
  })
  const suspected = suspicion === 'pause' ? frozenUnless(page.source, before) : frozenFor(suspicion)
  /** Continues with the page. A primary source that shows old reviews again does not end the fallback. */
  const stay = (after: FeedSources): Selected => {
    const { fallback } = before
    const hasFallback = after.frozen !== null && fallback !== null && after.fallback === null
    return { page, sources: hasFallback ? { ...after, fallback: { ...fallback, probedAt: now } } : after }
  }
  if (!mayCompare(before, now)) {
    return stay({ ...sources, frozen: suspicion === 'pause' ? suspected : (before.frozen ?? suspected) })
  }

  const query = { appId: feed.appId, market: feed.market, than: page.source, without: order.without }
  const other = await deps.appStore.otherReviewsPage(query, pace, signal)
  const compared = { ...sources, lastComparedAt: now, frozen: suspected }
  const shown = newestOf(page.reviews, now)
  const otherShown = other.kind === 'ok' && other.partial !== true ? newestOf(other.reviews, now) : null
  if (other.kind !== 'ok' || otherShown === null || shown === null) return stay(compared)
  if (!isNewer(otherShown, shown)) {
    // Both sources agree: the newest review was taken down. A pause in both proves nothing.
    const wasTakenDown = suspicion === 'older_than_known'
    return stay(wasTakenDown ? { ...compared, frozen: null, newestShownAt: otherShown } : compared)
  }
  const reason = `${page.source} may be frozen: ${other.source} shows newer reviews.`
  const since = before.fallback?.since ?? now
  return {
    page: { ...other, earlierFailures: [...earlierFailuresOf(page), frozenFailure(page.source)] },
    sources: {
      ...compared,
      frozen: frozenFor('other_source_newer'),
      fallback: { source: other.source, since, reason, probedAt: now },
    },
  }
}

function earlierFailuresOf(page: ReviewsPage): readonly StoreFailure[] {
  return 'earlierFailures' in page ? (page.earlierFailures ?? []) : []
}

const REASON_CHARS_MAX = 500

function reasonOf(failures: readonly StoreFailure[]): string {
  return failures
    .map((failure) => `${failure.source}: ${failure.detail}`)
    .join(' ')
    .slice(0, REASON_CHARS_MAX)
}

function frozenFailure(source: string): StoreFailure {
  return { kind: 'unknown', source, detail: 'It may be frozen: another source shows newer reviews.' }
}

function newerOf(known: Date | null, reviews: readonly StoreReview[], now: Date): Date | null {
  const newest = newestOf(reviews, now)
  if (newest === null) return known
  return known === null || newest > known ? newest : known
}
