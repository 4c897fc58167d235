import type { FeedView } from '../../../model/feed.ts'
import type { FeedKind, Store } from '../../../model/vocabulary.ts'
import { columns, instant, integer, named, nullable, real, text, word } from '../../columns.ts'
import { type FeedStorage, POLL_AHEAD_MS_MAX } from '../../port/feeds.ts'
import { msOf } from '../../values.ts'
import { all, type Db, get, runRows, type Sql, sql, type Value, type Work } from '../../work.ts'
import { FEED_VIEW_COLUMNS, type FeedViewRow, feedViewOf } from './feed-rows.ts'
import { commitFailures, commitRatings, commitReviews } from './polls.ts'
import { knownMalformedRows, quarantined, ratingsGrowth } from './quarantine.ts'
import { saveReleases } from './releases.ts'
import { seenOf } from './seen.ts'

/** Without claims, which are in the engines' feeds/claim-feeds.ts. */
export function feedStorage(db: Db, now: () => Date): Omit<FeedStorage, 'claim'> {
  return {
    async release(feeds) {
      await db.transaction(() =>
        runRows(
          RELEASE,
          feeds.map(({ id, lease }) => [id, lease]),
        ),
      )
    },

    known: (feedId, fingerprints) => db.alone(seenOf(feedId, fingerprints)),

    commitReviews: (...given) => db.transaction(() => commitReviews(...given)),
    commitRatings: (...given) => db.transaction(() => commitRatings(...given)),
    commitFailures: (...given) => db.transaction(() => commitFailures(...given)),

    saveApps: (apps, at) =>
      db.transaction(function* () {
        // One statement cannot update a row twice, so only the last entry of an app is used.
        const distinct = [...new Map(apps.map((app) => [`${app.store} ${app.appId}`, app])).values()]
        const saved = distinct.map((app) => ({ ...app, updatedAt: at }))
        yield* APP.insertAll('apps', saved, NEWER_APP)
        yield* saveReleases(apps)
      }),

    async isNameless({ store, appId }) {
      const nameless = get(
        `select 1 as nameless
           where not exists (select 1 from apps where store = ?1 and app_id = ?2)
             and not exists (select 1 from feeds where store = ?1 and app_id = ?2 and kind = 'rating'
               and next_poll_at is not null)`,
        ...[store, appId],
      )
      return (await db.alone(nameless)) !== undefined
    },

    async appNames(apps) {
      const wanted = JSON.stringify(apps.map(({ store, appId }) => ({ store, app_id: appId })))
      const found = await db.alone(APP_NAME.all(APP_NAMES, wanted))
      return new Map(found.map(({ store, appId, name }) => [`${store}/${appId}`, name]))
    },

    list: ({ failingOnly, limit }) =>
      db.snapshot(function* () {
        // Two index reads avoid sorting a million feeds for one page.
        const active = (failing: string) =>
          `where failing_since is ${failing} and next_poll_at is not null order by id limit ?1`
        const failing = yield* viewsWhere(active('not null'), limit)
        if (failingOnly) return failing
        return [...failing, ...(yield* viewsWhere(active('null'), limit - failing.length))]
      }),

    overdue: (at, limit) =>
      db.snapshot(function* () {
        const count = `select count(*) as count from feeds where ${OVERDUE}`
        const found = yield* get<{ count: number }>(count, msOf(at))
        const feeds = yield* viewsWhere(`where ${OVERDUE} order by next_poll_at limit ?2`, msOf(at), limit)
        return { count: found?.count ?? 0, feeds }
      }),

    async rawAnswer(feedId) {
      const answer = get<{ raw: string }>('select raw from raw_answers where feed_id = ?1', feedId)
      return (await db.alone(answer))?.raw ?? null
    },

    unusual: ({ limit }) => db.alone(viewsWhere(UNUSUAL, limit)),

    knownMalformedRows: (feedId) => db.alone(knownMalformedRows(feedId)),

    quarantined: ({ limit }) => db.alone(quarantined(limit)),

    ratingsGrowth: (app, storefronts, since) => db.alone(ratingsGrowth(app, storefronts, since)),

    demand: (store) =>
      db.snapshot(function* () {
        const reviews = yield* RATE.all(REVIEW_FEEDS_BY_RATE, store)
        const ratings = yield* get<{ polls: number }>(RATING_POLLS_PER_DAY, store)
        return { reviews, ratingPollsPerDay: ratings?.polls ?? 0 }
      }),

    counts: () => db.alone(COUNT.all(COUNTS, msOf(now()))),
  }
}

