import {
  type AccountFeed,
  feedsByAccount,
  feedsNeeded,
  feedsOfWatch,
  type OfficialAccounts,
  storefrontsWatched,
  type TrackedStorefront,
  type WatchScope,
} from '../../../model/coverage.ts'
import type { Watch } from '../../../model/hook.ts'
import type { FeedKind, Store } from '../../../model/vocabulary.ts'
import { FEED_INTERVAL_MS, FRESH_MS } from '../../feeds/intervals.ts'
import { storefrontsOf } from '../../tables/hooks/storefront-text.ts'
import { dateOf, msOf } from '../../values.ts'
import type { Queries, Transaction } from '../connect.ts'

export type App = { readonly store: Store; readonly appId: string }

export type Watchers = {
  readonly watches: readonly WatchScope[]
  readonly tracked: readonly TrackedStorefront[]
}

/** The watches and tracked storefronts of these apps for all accounts, without gone hooks, with one statement. */
export async function watchersOf(db: Queries, apps: readonly App[]): Promise<(app: App) => Watchers> {
  const rows = await db.all<{
    store: Store
    app_id: string
    account_id: string
    event_type: Watch['eventType'] | null // null: a tracked storefront
    storefront: string | null
    created_at: number
  }>(
    `with wanted as (select distinct * from unnest($1::text[], $2::text[]) as app (store, app_id))
     select w.store, w.app_id, w.account_id, w.event_type, w.storefront, min(w.created_at) as created_at
     from wanted join watches w using (store, app_id) join hooks h on h.id = w.hook_id
     where h.status <> 'gone' and h.deleted_at is null
     group by w.store, w.app_id, w.account_id, w.event_type, w.storefront
     union all
     select f.store, f.app_id, f.account_id, null, f.storefront, f.created_at
     from wanted join tracked_storefronts f using (store, app_id)`,
    apps.map(({ store }) => store),
    apps.map(({ appId }) => appId),
  )
  const byApp = new Map<string, { watches: WatchScope[]; tracked: TrackedStorefront[] }>()
  for (const {
    store,
    app_id,
    account_id: accountId,
    event_type: eventType,
    storefront,
    created_at,
  } of rows) {
    const key = `${store} ${app_id}`
    const watchers = byApp.get(key) ?? { watches: [], tracked: [] }
    byApp.set(key, watchers)
    if (eventType !== null) {
      const createdAt = dateOf(created_at)
      watchers.watches.push({ accountId, eventType, storefronts: storefrontsOf(storefront), createdAt })
    } else {
      for (const each of storefrontsOf(storefront) ?? [])
        watchers.tracked.push({ accountId, storefront: each })
    }
  }
  return ({ store, appId }) => byApp.get(`${store} ${appId}`) ?? { watches: [], tracked: [] }
}

/**
 * Updates the poll set of these apps to their watches. New feeds are due before all others. Feeds without a watch lose
 * their baseline and their lease, so that a running poll writes nothing; their seen reviews stay. Call it once at the
 * end of every transaction that changes watches, tracked storefronts, or whether a hook is gone.
 */
export async function updatePollSet(tx: Transaction, apps: readonly App[]): Promise<void> {
  if (apps.length === 0) return
  await lockFeedsOf(tx, apps)
  const watchers = await watchersOf(tx, apps)
  for (const app of apps) await updateFeeds(tx, app, watchers(app))
}

/** Waits for other changes of what is polled for these apps, and for polls of them that are being committed. */
export async function lockFeedsOf(tx: Transaction, apps: readonly App[]): Promise<void> {
  // Differs from sqlite: two transactions may change the watches of one app at once. The second waits here and then
  // reads the changes of the first; otherwise each would miss the other's feeds. A fixed order avoids deadlocks.
  await tx.run(
    `select pg_advisory_xact_lock(key) from (
       select distinct hashtextextended('feeds of ' || store || ' ' || app_id, 0) as key
       from unnest($1::text[], $2::text[]) as app (store, app_id) order by 1) keys`,
    apps.map(({ store }) => store),
    apps.map(({ appId }) => appId),
  )
  await tx.all(
    `select id from feeds where (store, app_id) in (select * from unnest($1::text[], $2::text[])) order by id for update`,
    apps.map(({ store }) => store),
    apps.map(({ appId }) => appId),
  )
}

