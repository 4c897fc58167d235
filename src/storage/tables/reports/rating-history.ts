import type { FeedView } from '../../../model/feed.ts'
import { type AppKey, appKeyOf } from '../../../model/hook.ts'
import { STOREFRONTS, type Storefront } from '../../../model/vocabulary.ts'
import type { RatingHistory, RatingPoint } from '../../port/reports.ts'
import { dateOf } from '../../values.ts'
import { all, sql, type Work } from '../../work.ts'

type HistoryRow = {
  readonly feed_id: number
  readonly observed_at: number
  readonly micros: number
  readonly count: number
}

/** The points of the rating history since then, and the last one before as the starting point. */
export function historyRows(feeds: readonly FeedView[], sinceMs: number): Work<HistoryRow[]> {
  const ids = feeds.filter(({ kind }) => kind === 'rating').map(({ id }) => id)
  return all<HistoryRow>(HISTORY, ids, sinceMs)
}

const HISTORY = sql(
  (d) => `select r.feed_id, r.observed_at, r.micros, r.count from ${d.each('?1', 'integer', 'id')}
    join ratings r on r.feed_id = ids.id and r.observed_at >= coalesce(
      (select max(b.observed_at) from ratings b where b.feed_id = ids.id and b.observed_at < ?2), 0)
    order by r.feed_id, r.observed_at`,
)

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
export function inOrder(
  feeds: readonly FeedView[],
): { readonly storefront: Storefront; readonly feed: FeedView }[] {
  return STOREFRONTS.flatMap((storefront) =>
    feeds
      .filter(({ kind, market }) => kind === 'rating' && market === storefront)
      .map((feed) => ({ storefront, feed })),
  )
}