function* viewsWhere(rest: Sql, ...values: readonly Value[]): Work<FeedView[]> {
  const select = sql((d) => `select ${FEED_VIEW_COLUMNS} from feeds ${d.of(rest)}`)
  return (yield* all<FeedViewRow>(select, ...values)).map(feedViewOf)
}

const RELEASE = {
  sqlite: `update feeds set next_poll_at = claimed_due_at, claimed_due_at = null, lease = null
    where id = ?1 and lease = ?2`,
  postgres: `update feeds f set next_poll_at = f.claimed_due_at, claimed_due_at = null, lease = null
    from unnest(?1::integer[], ?2::text[]) as leased (id, lease)
    where f.id = leased.id and f.lease = leased.lease`,
}

/** Of `apps`. */
export const APP_SHAPE = {
  store: word<Store>(),
  appId: text,
  name: text,
  developer: nullable(text),
  iconUrl: nullable(text),
}
const APP = columns({ ...APP_SHAPE, updatedAt: instant })

const NEWER_APP = `on conflict (store, app_id) do update set name = excluded.name, developer = excluded.developer,
    icon_url = excluded.icon_url, updated_at = excluded.updated_at
  where excluded.updated_at >= apps.updated_at`

const APP_NAME = columns({ store: word<Store>(), appId: text, name: text }, 'a')
const APP_NAMES = sql(
  (
    d,
  ) => `from (select distinct store, app_id from ${d.rows('?1', 'app', { store: 'text', app_id: 'text' })}) wanted
    join apps a on a.store = wanted.store and a.app_id = wanted.app_id`,
)

/** How late a feed may be beyond its interval, since a pass of a slow store takes time. */
const OVERDUE_SLACK_MS = 60_000

/** Overdue at `?1`. The first two parts of each branch are ranges of the index of due feeds. */
const NOW = 'cast(?1 as bigint)'
const OVERDUE = `store in ('apple', 'google') and kind in ('reviews', 'rating') and next_poll_at > 0 and (
  next_poll_at <= ${NOW} - ${OVERDUE_SLACK_MS} and next_poll_at + interval_ms <= ${NOW} - ${OVERDUE_SLACK_MS}
  or next_poll_at > ${NOW} + ${POLL_AHEAD_MS_MAX} and next_poll_at > ${NOW} + ${POLL_AHEAD_MS_MAX} + 2 * interval_ms)`

const UNUSUAL = sql(
  (d) => `where id in (
      select id from feeds ${d.indexedBy('feeds_frozen')} where frozen_since is not null and next_poll_at is not null
      union
      select id from feeds ${d.indexedBy('feeds_fallback')} where fallback_source is not null and next_poll_at is not null)
    order by frozen_since is null, id limit ?1`,
)

const DAY_MS = 24 * 3_600_000

/** Both read one index alone. */
const RATE = columns({ reviewsPerDay: nullable(real), feeds: named('count(*)', integer) })
export const REVIEW_FEEDS_BY_RATE =
  "from feeds where store = ?1 and kind = 'reviews' and next_poll_at is not null group by reviews_per_day"
export const RATING_POLLS_PER_DAY = `
  select cast(coalesce(sum(${DAY_MS}.0 / interval_ms), 0) as double precision) as polls from feeds
  where store = ?1 and kind = 'rating' and next_poll_at is not null`

const COUNT = columns({
  store: word<Store>(),
  kind: word<FeedKind>(),
  active: named('sum(active)', integer),
  failing: named('sum(failing)', integer),
  due: named('sum(due)', integer),
  fallback: named('sum(fallback)', integer),
  frozen: named('sum(frozen)', integer),
  quarantined: named('sum(quarantined)', integer),
})

/** Each part reads only an index: reading the table takes a second with a million feeds. */
const COUNTS = sql((d) => {
  const marked = (column: string, zeros: string, index: string) => `
    select store, kind, ${zeros} from feeds ${d.indexedBy(index)}
    where ${column} is not null and next_poll_at is not null group by store, kind
    union all`
  return `from (
      select store, kind, count(*) as active, 0 as failing, count(*) filter (where next_poll_at <= ?1) as due,
        0 as fallback, 0 as frozen, 0 as quarantined
      from feeds where next_poll_at is not null group by store, kind
      union all
      ${marked('failing_since', '0, count(*), 0, 0, 0, 0', 'feeds_failing')}
      ${marked('fallback_source', '0, 0, 0, count(*), 0, 0', 'feeds_fallback')}
      ${marked('frozen_since', '0, 0, 0, 0, count(*), 0', 'feeds_frozen')}
      select f.store, f.kind, 0, 0, 0, 0, 0, count(*)
      from quarantined_rows q join feeds f on f.id = q.feed_id group by f.store, f.kind
    ) counted group by store, kind order by store, kind`
})
