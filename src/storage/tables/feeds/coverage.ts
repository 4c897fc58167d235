import {
  type AccountFeed,
  feedsByAccount,
  feedsNeeded,
  feedsOfWatch,
  forwardFrom,
  storefrontsWatched,
  type TrackedStorefront,
  type WatchScope,
} from '../../../model/coverage.ts'
import type { Feed } from '../../../model/feed.ts'
import { FEED_INTERVAL_MS, FRESH_MS } from '../../../model/feed-interval.ts'
import type { AppKey, Watch } from '../../../model/hook.ts'
import { unseenAtOf } from '../../../model/late-reviews.ts'
import type { EventType, FeedKind, Store } from '../../../model/vocabulary.ts'
import { dateOf, msOf } from '../../values.ts'
import { all, lock, notifyWork, run, runRows, sql, type Work } from '../../work.ts'
import { storefrontsOf } from '../hooks/tracked-storefronts.ts'

export type Watchers = {
  readonly watches: readonly WatchScope[]
  readonly tracked: readonly TrackedStorefront[]
}

/** `event_type` is null for a tracked storefront. */
const WATCHERS = sql(
  (
    d,
  ) => `with wanted as (select distinct store, app_id from ${d.rows('?1', 'app', { store: 'text', app_id: 'text' })})
    select w.store, w.app_id, w.account_id, w.event_type, w.storefront, h.late_reviews_hours, min(w.created_at) as created_at
    from wanted v join watches w on w.store = v.store and w.app_id = v.app_id join hooks h on h.id = w.hook_id
    where h.status <> 'gone' and h.deleted_at is null
    group by w.store, w.app_id, w.account_id, w.event_type, w.storefront, h.late_reviews_hours
    union all
    select f.store, f.app_id, f.account_id, null, f.storefront, 0, f.created_at
    from wanted v join tracked_storefronts f on f.store = v.store and f.app_id = v.app_id`,
)

type WatcherRow = {
  store: Store
  app_id: string
  account_id: string
  event_type: Watch['eventType'] | null
  storefront: string | null
  late_reviews_hours: number
  created_at: number
}

/** The watches and tracked storefronts of these apps for all accounts, without gone hooks, with one statement. */
export function* watchersOf(apps: readonly AppKey[]): Work<(app: AppKey) => Watchers> {
  const wanted = JSON.stringify(apps.map(({ store, appId }) => ({ store, app_id: appId })))
  const rows = yield* all<WatcherRow>(WATCHERS, wanted)
  const byApp = new Map<string, { watches: WatchScope[]; tracked: TrackedStorefront[] }>()
  for (const {
    store,
    app_id,
    account_id: accountId,
    event_type: eventType,
    storefront,
    late_reviews_hours: lateReviewsHours,
    created_at,
  } of rows) {
    const key = `${store} ${app_id}`
    const watchers = byApp.get(key) ?? { watches: [], tracked: [] }
    byApp.set(key, watchers)
    const storefronts = storefrontsOf(storefront)
    if (eventType === null)
      watchers.tracked.push(...(storefronts ?? []).map((each) => ({ accountId, storefront: each })))
    else
      watchers.watches.push({
        accountId,
        eventType,
        storefronts,
        lateReviewsHours,
        createdAt: dateOf(created_at),
      })
  }
  return ({ store, appId }) => byApp.get(`${store} ${appId}`) ?? { watches: [], tracked: [] }
}

/** `LeasedFeed.forwardFrom` of these feeds. Null for ratings. */
export function* forwardFromOf(
  feeds: readonly Feed[],
  eventTypes?: readonly EventType[],
): Work<(feed: Feed) => Date | null> {
  const ofReviews = feeds.filter(({ kind }) => kind === 'reviews')
  if (ofReviews.length === 0) return () => null
  const watchers = yield* watchersOf(ofReviews)
  return (feed) => {
    if (feed.kind !== 'reviews') return null
    const { watches, tracked } = watchers(feed)
    return forwardFrom(feed.store, feed.market, watches, tracked, unseenAtOf(feed), eventTypes)
  }
}

