import type { FeedView } from '../../model/feed.ts'
import { type Sentiment, STOREFRONTS, type Store, type Storefront, THEMES } from '../../model/vocabulary.ts'
import type { AppDetail, AppReport, RatingPoint } from '../port/reports.ts'
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
/** A count of reviews with these values; `day` counts days since the epoch. */
export type FacetRow = {
  readonly day: number
  readonly rating: number
  readonly sentiment: Sentiment | null
  readonly themes_mask: number | null
  readonly count: number
}

const DAY_MS = 24 * 3_600_000

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
  facets: readonly FacetRow[],
): AppDetail {
  const sentiments: Partial<Record<Sentiment, number>> = {}
  for (const { sentiment, count } of facets) {
    if (sentiment !== null) sentiments[sentiment] = (sentiments[sentiment] ?? 0) + count
  }
  const days = [...Map.groupBy(facets, ({ day }) => day)]
  return {
    ...report,
    history,
    volume: days.map(([day, ofDay]) => ({
      day: dateOf(day * DAY_MS),
      stars: [starred(ofDay, 1), starred(ofDay, 2), starred(ofDay, 3), starred(ofDay, 4), starred(ofDay, 5)],
    })),
    themes: days.flatMap(([day, ofDay]) => themesOf(dateOf(day * DAY_MS), ofDay)),
    sentiments,
  }
}

function themesOf(day: Date, facets: readonly FacetRow[]): AppDetail['themes'] {
  return THEMES.flatMap((theme, bit) => {
    const about = facets.filter(({ themes_mask }) => themes_mask !== null && (themes_mask & (1 << bit)) !== 0)
    if (about.length === 0) return []
    return [
      {
        theme,
        day,
        count: sum(about),
        negative: sum(about.filter(({ sentiment }) => sentiment === 'negative')),
      },
    ]
  })
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
