import type { Buckets } from '../../model/days.ts'
import type { FeedView } from '../../model/feed.ts'
import { type Sentiment, STOREFRONTS, type Store, type Storefront, THEMES } from '../../model/vocabulary.ts'
import type { AppDetail, AppReport, RatingDrops, RatingPoint } from '../port/reports.ts'
import { dateOf, dateOrNull } from '../values.ts'
import type { AppScope } from './scope.ts'

/** The apps of an account from the rows of either engine. */

export type AppRow = {
  readonly store: Store
  readonly app_id: string
  readonly name: string
  readonly developer: string | null
  readonly icon_url: string | null
}
export type NewestRow = { readonly reviews_7d: number; readonly last_at: number | null }
export type HistoryRow = {
  readonly feed_id: number
  readonly observed_at: number
  readonly micros: number
  readonly count: number
}
/** A count of reviews with these values; `day` is the place of their day in the range. */
export type FacetRow = {
  readonly day: number
  readonly rating: number
  readonly sentiment: Sentiment | null
  readonly themes_mask: number | null
  readonly count: number
}

export function appKey(store: string, appId: string): string {
  return `${store} ${appId}`
}

export function reportOf(
  scope: AppScope,
  app: AppRow | undefined,
  feeds: readonly FeedView[],
  newest: NewestRow,
  hooks: number,
): AppReport {
  return {
    store: scope.store,
    appId: scope.appId,
    name: app?.name ?? null,
    developer: app?.developer ?? null,
    iconUrl: app?.icon_url ?? null,
    ticked: scope.ticked,
    needed: scope.needed,
    ratings: inOrder(feeds).flatMap(({ storefront, feed }) =>
      feed.baseline === null ? [] : [{ storefront, rating: feed.baseline }],
    ),
    reviews7d: newest.reviews_7d,
    lastReviewAt: dateOrNull(newest.last_at),
    feeds,
    hooks,
  }
}

export function historyOf(feeds: readonly FeedView[], rows: readonly HistoryRow[]): AppDetail['history'] {
  const byFeed = Map.groupBy(rows, ({ feed_id }) => feed_id)
  return inOrder(feeds).map(({ storefront, feed }) => ({
    storefront,
    points: (byFeed.get(feed.id) ?? []).map(
      (row): RatingPoint => ({
        at: dateOf(row.observed_at),
        rating: { micros: row.micros, count: row.count },
      }),
    ),
  }))
}

export function detailOf(
  report: AppReport,
  history: AppDetail['history'],
  drops: RatingDrops,
  days: Buckets,
  facets: readonly FacetRow[],
): AppDetail {
  const sentiments: Partial<Record<Sentiment, number>> = {}
  for (const { sentiment, count } of facets) {
    if (sentiment !== null) sentiments[sentiment] = (sentiments[sentiment] ?? 0) + count
  }
  const byDay = Map.groupBy(facets, ({ day }) => day)
  return {
    ...report,
    history,
    drops,
    volume: days.map((at, day) => {
      const ofDay = byDay.get(day) ?? []
      return {
        at,
        stars: [
          starred(ofDay, 1),
          starred(ofDay, 2),
          starred(ofDay, 3),
          starred(ofDay, 4),
          starred(ofDay, 5),
        ],
      }
    }),
    themes: themesOf(days.length, facets),
    sentiments,
  }
}

function themesOf(days: number, facets: readonly FacetRow[]): AppDetail['themes'] {
  return THEMES.flatMap((theme, bit) => {
    const about = facets.filter(({ themes_mask }) => themes_mask !== null && (themes_mask & (1 << bit)) !== 0)
    if (about.length === 0) return []
    const perDay = Array.from({ length: days }, () => 0)
    for (const { day, count } of about) perDay[day] = (perDay[day] ?? 0) + count
    const negative = sum(about.filter(({ sentiment }) => sentiment === 'negative'))
    return [{ theme, count: sum(about), negative, perDay }]
  }).sort((a, b) => b.count - a.count)
}

function starred(facets: readonly FacetRow[], stars: number): number {
  return sum(facets.filter(({ rating }) => rating === stars))
}

function sum(facets: readonly FacetRow[]): number {
  return facets.reduce((total, { count }) => total + count, 0)
}

/** Rating feeds in the order of docs/contract.md, Storefronts. */
function inOrder(feeds: readonly FeedView[]): { readonly storefront: Storefront; readonly feed: FeedView }[] {
  return STOREFRONTS.flatMap((storefront) =>
    feeds
      .filter(({ kind, market }) => kind === 'rating' && market === storefront)
      .map((feed) => ({ storefront, feed })),
  )
}
