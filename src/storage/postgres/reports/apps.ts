import type { FeedView } from '../../../model/feed.ts'
import { appKeyOf } from '../../../model/hook.ts'
import { type NegativeReviews, NO_NEGATIVE_REVIEWS, ofMarkets } from '../../../model/review-spike.ts'
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
import type { Database, Queries } from '../connect.ts'
import { releaseRows } from '../feeds/releases.ts'
import { negativesOf } from '../queue/watch-history.ts'
import { reviewFigures } from './app-figures.ts'
import { notableDrops } from './drops.ts'
import { scopesIn } from './review-feed.ts'

const WEEK_MS = 7 * 24 * 3_600_000

export function appReports(
  db: Database,
): Pick<ReportStorage, 'apps' | 'app' | 'ratingHistories' | 'negativeReviews'> {
  return {
    apps: async (accountId, now) =>
      db.snapshot(async (tx) => reportsOf(tx, accountId, await scopesIn(tx, accountId), now)),

    app: async (accountId, app, range, now) =>
      db.snapshot(async (tx) => {
        const scope = await scopeOf(tx, accountId, app)
        if (scope === null) return null
        const [report] = await reportsOf(tx, accountId, [scope], now)
        if (report === undefined) return null
        const history = historyOf(report.feeds, await historyRows(tx, report.feeds, msOf(range.days[0])))
        const drops = await notableDrops(tx, accountId, [scope], range.days[0], now)
        const figures = await reviewFigures(tx, scope, range, now)
        const releases = releasesOf(await releaseRows(tx, app, range, now))
        return detailOf(report, range, now, { history, drops, releases, ...figures })
      }),

    ratingHistories: async (accountId, apps, since) =>
      db.snapshot(async (tx) => {
        const scopes = scopesByApp(await scopesIn(tx, accountId))
        const feeds = await feedsIn(
          tx,
          apps.flatMap((app) => scopes.get(appKeyOf(app)) ?? []),
        )
        return historiesOf(apps, feeds, await historyRows(tx, feeds, msOf(since)))
      }),

    negativeReviews: async (accountId, apps, period) =>
      db.snapshot(async (tx) => {
        const scopes = scopesByApp(await scopesIn(tx, accountId))
        const found: NegativeReviews[] = []
        for (const app of apps) {
          const scope = scopes.get(appKeyOf(app))
          found.push(
            scope === undefined
              ? NO_NEGATIVE_REVIEWS
              : ofMarkets(await negativesOf(tx, { ...app, ...period }), scope.markets.reviews),
          )
        }
        return found
      }),
  }
}

async function scopeOf(
  db: Queries,
  accountId: string,
  { store, appId }: Pick<AppScope, 'store' | 'appId'>,
): Promise<AppScope | null> {
  const scopes = await scopesIn(db, accountId)
  return scopes.find((scope) => scope.store === store && scope.appId === appId) ?? null
}

/** The polled feeds of these apps and markets. */
export async function feedsIn(db: Queries, scopes: readonly AppScope[]): Promise<FeedView[]> {
  const keys = scopes.flatMap(({ store, appId, markets }) => [
    ...markets.reviews.map((market) => ({ store, appId, kind: 'reviews', market })),
    ...markets.rating.map((market) => ({ store, appId, kind: 'rating', market })),
  ])
  const rows = await db.all<FeedViewRow>(
    `select ${FEED_VIEW_COLUMNS} from feeds where next_poll_at is not null and (store, app_id, kind, market) in (
       select * from unnest($1::text[], $2::text[], $3::text[], $4::text[]))
     order by store, app_id collate "C", kind, market`,
    keys.map(({ store }) => store),
    keys.map(({ appId }) => appId),
    keys.map(({ kind }) => kind),
    keys.map(({ market }) => market),
  )
  return rows.map(feedViewOf)
}

export async function appRows(db: Queries, scopes: readonly AppScope[]): Promise<Map<string, AppRow>> {
  const rows = await db.all<AppRow>(
    `select store, app_id, name, developer, icon_url from apps
     where (store, app_id) in (select * from unnest($1::text[], $2::text[]))`,
    scopes.map(({ store }) => store),
    scopes.map(({ appId }) => appId),
  )
  return new Map(rows.map((row) => [appKeyOf({ store: row.store, appId: row.app_id }), row]))
}

async function reportsOf(
  db: Queries,
  accountId: string,
  scopes: readonly AppScope[],
  now: Date,
): Promise<AppReport[]> {
  const apps = await appRows(db, scopes)
  const feeds = Map.groupBy(await feedsIn(db, scopes), appKeyOf)
  const hooks = await hooksByApp(db, accountId)
  const reports: AppReport[] = []
  for (const scope of scopes) {
    const key = appKeyOf(scope)
    const newest = await newestOf(db, scope, now)
    reports.push(reportOf(scope, apps.get(key), feeds.get(key) ?? [], newest, hooks.get(key) ?? 0))
  }
  return reports
}

async function hooksByApp(db: Queries, accountId: string): Promise<Map<string, number>> {
  const rows = await db.all<{ store: Store; app_id: string; hooks: number }>(
    `select w.store, w.app_id, count(distinct w.hook_id) as hooks
     from watches w join hooks h on h.id = w.hook_id
     where w.account_id = $1 and h.deleted_at is null group by w.store, w.app_id`,
    accountId,
  )
  return new Map(rows.map((row) => [appKeyOf({ store: row.store, appId: row.app_id }), row.hooks]))
}

/** The number of reviews of the last week, and the time of the newest one. Both read only the index. */
async function newestOf(db: Queries, { store, appId, markets }: AppScope, now: Date): Promise<NewestRow> {
  const of = 'from reviews r where r.store = $1 and r.app_id = $2 and r.market = any($3::text[])'
  const row = await db.get<NewestRow>(
    `select (select count(*) ${of} and r.occurred_at >= $4) as reviews_7d,
       (select r.occurred_at ${of} order by r.occurred_at desc limit 1) as last_at`,
    store,
    appId,
    markets.reviews,
    msOf(now) - WEEK_MS,
  )
  return row ?? { reviews_7d: 0, last_at: null }
}

/** The points of the rating history since then, and the last one before as the starting point. */
async function historyRows(db: Queries, feeds: readonly FeedView[], sinceMs: number): Promise<HistoryRow[]> {
  return db.all<HistoryRow>(
    `select r.feed_id, r.observed_at, r.micros, r.count from unnest($1::integer[]) as j (feed_id)
     join ratings r on r.feed_id = j.feed_id and r.observed_at >= coalesce(
       (select max(b.observed_at) from ratings b where b.feed_id = j.feed_id and b.observed_at < $2), 0)
     order by r.feed_id, r.observed_at`,
    feeds.filter(({ kind }) => kind === 'rating').map(({ id }) => id),
    sinceMs,
  )
}
