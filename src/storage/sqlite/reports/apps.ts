import type { FeedView } from '../../../model/feed.ts'
import { appKeyOf } from '../../../model/hook.ts'
import { NO_NEGATIVE_REVIEWS, ofMarkets } from '../../../model/review-spike.ts'
import type { Store } from '../../../model/vocabulary.ts'
import { FEED_VIEW_COLUMNS, type FeedViewRow, feedViewOf } from '../../feeds/feed-rows.ts'
import type { AppReport, ReportStorage } from '../../port/reports.ts'
import { detailOf } from '../../reports/app-figures.ts'
import {
  type AppRow,
  type HistoryRow,
  historiesOf,
  historyOf,
  type NewestRow,
  reportOf,
} from '../../reports/app-rows.ts'
import { releasesOf } from '../../reports/release-rows.ts'
import { type AppScope, scopesByApp } from '../../reports/scope.ts'
import { msOf } from '../../values.ts'
import type { Connection } from '../connect.ts'
import { releaseRows } from '../feeds/releases.ts'
import { negativesOf } from '../queue/watch-history.ts'
import { reviewFigures } from './app-figures.ts'
import { notableDrops } from './drops.ts'
import { scopesIn } from './review-feed.ts'

const WEEK_MS = 7 * 24 * 3_600_000

export function appReports(
  db: Connection,
): Pick<ReportStorage, 'apps' | 'app' | 'ratingHistories' | 'negativeReviews'> {
  return {
    apps: async (accountId, now) => reportsOf(db, accountId, scopesIn(db, accountId), now),

    async app(accountId, app, range, now) {
      const scope = scopeOf(db, accountId, app)
      if (scope === null) return null
      const [report] = reportsOf(db, accountId, [scope], now)
      if (report === undefined) return null
      const history = historyOf(report.feeds, historyRows(db, report.feeds, msOf(range.days[0])))
      const drops = notableDrops(db, accountId, [scope], range.days[0], now)
      const figures = await reviewFigures(db, scope, range, now)
      const releases = releasesOf(releaseRows(db, app, range, now))
      return detailOf(report, range, now, { history, drops, releases, ...figures })
    },

    async ratingHistories(accountId, apps, since) {
      return db.snapshot(() => {
        const scopes = scopesByApp(scopesIn(db, accountId))
        const feeds = feedsIn(
          db,
          apps.flatMap((app) => scopes.get(appKeyOf(app)) ?? []),
        )
        return historiesOf(apps, feeds, historyRows(db, feeds, msOf(since)))
      })
    },

    async negativeReviews(accountId, apps, period) {
      return db.snapshot(() => {
        const scopes = scopesByApp(scopesIn(db, accountId))
        return apps.map((app) => {
          const scope = scopes.get(appKeyOf(app))
          if (scope === undefined) return NO_NEGATIVE_REVIEWS
          return ofMarkets(negativesOf(db, { ...app, ...period }), scope.markets.reviews)
        })
      })
    },
  }
}

function scopeOf(
  db: Connection,
  accountId: string,
  { store, appId }: Pick<AppScope, 'store' | 'appId'>,
): AppScope | null {
  return scopesIn(db, accountId).find((scope) => scope.store === store && scope.appId === appId) ?? null
}

/** The polled feeds of these apps and markets. */
export function feedsIn(db: Connection, scopes: readonly AppScope[]): FeedView[] {
  const keys = scopes.flatMap(({ store, appId, markets }) => [
    ...markets.reviews.map((market) => [store, appId, 'reviews', market]),
    ...markets.rating.map((market) => [store, appId, 'rating', market]),
  ])
  return db
    .all<FeedViewRow>(
      `select ${FEED_VIEW_COLUMNS} from feeds where next_poll_at is not null and (store, app_id, kind, market) in (
         select value ->> 0, value ->> 1, value ->> 2, value ->> 3 from json_each(?))
       order by store, app_id, kind, market`,
      JSON.stringify(keys),
    )
    .map(feedViewOf)
}

export function appRows(db: Connection, scopes: readonly AppScope[]): Map<string, AppRow> {
  const rows = db.all<AppRow>(
    `select store, app_id, name, developer, icon_url from apps
     where (store, app_id) in (select value ->> 0, value ->> 1 from json_each(?))`,
    JSON.stringify(scopes.map(({ store, appId }) => [store, appId])),
  )
  return new Map(rows.map((row) => [appKeyOf({ store: row.store, appId: row.app_id }), row]))
}

function reportsOf(db: Connection, accountId: string, scopes: readonly AppScope[], now: Date): AppReport[] {
  return db.snapshot(() => {
    const apps = appRows(db, scopes)
    const feeds = Map.groupBy(feedsIn(db, scopes), appKeyOf)
    const hooks = hooksByApp(db, accountId)
    return scopes.map((scope) => {
      const key = appKeyOf(scope)
      return reportOf(
        scope,
        apps.get(key),
        feeds.get(key) ?? [],
        newestOf(db, scope, now),
        hooks.get(key) ?? 0,
      )
    })
  })
}

function hooksByApp(db: Connection, accountId: string): Map<string, number> {
  const rows = db.all<{ store: Store; app_id: string; hooks: number }>(
    `select w.store, w.app_id, count(distinct w.hook_id) as hooks
     from watches w join hooks h on h.id = w.hook_id
     where w.account_id = ? and h.deleted_at is null group by w.store, w.app_id`,
    accountId,
  )
  return new Map(rows.map((row) => [appKeyOf({ store: row.store, appId: row.app_id }), row.hooks]))
}

/** The number of reviews of the last week, and the time of the newest one. Both read only the index. */
function newestOf(db: Connection, { store, appId, markets }: AppScope, now: Date): NewestRow {
  const of = `from reviews r indexed by reviews_app where r.store = ?1 and r.app_id = ?2
    and r.market in (select value from json_each(?3))`
  const row = db.get<NewestRow>(
    `select (select count(*) ${of} and r.occurred_at >= ?4) as reviews_7d,
       (select r.occurred_at ${of} order by r.occurred_at desc limit 1) as last_at`,
    store,
    appId,
    JSON.stringify(markets.reviews),
    msOf(now) - WEEK_MS,
  )
  return row ?? { reviews_7d: 0, last_at: null }
}

/** The points of the rating history since then, and the last one before as the starting point. */
function historyRows(db: Connection, feeds: readonly FeedView[], sinceMs: number): HistoryRow[] {
  return db.all<HistoryRow>(
    `select r.feed_id, r.observed_at, r.micros, r.count from json_each(?1) j
     join ratings r on r.feed_id = j.value and r.observed_at >= coalesce(
       (select max(b.observed_at) from ratings b where b.feed_id = j.value and b.observed_at < ?2), 0)
     order by r.feed_id, r.observed_at`,
    JSON.stringify(feeds.filter(({ kind }) => kind === 'rating').map(({ id }) => id)),
    sinceMs,
  )
}
