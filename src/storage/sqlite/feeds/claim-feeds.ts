import {
  type AccountQueue,
  type DueFeeds,
  type DueRow,
  dueFeedsOf,
  FEW_DUE_MAX,
  fairPicks,
  type Pick,
  servedAfter,
} from '../../../model/fair-picks.ts'
import type { FeedClaim, LeasedFeed } from '../../port/feeds.ts'
import { forwardFromOf } from '../../tables/feeds/coverage.ts'
import { baselineOf, FEED_COLUMNS, type FeedRow, feedOf } from '../../tables/feeds/feed-rows.ts'
import { dateOf, flagOf, msOf } from '../../values.ts'
import { runSync } from '../../work.ts'
import type { Connection } from '../connect.ts'

// Differs from postgres: one writer, so nothing is locked, and short statements for each account.

/** Accounts with fresh or known feeds that are due between two instants, least recently served first. */
export const DUE_ACCOUNTS = `select account_id from poll_turns t
  where store = ?1 and kind = ?2 and fresh = ?3 and exists (
    select 1 from feed_accounts a where a.store = ?1 and a.kind = ?2 and a.account_id = t.account_id
      and a.next_poll_at between ?4 and ?5)
  order by served, account_id limit ?6`

export const DUE_OF_ACCOUNT = `select feed_id from feed_accounts
  where store = ?1 and kind = ?2 and account_id = ?3 and next_poll_at between ?4 and ?5
  order by next_poll_at, feed_id limit ?6`

/** The accounts of the feeds `?3` (JSON), fresh and known, when few are due. `cross join` fixes the join order. */
export const ACCOUNTS_OF_FEEDS = `select t.fresh, a.account_id, a.feed_id
  from json_each(?3) due
  cross join feed_accounts a on a.feed_id = due.value
  cross join poll_turns t on t.store = ?1 and t.kind = ?2 and t.account_id = a.account_id and t.fresh = (a.next_poll_at = 0)
  order by t.fresh, t.served, a.account_id, a.next_poll_at, a.feed_id`

export const SERVED_MAX =
  'select max(served) as served from poll_turns where store = ? and kind = ? and fresh = ?'

const DUE = 'store = ?1 and kind = ?2 and next_poll_at <= ?3'
export const DUE_FEEDS = `select id from feeds where ${DUE} order by next_poll_at, id limit ?4`
export const DUE_FEEDS_OF_MARKET = `select id from feeds
  where ${DUE} and market = (select market from feeds where id = ?4) order by next_poll_at, id limit ?5`

export const LEASE_FEEDS = `update feeds set claimed_due_at = next_poll_at, next_poll_at = ?1, lease = ?2
  where id in (select value from json_each(?3)) returning ${FEED_COLUMNS}, claimed_due_at`

export function claimFeeds(db: Connection, request: FeedClaim): LeasedFeed[] {
  // This runs every second, and usually nothing is due. A read takes no lock.
  const { store, kind, now } = request
  if (db.get(DUE_FEEDS, store, kind, msOf(now), 1) === undefined) return []
  return db.transaction(() => claimFairly(db, request))
}

function claimFairly(db: Connection, request: FeedClaim): LeasedFeed[] {
  const { now, lease, leaseMs, limit, sameMarket } = request
  const ids = sameMarket ? ofOneMarket(db, request) : nextFeeds(db, request, limit)
  const rows = db
    .all<FeedRow & { claimed_due_at: number }>(LEASE_FEEDS, msOf(now) + leaseMs, lease, JSON.stringify(ids))
    .sort((a, b) => a.claimed_due_at - b.claimed_due_at || a.id - b.id)
  const forwardFrom = runSync(db, forwardFromOf(rows.map(feedOf)))
  return rows.map((row): LeasedFeed => {
    const feed = feedOf(row)
    return {
      ...feed,
      lease,
      dueAt: dateOf(row.claimed_due_at),
      baseline: baselineOf(row),
      forwardFrom: forwardFrom(feed),
    }
  })
}

/** Feeds of one market, that of the account to serve next. Due feeds of other accounts fill the request. */
function ofOneMarket(db: Connection, request: FeedClaim): number[] {
  const { store, kind, now, limit } = request
  const [first] = nextFeeds(db, request, 1)
  if (first === undefined) return []
  const others = db
    .all<{ id: number }>(DUE_FEEDS_OF_MARKET, store, kind, msOf(now), first, limit)
    .map(({ id }) => id)
  return [...new Set([first, ...others])].slice(0, limit)
}

function dueByAccount(db: Connection, { store, kind, now }: FeedClaim, limit: number): DueFeeds {
  const due = db.all<{ id: number }>(DUE_FEEDS, store, kind, msOf(now), FEW_DUE_MAX + 1).map(({ id }) => id)
  if (due.length <= FEW_DUE_MAX) {
    return dueFeedsOf(db.all<DueRow>(ACCOUNTS_OF_FEEDS, store, kind, JSON.stringify(due)))
  }
  const queues = (fresh: boolean): AccountQueue[] => {
    const span = fresh ? [0, 0] : [1, msOf(now)]
    return db
      .all<{ account_id: string }>(DUE_ACCOUNTS, store, kind, flagOf(fresh), ...span, limit)
      .map(({ account_id: accountId }) => ({
        accountId,
        feedIds: db
          .all<{ feed_id: number }>(DUE_OF_ACCOUNT, store, kind, accountId, ...span, limit)
          .map((row) => row.feed_id),
      }))
  }
  return { fresh: queues(true), known: queues(false) }
}

function nextFeeds(db: Connection, request: FeedClaim, limit: number): number[] {
  const { store, kind, now } = request
  const servedMax = (fresh: boolean) =>
    db.get<{ served: number | null }>(SERVED_MAX, store, kind, flagOf(fresh))?.served ?? 0
  const served = { fresh: servedMax(true), known: servedMax(false) }
  const picks = fairPicks(dueByAccount(db, request, limit), served.fresh <= served.known, limit)
  updateServed(db, request, picks, Math.max(served.fresh, served.known))
  const ids = picks.map(({ feedId }) => feedId)
  if (ids.length === limit) return ids
  // Every due feed must be claimed at some point, even one without a stored account.
  const due = db.all<{ id: number }>(DUE_FEEDS, store, kind, msOf(now), limit).map(({ id }) => id)
  return [...new Set([...ids, ...due])].slice(0, limit)
}

function updateServed(
  db: Connection,
  { store, kind }: FeedClaim,
  picks: readonly Pick[],
  servedMax: number,
): void {
  for (const { accountId, fresh, served } of servedAfter(picks, servedMax)) {
    db.run(
      'update poll_turns set served = ? where store = ? and kind = ? and fresh = ? and account_id = ?',
      served,
      store,
      kind,
      flagOf(fresh),
      accountId,
    )
  }
}
