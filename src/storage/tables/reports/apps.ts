import type { FeedView } from '../../../model/feed.ts'
import { type AppKey, appKeyOf } from '../../../model/hook.ts'
import { type NegativeReviews, NO_NEGATIVE_REVIEWS, ofMarkets } from '../../../model/review-spike.ts'
import type { Store } from '../../../model/vocabulary.ts'
import { columns, type ObjectOf } from '../../columns.ts'
import type { AppRange, AppReport, ReportStorage } from '../../port/reports.ts'
import { dateOrNull, msOf } from '../../values.ts'
import { all, type Db, get, sql, together, type Work } from '../../work.ts'
import { FEED_VIEW_COLUMNS, type FeedViewRow, feedViewOf } from '../feeds/feed-rows.ts'
import { APP_SHAPE } from '../feeds/feeds.ts'
import { releasesIn } from '../feeds/releases.ts'
import { negativesOf } from '../queue/watch-history.ts'
import { notableDrops } from './drops.ts'
import { WANTED, wantedFeeds } from './failing-feeds.ts'
import { historiesOf, historyOf, historyRows, inOrder } from './rating-history.ts'
import { APPS, type AppScope, appList, scopesByApp, scopesIn } from './scope.ts'

const WEEK_MS = 7 * 24 * 3_600_000

const APP = columns(APP_SHAPE)

type App = ObjectOf<(typeof APP)['shape']>

export function appReports(db: Db): Pick<ReportStorage, 'apps' | 'ratingHistories' | 'negativeReviews'> {
  return {
    apps: (accountId, now) =>
      db.snapshot(function* () {
        return yield* reportsOf(accountId, yield* scopesIn(accountId), now)
      }),

    ratingHistories: (accountId, apps, since) =>
      db.snapshot(function* () {
        const scopes = scopesByApp(yield* scopesIn(accountId))
        const feeds = yield* feedsIn(apps.flatMap((app) => scopes.get(appKeyOf(app)) ?? []))
        return historiesOf(apps, feeds, yield* historyRows(feeds, msOf(since)))
      }),

    negativeReviews: (accountId, apps, period) =>
      db.snapshot(function* () {
        const scopes = scopesByApp(yield* scopesIn(accountId))
        const found: NegativeReviews[] = []
        for (const app of apps) {
          const scope = scopes.get(appKeyOf(app))
          if (scope === undefined) found.push(NO_NEGATIVE_REVIEWS)
          else found.push(ofMarkets(yield* negativesOf({ ...app, ...period }), scope.markets.reviews))
        }
        return found
      }),
  }
}

/** What `ReportStorage.app` returns, without the figures of reviews. Null when the account has no such app. */
export function* appFacts(accountId: string, app: AppKey, range: AppRange, now: Date) {
  const scope = scopesByApp(yield* scopesIn(accountId)).get(appKeyOf(app))
  if (scope === undefined) return null
  const [report] = yield* reportsOf(accountId, [scope], now)
  if (report === undefined) return null
  const [since] = range.days
  const [rows, drops, releases] = yield* together(
    historyRows(report.feeds, msOf(since)),
    notableDrops(accountId, [scope], since, now),
    releasesIn(app, since, now),
  )
  return { scope, report, history: historyOf(report.feeds, rows), drops, releases }
}

const FEEDS = sql(
  (d) => `select ${FEED_VIEW_COLUMNS} from feeds where next_poll_at is not null and ${d.of(WANTED)}
    order by store, ${d.bytewise('app_id')}, kind, market`,
)

/** The polled feeds of these apps and markets. */
export function* feedsIn(scopes: readonly AppScope[]): Work<FeedView[]> {
  return (yield* all<FeedViewRow>(FEEDS, wantedFeeds(scopes))).map(feedViewOf)
}

const FROM_APPS = sql(
  (d) => `from apps where (store, app_id) in (select store, app_id from ${d.rows('?1', 'wanted', APPS)})`,
)

/** What the stores tell of these apps, by key. */
export function* appsIn(apps: readonly AppKey[]): Work<Map<string, App>> {
  return new Map((yield* APP.all(FROM_APPS, appList(apps))).map((app) => [appKeyOf(app), app]))
}

function* reportsOf(accountId: string, scopes: readonly AppScope[], now: Date): Work<AppReport[]> {
  const [apps, feeds, hooks, newest] = yield* together(
    appsIn(scopes),
    feedsIn(scopes),
    hooksByApp(accountId),
    together(...scopes.map((scope) => newestOf(scope, now))),
  )
  const feedsByApp = Map.groupBy(feeds, appKeyOf)
  return scopes.map((scope, place) => {
    const key = appKeyOf(scope)
    return reportOf(
      scope,
      apps.get(key),
      feedsByApp.get(key) ?? [],
      newest[place],
      hooks.get(key) ?? NO_HOOKS,
    )
  })
}

function reportOf(
  scope: AppScope,
  app: App | undefined,
  feeds: readonly FeedView[],
  newest: NewestRow | undefined,
  hooks: Pick<AppReport, 'hooks' | 'namedBy'>,
): AppReport {
  return {
    store: scope.store,
    appId: scope.appId,
    name: app?.name ?? null,
    developer: app?.developer ?? null,
    iconUrl: app?.iconUrl ?? null,
    ticked: scope.ticked,
    needed: scope.needed,
    kept: scope.kept,
    ratings: inOrder(feeds).flatMap(({ storefront, feed }) =>
      feed.baseline === null ? [] : [{ storefront, rating: feed.baseline }],
    ),
    reviews7d: newest?.reviews_7d ?? 0,
    lastReviewAt: dateOrNull(newest?.last_at ?? null),
    feeds,
    ...hooks,
  }
}

const NO_HOOKS = { hooks: 0, namedBy: [] } as const

function* hooksByApp(accountId: string): Work<Map<string, Pick<AppReport, 'hooks' | 'namedBy'>>> {
  const rows = yield* all<{ store: Store; app_id: string; source: string; hooks: number; rules: number }>(
    `select w.store, w.app_id, h.source, count(distinct w.hook_id) as hooks,
       count(distinct case when h.status <> 'gone' and coalesce(s.all_apps, 0) = 0
         then coalesce(w.set_id, w.id) end) as rules
     from watches w join hooks h on h.id = w.hook_id left join watch_sets s on s.id = w.set_id
     where w.account_id = ?1 and h.deleted_at is null group by w.store, w.app_id, h.source order by h.source`,
    accountId,
  )
  const byApp = Map.groupBy(rows, ({ store, app_id: appId }) => appKeyOf({ store, appId }))
  return new Map(
    [...byApp].map(([key, sources]) => [
      key,
      {
        hooks: sources.reduce((sum, { hooks }) => sum + hooks, 0),
        namedBy: sources.flatMap(({ source, rules }) => (rules === 0 ? [] : [{ source, rules }])),
      },
    ]),
  )
}

type NewestRow = { readonly reviews_7d: number; readonly last_at: number | null }

/** The number of reviews of the last week, and the time of the newest one. Both read only the index. */
function newestOf({ store, appId, markets }: AppScope, now: Date): Work<NewestRow | undefined> {
  return get<NewestRow>(NEWEST, store, appId, markets.reviews, msOf(now) - WEEK_MS)
}

const NEWEST = sql((d) => {
  const of = `from reviews r ${d.indexedBy('reviews_app')}
    where r.store = ?1 and r.app_id = ?2 and r.market ${d.among('?3', 'text')}`
  return `select (select count(*) ${of} and r.occurred_at >= ?4) as reviews_7d,
    (select r.occurred_at ${of} order by r.occurred_at desc limit 1) as last_at`
})