/**
 * Updates the poll set of these apps to their watches. New feeds are due before all others. Feeds without a watch lose
 * their baseline and their lease, so that a running poll writes nothing; their seen reviews stay. Call it once at the
 * end of every transaction that changes watches, tracked storefronts, or whether a hook is gone.
 */
export function* updatePollSet(apps: readonly AppKey[]): Work<void> {
  if (apps.length === 0) return
  yield* lockFeedsOf(apps)
  const watchers = yield* watchersOf(apps)
  for (const app of apps) yield* updateFeeds(app, watchers(app))
}

/**
 * Waits for other changes of what is polled for these apps, and for polls of them that are being committed. Two transactions may change the
 * watches of one app at once. The second waits here and then reads the changes of the first; otherwise each would miss the other's feeds. A
 * fixed order avoids deadlocks.
 */
export function* lockFeedsOf(apps: readonly AppKey[]): Work<void> {
  const lists = [apps.map(({ store }) => store), apps.map(({ appId }) => appId)]
  yield* lock(
    `select pg_advisory_xact_lock(key) from (
       select distinct hashtextextended('feeds of ' || store || ' ' || app_id, 0) as key
       from unnest(?1::text[], ?2::text[]) as app (store, app_id) order by 1) keys`,
    ...lists,
  )
  yield* lock(
    `select id from feeds where (store, app_id) in (select * from unnest(?1::text[], ?2::text[])) order by id for update`,
    ...lists,
  )
}

const FEEDS_OF_APP = sql(
  (d) =>
    `select id, kind, market, next_poll_at from feeds where store = ?1 and app_id = ?2 order by id ${d.forUpdate()}`,
)

const RESUME = sql(
  (d) => `update feeds set next_poll_at = 0, interval_ms = ?1 where id ${d.among('?2', 'integer')}`,
)

const REMOVE = sql(
  (d) => `update feeds set next_poll_at = null, claimed_due_at = null, lease = null, failures = 0,
      failing_since = null, baseline_micros = null, baseline_count = null, baseline_at = null
    where id ${d.among('?1', 'integer')}`,
)

const ADD = {
  sqlite:
    'insert into feeds (store, app_id, kind, market, next_poll_at, interval_ms) values (?1, ?2, ?3, ?4, 0, ?5)',
  postgres: `insert into feeds (store, app_id, kind, market, next_poll_at, interval_ms)
    select store, app_id, kind, market, 0, interval_ms
    from unnest(?1::text[], ?2::text[], ?3::text[], ?4::text[], ?5::bigint[]) as feed (store, app_id, kind, market, interval_ms)`,
}

function* updateFeeds(app: AppKey, { watches, tracked }: Watchers): Work<void> {
  const { store, appId } = app
  const official = new Set(
    (yield* all<{ account_id: string }>(
      `select account_id from review_sources where store = ?1 and app_id = ?2 and state = 'official'`,
      ...[store, appId],
    )).map(({ account_id }) => account_id),
  )
  const needed = new Map(
    feedsNeeded(store, watches, tracked, official).map((feed) => [`${feed.kind} ${feed.market}`, feed]),
  )
  const feeds = yield* all<{ id: number; kind: FeedKind; market: string; next_poll_at: number | null }>(
    FEEDS_OF_APP,
    ...[store, appId],
  )
  const resumed: number[] = []
  const removed: number[] = []
  for (const feed of feeds) {
    const isNeeded = needed.delete(`${feed.kind} ${feed.market}`)
    if (isNeeded && feed.next_poll_at === null) resumed.push(feed.id)
    else if (!isNeeded && feed.next_poll_at !== null) removed.push(feed.id)
  }
  if (resumed.length > 0) yield* run(RESUME, FEED_INTERVAL_MS, resumed)
  if (removed.length > 0) yield* run(REMOVE, removed)
  const missing = [...needed.values()]
  yield* runRows(
    ADD,
    missing.map(({ kind, market }) => [store, appId, kind, market, FEED_INTERVAL_MS]),
  )
  yield* updateFeedAccounts(app, feedsByAccount(store, watches, tracked, official))
  if (resumed.length > 0 || missing.length > 0) yield* notifyWork()
}