async function updateFeeds(tx: Transaction, app: App, { watches, tracked }: Watchers): Promise<void> {
  const official = await officialAccountsOf(tx, app)
  const needed = new Map(
    feedsNeeded(app.store, watches, tracked, official).map((feed) => [`${feed.kind} ${feed.market}`, feed]),
  )
  const feeds = await tx.all<{ id: number; kind: FeedKind; market: string; next_poll_at: number | null }>(
    'select id, kind, market, next_poll_at from feeds where store = $1 and app_id = $2 order by id for update',
    app.store,
    app.appId,
  )
  const resumed: number[] = []
  const removed: number[] = []
  for (const feed of feeds) {
    const isNeeded = needed.delete(`${feed.kind} ${feed.market}`)
    if (isNeeded && feed.next_poll_at === null) resumed.push(feed.id)
    else if (!isNeeded && feed.next_poll_at !== null) removed.push(feed.id)
  }
  if (resumed.length > 0) {
    await tx.run(
      'update feeds set next_poll_at = 0, interval_ms = $1 where id = any($2::integer[])',
      FEED_INTERVAL_MS,
      resumed,
    )
  }
  if (removed.length > 0) {
    await tx.run(
      `update feeds set next_poll_at = null, claimed_due_at = null, lease = null, failures = 0,
         failing_since = null, baseline_micros = null, baseline_count = null, baseline_at = null
       where id = any($1::integer[])`,
      removed,
    )
  }
  if (needed.size > 0) {
    const missing = [...needed.values()]
    await tx.run(
      `insert into feeds (store, app_id, kind, market, next_poll_at, interval_ms)
       select $1, $2, kind, market, 0, $3 from unnest($4::text[], $5::text[]) as feed (kind, market)`,
      app.store,
      app.appId,
      FEED_INTERVAL_MS,
      missing.map(({ kind }) => kind),
      missing.map(({ market }) => market),
    )
  }
  await updateFeedAccounts(tx, app, feedsByAccount(app.store, watches, tracked, official))
  if (resumed.length > 0 || needed.size > 0) tx.notifyWork()
}

/** The accounts that get the reviews of an app by their own credentials now. */
async function officialAccountsOf(tx: Transaction, { store, appId }: App): Promise<OfficialAccounts> {
  const rows = await tx.all<{ account_id: string }>(
    `select account_id from review_sources where store = $1 and app_id = $2 and state = 'official'`,
    store,
    appId,
  )
  return new Set(rows.map(({ account_id }) => account_id))
}

/** Stores the accounts of each feed of an app, so that claims serve accounts in rotation. */
async function updateFeedAccounts(tx: Transaction, app: App, wanted: readonly AccountFeed[]): Promise<void> {
  const kinds = wanted.map(({ kind }) => kind)
  const markets = wanted.map(({ market }) => market)
  const accounts = wanted.map(({ accountId }) => accountId)
  await tx.run(
    `delete from feed_accounts a using feeds f
     where f.id = a.feed_id and f.store = $1 and f.app_id = $2 and not exists (
       select 1 from unnest($3::text[], $4::text[], $5::text[]) as wanted (kind, market, account_id)
       where wanted.kind = f.kind and wanted.market = f.market and wanted.account_id = a.account_id)`,
    app.store,
    app.appId,
    kinds,
    markets,
    accounts,
  )
  await tx.run(
    `insert into feed_accounts (feed_id, account_id, store, kind, next_poll_at)
     select f.id, wanted.account_id, f.store, f.kind, f.next_poll_at
     from unnest($3::text[], $4::text[], $5::text[]) as wanted (kind, market, account_id)
     join feeds f on f.store = $1 and f.app_id = $2 and f.kind = wanted.kind and f.market = wanted.market
     on conflict do nothing`,
    app.store,
    app.appId,
    kinds,
    markets,
    accounts,
  )
  // A fixed order avoids deadlocks.
  await tx.run(
    `insert into poll_turns (store, kind, fresh, account_id)
     select distinct $1, kind, fresh, account_id
     from unnest($2::text[], $3::text[]) as wanted (kind, account_id), (values (0), (1)) as class (fresh)
     order by 2, 4, 3 on conflict do nothing`,
    app.store,
    kinds,
    accounts,
  )
}

/** Makes the feeds of new watches due at once, unless they were polled in the last minute or a poll is under way. */
export async function expediteFeeds(tx: Transaction, watches: readonly Watch[], now: Date): Promise<void> {
  const watchers = await watchersOf(tx, watches)
  const feeds = watches.flatMap((watch) => {
    const { watches: all, tracked } = watchers(watch)
    const watched = storefrontsWatched(all, tracked).get(watch.accountId) ?? []
    return feedsOfWatch(watch.store, watch, watched).map((feed) => ({ ...watch, ...feed }))
  })
  const expedited = await tx.run(
    `update feeds f set next_poll_at = 0
     from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as feed (store, app_id, kind, market)
     where f.store = feed.store and f.app_id = feed.app_id and f.kind = feed.kind and f.market = feed.market
       and f.next_poll_at > 0
       and (f.last_polled_at is null or f.last_polled_at < $5::bigint - ${FRESH_MS})
       and (f.lease is null or f.next_poll_at <= $5)`,
    feeds.map(({ store }) => store),
    feeds.map(({ appId }) => appId),
    feeds.map(({ kind }) => kind),
    feeds.map(({ market }) => market),
    msOf(now),
  )
  if (expedited > 0) tx.notifyWork()
}
