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
import type { FeedKind, Store, Storefront } from '../../../model/vocabulary.ts'
import { FEED_INTERVAL_MS, FRESH_MS } from '../../feeds/intervals.ts'
import { storefrontsOf } from '../../tables/hooks/storefront-text.ts'
import { dateOf, msOf } from '../../values.ts'
import type { Connection } from '../connect.ts'

export type App = { readonly store: Store; readonly appId: string }

/**
 * The watches and tracked storefronts of one app for all accounts, without gone hooks. Call it inside a transaction.
 */
export function watchersOf(
  db: Connection,
  app: App,
): { watches: WatchScope[]; tracked: TrackedStorefront[] } {
  const watches = db
    .all<{
      account_id: string
      event_type: Watch['eventType']
      storefront: string | null
      created_at: number
    }>(
      `select w.account_id, w.event_type, w.storefront, min(w.created_at) as created_at
       from watches w join hooks h on h.id = w.hook_id
       where w.store = ? and w.app_id = ? and h.status <> 'gone' and h.deleted_at is null
       group by w.account_id, w.event_type, w.storefront`,
      app.store,
      app.appId,
    )
    .map((row) => ({
      accountId: row.account_id,
      eventType: row.event_type,
      storefronts: storefrontsOf(row.storefront),
      createdAt: dateOf(row.created_at),
    }))
  const tracked = db
    .all<{ account_id: string; storefront: Storefront }>(
      'select account_id, storefront from tracked_storefronts where store = ? and app_id = ?',
      app.store,
      app.appId,
    )
    .map((row) => ({ accountId: row.account_id, storefront: row.storefront }))
  return { watches, tracked }
}

/**
 * Updates the poll set of one app to its watches. New feeds are due before all others. Feeds without a watch lose their
 * baseline and their lease, so that a running poll writes nothing; their seen reviews stay. Call it inside every
 * transaction that changes watches, tracked storefronts, or whether a hook is gone.
 */
export function updatePollSet(db: Connection, app: App): void {
  const { watches, tracked } = watchersOf(db, app)
  const official = officialAccountsOf(db, app)
  const needed = new Map(
    feedsNeeded(app.store, watches, tracked, official).map((feed) => [`${feed.kind} ${feed.market}`, feed]),
  )
  const feeds = db.all<{ id: number; kind: FeedKind; market: string; next_poll_at: number | null }>(
    'select id, kind, market, next_poll_at from feeds where store = ? and app_id = ?',
    app.store,
    app.appId,
  )
  for (const feed of feeds) {
    const isNeeded = needed.delete(`${feed.kind} ${feed.market}`)
    if (isNeeded && feed.next_poll_at === null) {
      db.run('update feeds set next_poll_at = 0, interval_ms = ? where id = ?', FEED_INTERVAL_MS, feed.id)
    } else if (!isNeeded && feed.next_poll_at !== null) {
      db.run(
        `update feeds set next_poll_at = null, claimed_due_at = null, lease = null, failures = 0,
           failing_since = null, baseline_micros = null, baseline_count = null, baseline_at = null
         where id = ?`,
        feed.id,
      )
    }
  }
  for (const { kind, market } of needed.values()) {
    db.run(
      'insert into feeds (store, app_id, kind, market, next_poll_at, interval_ms) values (?, ?, ?, ?, 0, ?)',
      app.store,
      app.appId,
      kind,
      market,
      FEED_INTERVAL_MS,
    )
  }
  updateFeedAccounts(db, app, feedsByAccount(app.store, watches, tracked, official))
}

/** Stores the accounts of each feed of an app, so that claims serve accounts in rotation. */
function updateFeedAccounts(db: Connection, app: App, wanted: readonly AccountFeed[]): void {
  const list = JSON.stringify(wanted)
  db.run(
    `delete from feed_accounts where (feed_id, account_id) in (
       select f.id, a.account_id from feeds f join feed_accounts a on a.feed_id = f.id
       where f.store = ?1 and f.app_id = ?2 and (f.kind, f.market, a.account_id) not in (
         select value ->> 'kind', value ->> 'market', value ->> 'accountId' from json_each(?3)))`,
    app.store,
    app.appId,
    list,
  )
  db.run(
    `insert into feed_accounts (feed_id, account_id, store, kind, next_poll_at)
     select f.id, value ->> 'accountId', f.store, f.kind, f.next_poll_at
     from json_each(?3) join feeds f on f.store = ?1 and f.app_id = ?2
       and f.kind = value ->> 'kind' and f.market = value ->> 'market'
     where true on conflict do nothing`,
    app.store,
    app.appId,
    list,
  )
  db.run(
    `insert into poll_turns (store, kind, fresh, account_id)
     select distinct ?1, value ->> 'kind', fresh, value ->> 'accountId'
     from json_each(?2), (select 0 as fresh union all select 1) where true on conflict do nothing`,
    app.store,
    list,
  )
}

/** The accounts that get the reviews of an app by their own credentials now. */
function officialAccountsOf(db: Connection, { store, appId }: App): OfficialAccounts {
  const rows = db.all<{ account_id: string }>(
    `select account_id from review_sources where store = ? and app_id = ? and state = 'official'`,
    store,
    appId,
  )
  return new Set(rows.map(({ account_id }) => account_id))
}

/** Makes the feeds of a new watch due at once, unless they were polled in the last minute or a poll is under way. */
export function expediteFeeds(db: Connection, watch: Watch, now: Date): void {
  const { watches, tracked } = watchersOf(db, watch)
  const watched = storefrontsWatched(watches, tracked).get(watch.accountId) ?? []
  for (const { kind, market } of feedsOfWatch(watch.store, watch, watched)) {
    db.run(
      `update feeds set next_poll_at = 0
       where store = ?1 and app_id = ?2 and kind = ?3 and market = ?4 and next_poll_at > 0
         and (last_polled_at is null or last_polled_at < ?5 - ${FRESH_MS})
         and (lease is null or next_poll_at <= ?5)`,
      watch.store,
      watch.appId,
      kind,
      market,
      msOf(now),
    )
  }
}
