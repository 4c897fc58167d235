import type { FeedView } from '../../../model/feed.ts'
import type { FeedHealth } from '../../../model/feed-health.ts'
import type { Store } from '../../../model/vocabulary.ts'
import { columns, integer, word } from '../../columns.ts'
import type { FailingApps } from '../../port/reports.ts'
import { all, sql, together, type Work } from '../../work.ts'
import { FEED_VIEW_COLUMNS, type FeedViewRow, feedViewOf } from '../feeds/feed-rows.ts'
import { APPS, type AppScope } from './scope.ts'

/** During an outage of a store all feeds fail. An incident names four apps, or feeds of one app, which has at most 32. */
const FEEDS_MAX = 100

/** The condition that `feeds` are those of `wantedFeeds`. */
export const WANTED = sql(
  (d) => `(store, app_id, kind, market) in (
    select store, app_id, kind, market from ${d.rows('?1', 'wanted', { ...APPS, kind: 'text', market: 'text' })})`,
)

/** The feeds of these apps and markets, as JSON. */
export function wantedFeeds(scopes: readonly AppScope[]): string {
  const wanted = scopes.flatMap(({ store, appId, markets }) => [
    ...markets.reviews.map((market) => ({ store, app_id: appId, kind: 'reviews', market })),
    ...markets.rating.map((market) => ({ store, app_id: appId, kind: 'rating', market })),
  ])
  return JSON.stringify(wanted)
}

/** `feedHealth` of a feed that fails. */
const HEALTH = "case when last_outcome in ('blocked', 'gone', 'changed') then last_outcome else 'stale' end"

const FAILING = sql((d) => `next_poll_at is not null and failing_since is not null and ${d.of(WANTED)}`)

const LONGEST = sql(
  (d) => `select ${FEED_VIEW_COLUMNS} from feeds where id in (
      select id from (
        select id, row_number() over (
          partition by store, ${HEALTH} order by failing_since, ${d.bytewise('app_id')}, kind, market) as place
        from feeds where ${d.of(FAILING)}) ranked
      where place <= ${FEEDS_MAX})
    order by failing_since, store, ${d.bytewise('app_id')}, kind, market`,
)

const COUNTED = columns({ store: word<Store>(), health: word<FeedHealth>(), apps: integer })
const COUNTED_FROM = sql(
  (d) => `from (
      select store, ${HEALTH} as health, count(distinct app_id) as apps from feeds
      where ${d.of(FAILING)} group by 1, 2) counted
    order by store, health`,
)

/** Those whose last poll failed, and the number of their apps. */
export function* failingFeedsIn(
  scopes: readonly AppScope[],
): Work<{ readonly feeds: readonly FeedView[]; readonly apps: readonly FailingApps[] }> {
  const wanted = wantedFeeds(scopes)
  const [feeds, apps] = yield* together(all<FeedViewRow>(LONGEST, wanted), COUNTED.all(COUNTED_FROM, wanted))
  return { feeds: feeds.map(feedViewOf), apps }
}