const ACCOUNT_FEED = { kind: 'text', market: 'text', account_id: 'text' } as const

/** Stores the accounts of each feed of an app, so that claims serve accounts in rotation. */
function* updateFeedAccounts({ store, appId }: AppKey, feeds: readonly AccountFeed[]): Work<void> {
  const wanted = JSON.stringify(
    feeds.map(({ kind, market, accountId }) => ({ kind, market, account_id: accountId })),
  )
  for (const statement of FEED_ACCOUNTS) yield* run(statement, store, appId, wanted)
  yield* run(POLL_TURNS, store, wanted)
}

const FEED_ACCOUNTS = [
  sql(
    (d) => `delete from feed_accounts where (feed_id, account_id) in (
      select f.id, a.account_id from feeds f join feed_accounts a on a.feed_id = f.id
      where f.store = ?1 and f.app_id = ?2 and (f.kind, f.market, a.account_id) not in (
        select kind, market, account_id from ${d.rows('?3', 'wanted', ACCOUNT_FEED)}))`,
  ),
  sql(
    (d) => `insert into feed_accounts (feed_id, account_id, store, kind, next_poll_at)
      select f.id, wanted.account_id, f.store, f.kind, f.next_poll_at
      from ${d.rows('?3', 'wanted', ACCOUNT_FEED)} join feeds f
        on f.store = ?1 and f.app_id = ?2 and f.kind = wanted.kind and f.market = wanted.market
      where true on conflict do nothing`,
  ),
]

/** A fixed order avoids deadlocks. */
const POLL_TURNS = sql(
  (d) => `insert into poll_turns (store, kind, fresh, account_id)
    select distinct cast(?1 as text), kind, fresh, account_id
    from ${d.rows('?2', 'wanted', ACCOUNT_FEED)}, (select 0 as fresh union all select 1) class
    where true order by 2, 4, 3 on conflict do nothing`,
)

const EXPEDITE = {
  sqlite: `update feeds set next_poll_at = 0
    where store = ?1 and app_id = ?2 and kind = ?3 and market = ?4 and next_poll_at > 0
      and (last_polled_at is null or last_polled_at < ?5 - ${FRESH_MS}) and (lease is null or next_poll_at <= ?5)`,
  postgres: `update feeds f set next_poll_at = 0
    from unnest(?1::text[], ?2::text[], ?3::text[], ?4::text[], ?5::bigint[]) as feed (store, app_id, kind, market, now)
    where f.store = feed.store and f.app_id = feed.app_id and f.kind = feed.kind and f.market = feed.market
      and f.next_poll_at > 0 and (f.last_polled_at is null or f.last_polled_at < feed.now - ${FRESH_MS})
      and (f.lease is null or f.next_poll_at <= feed.now)`,
}

/** Makes the feeds of new watches due at once, unless they were polled in the last minute or a poll is under way. */
export function* expediteFeeds(watches: readonly Watch[], now: Date): Work<void> {
  if (watches.length === 0) return
  const watchers = yield* watchersOf(watches)
  const feeds = watches.flatMap((watch) => {
    const { watches: ofApp, tracked } = watchers(watch)
    const watched = storefrontsWatched(ofApp, tracked).get(watch.accountId) ?? []
    return feedsOfWatch(watch.store, watch, watched).map(({ kind, market }) => [
      ...[watch.store, watch.appId, kind, market],
      msOf(now),
    ])
  })
  if ((yield* runRows(EXPEDITE, feeds)) > 0) yield* notifyWork()
}
