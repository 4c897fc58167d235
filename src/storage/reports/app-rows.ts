import type { FeedView } from '../../model/feed.ts'
import { type AppKey, appKeyOf } from '../../model/hook.ts'
import { STOREFRONTS, type Store, type Storefront } from '../../model/vocabulary.ts'
import type { AppReport, RatingHistory, RatingPoint } from '../port/reports.ts'
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

export function historyOf(feeds: readonly FeedView[], rows: readonly HistoryRow[]): RatingHistory {
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

/** The history of each of the apps, in their order; empty for one without feeds. */
export function historiesOf(
  apps: readonly AppKey[],
  feeds: readonly FeedView[],
  rows: readonly HistoryRow[],
): RatingHistory[] {
  const feedsByApp = Map.groupBy(feeds, appKeyOf)
  const appOfFeed = new Map(feeds.map((feed) => [feed.id, appKeyOf(feed)]))
  const rowsByApp = Map.groupBy(rows, ({ feed_id }) => appOfFeed.get(feed_id))
  return apps.map((app) => {
    const key = appKeyOf(app)
    return historyOf(feedsByApp.get(key) ?? [], rowsByApp.get(key) ?? [])
  })
}

/** Rating feeds in the order of docs/contract.md, Storefronts. */
function inOrder(feeds: readonly FeedView[]): { readonly storefront: Storefront; readonly feed: FeedView }[] {
  return STOREFRONTS.flatMap((storefront) =>
    feeds
      .filter(({ kind, market }) => kind === 'rating' && market === storefront)
      .map((feed) => ({ storefront, feed })),
  )
}
