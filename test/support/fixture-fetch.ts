import { fingerprintOf } from '../../src/model/review.ts'
import type { Storefront } from '../../src/model/vocabulary.ts'
import type { AppStore } from '../../src/pipeline/appstores/appstore.ts'
import { fetchReviews } from '../../src/pipeline/collect/fetch-reviews.ts'
import type { StoreSources } from '../../src/pipeline/collect/store-sources.ts'
import type { Clock } from '../../src/runtime/clock.ts'
import { instantOf, later } from '../../src/runtime/instant.ts'
import type { KnownMalformedRow, LeasedFeed } from '../../src/storage/port/feeds.ts'
import { leasedFeed, storeReview } from './fixture-app-store.ts'

export const forwardFrom = instantOf(Date.parse('2026-03-01T00:00:00Z'))
export const now = instantOf(Date.parse('2026-03-02T00:00:00Z'))
export const after = (minutes: number) => later(forwardFrom, minutes * 60_000)

/** Reviews n, n-1, … 1, one per minute: the highest is the newest. */
export const newest = (n: number) =>
  Array.from({ length: n }, (_, at) => storeReview(`r${n - at}`, after(n - at)))
export const ids = (fetched: { reviews: readonly { reviewId: string }[] }) =>
  fetched.reviews.map((one) => one.reviewId)

/** Sources that are asked in their usual order, whatever they answer. */
export function usualSources({ reviewSources: [first = ''] }: Pick<AppStore, 'reviewSources'>): StoreSources {
  return {
    order: async () => ({ first, without: new Set(), frozen: new Set() }),
    learn: async () => {},
    change: async () => {},
  }
}

/** Fetches the pages of a fixture store; the reviews with these ids are known. */
export function fetchPages(
  appStore: AppStore,
  known: readonly string[] = [],
  feed: Partial<LeasedFeed> = {},
  options: {
    untilMs?: number
    pace?: () => Promise<boolean>
    malformedRows?: readonly KnownMalformedRow[]
    ratingsGrowth?: number
    /** The storefronts in which the app is watched. */
    watched?: readonly Storefront[]
    storeSources?: StoreSources
    clock?: Clock
  } = {},
) {
  const leased = leasedFeed({ forwardFrom, ...feed })
  const prints = new Set(known.map((id) => fingerprintOf(leased.store, leased.appId, id)))
  return fetchReviews(
    {
      appStore,
      feeds: {
        known: async (_id, candidates) => new Set(candidates.filter((print) => prints.has(print))),
        knownMalformedRows: async () => options.malformedRows ?? [],
        ratingsGrowth: async () => options.ratingsGrowth ?? null,
      },
      hooks: { watchedStorefronts: async () => [...(options.watched ?? [])] },
      storeSources: options.storeSources ?? usualSources(appStore),
      clock: options.clock ?? { now: () => now, monotonicMs: () => now.getTime(), sleep: async () => {} },
    },
    leased,
    options.untilMs ?? (options.clock ?? { monotonicMs: () => now.getTime() }).monotonicMs() + 1000,
    options.pace ?? (async () => true),
    new AbortController().signal,
  )
}
