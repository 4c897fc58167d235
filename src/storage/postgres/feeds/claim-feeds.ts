import { type DueRow, dueFeedsOf, FEW_DUE_MAX, fairPicks, servedAfter } from '../../../model/fair-picks.ts'
import type { FeedClaim, LeasedFeed } from '../../port/feeds.ts'
import { forwardFromOf } from '../../tables/feeds/coverage.ts'
import { baselineOf, FEED_COLUMNS, type FeedRow, feedOf } from '../../tables/feeds/feed-rows.ts'
import { dateOf, flagOf, msOf } from '../../values.ts'
import { runAsync } from '../../work.ts'
import type { Database, Transaction } from '../connect.ts'

// Differs from sqlite: two nodes may claim at once, and the second must see which accounts the first one served.
const LOCK = "select pg_advisory_xact_lock(hashtextextended('turns of ' || $1 || ' ' || $2, 0))"

/** Accounts with due feeds, least recently served first, with up to `$4` feeds each. */
// Without `limit 1` a plan may join all due feeds instead of reading one per account.
const dueOf = (fresh: 0 | 1, span: string) => `select ${fresh} as fresh, turn.served, turn.account_id, due.*
  from (
    select t.account_id, t.served from poll_turns t
    cross join lateral (
      select 1 from feed_accounts a
      where a.store = $1 and a.kind = $2 and a.account_id = t.account_id and a.next_poll_at ${span} limit 1) has_due
    where t.store = $1 and t.kind = $2 and t.fresh = ${fresh}
    order by t.served, t.account_id limit $4) turn
  cross join lateral (
    select feed_id, next_poll_at from feed_accounts a
    where a.store = $1 and a.kind = $2 and a.account_id = turn.account_id and a.next_poll_at ${span}
    order by next_poll_at, feed_id limit $4) due`

export const DUE_BY_ACCOUNT = `select * from (
    ${dueOf(1, '= 0')}
    union all
    ${dueOf(0, 'between 1 and $3::bigint')}) due
  order by fresh, served, account_id, next_poll_at, feed_id`

/** The same for the feeds `$3`, when few are due. Without `limit 1` a plan may read `poll_turns` of all accounts. */
export const ACCOUNTS_OF_FEEDS = `select t.fresh, t.served, a.account_id, a.feed_id, a.next_poll_at
  from feed_accounts a
  cross join lateral (
    select fresh, served from poll_turns t
    where t.store = $1 and t.kind = $2 and t.fresh = (case when a.next_poll_at = 0 then 1 else 0 end)
      and t.account_id = a.account_id limit 1) t
  where a.feed_id = any($3::integer[])
  order by t.fresh, t.served, a.account_id, a.next_poll_at, a.feed_id`

export const SERVED_MAX = `select
  (select max(served) from poll_turns where store = $1 and kind = $2 and fresh = 1) as fresh,
  (select max(served) from poll_turns where store = $1 and kind = $2 and fresh = 0) as known`

const DUE = 'store = $1 and kind = $2 and next_poll_at <= $3'
export const DUE_FEEDS = `select id from feeds where ${DUE} order by next_poll_at, id limit $4`
export const DUE_FEEDS_OF_MARKET = `select id from feeds
  where ${DUE} and market = (select market from feeds where id = $4) order by next_poll_at, id limit $5`

// Without `materialized` a plan may find rows more than once and lease more than the limit. The due time is checked
// again under the lock, because a feed may have left the poll set.
export const LEASE_FEEDS = `with due as materialized (
    select id as due_id from feeds where id = any($1::integer[]) and next_poll_at <= $2
    order by id for update skip locked)
  update feeds f set claimed_due_at = next_poll_at, next_poll_at = $3, lease = $4
  from due where f.id = due.due_id returning ${FEED_COLUMNS}, claimed_due_at`

export async function claimFeeds(db: Database, request: FeedClaim): Promise<LeasedFeed[]> {
  // This runs every second, and usually nothing is due: then it costs one statement instead of six, and no lock.
  const { store, kind, now } = request
  if ((await db.get(DUE_FEEDS, store, kind, msOf(now), 1)) === undefined) return []
  return db.transaction((tx) => claimFairly(tx, request))
}

async function claimFairly(tx: Transaction, request: FeedClaim): Promise<LeasedFeed[]> {
  const { store, kind, now, lease, leaseMs, limit, sameMarket } = request
  await tx.run(LOCK, store, kind)
  const ids = sameMarket ? await ofOneMarket(tx, request) : await nextFeeds(tx, request, limit)
  if (ids.length === 0) return []
  const rows = await tx.all<FeedRow & { claimed_due_at: number }>(
    LEASE_FEEDS,
    ids,
    msOf(now),
    msOf(now) + leaseMs,
    lease,
  )
  rows.sort((a, b) => a.claimed_due_at - b.claimed_due_at || a.id - b.id)
  const forwardFrom = await runAsync(tx, forwardFromOf(rows.map(feedOf)))
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
async function ofOneMarket(tx: Transaction, request: FeedClaim): Promise<number[]> {
  const { store, kind, now, limit } = request
  const [first] = await nextFeeds(tx, request, 1)
  if (first === undefined) return []
  const others = await tx.all<{ id: number }>(DUE_FEEDS_OF_MARKET, store, kind, msOf(now), first, limit)
  return [...new Set([first, ...others.map(({ id }) => id)])].slice(0, limit)
}

async function dueByAccount(
  tx: Transaction,
  { store, kind, now }: FeedClaim,
  limit: number,
): Promise<DueRow[]> {
  const due = await tx.all<{ id: number }>(DUE_FEEDS, store, kind, msOf(now), FEW_DUE_MAX + 1)
  if (due.length > FEW_DUE_MAX) return tx.all(DUE_BY_ACCOUNT, store, kind, msOf(now), limit)
  return tx.all(
    ACCOUNTS_OF_FEEDS,
    store,
    kind,
    due.map(({ id }) => id),
  )
}

async function nextFeeds(tx: Transaction, request: FeedClaim, limit: number): Promise<number[]> {
  const { store, kind, now } = request
  const rows = await dueByAccount(tx, request, limit)
  const max = await tx.get<{ fresh: number | null; known: number | null }>(SERVED_MAX, store, kind)
  const served = { fresh: max?.fresh ?? 0, known: max?.known ?? 0 }
  const picks = fairPicks(dueFeedsOf(rows), served.fresh <= served.known, limit)
  const after = servedAfter(picks, Math.max(served.fresh, served.known))
  if (after.length > 0) {
    await tx.run(
      `update poll_turns t set served = now.served
       from unnest($3::smallint[], $4::text[], $5::bigint[]) as now (fresh, account_id, served)
       where t.store = $1 and t.kind = $2 and t.fresh = now.fresh and t.account_id = now.account_id`,
      store,
      kind,
      after.map(({ fresh }) => flagOf(fresh)),
      after.map(({ accountId }) => accountId),
      after.map((each) => each.served),
    )
  }
  const ids = picks.map(({ feedId }) => feedId)
  if (ids.length === limit) return ids
  // Every due feed must be claimed at some point, even one without a stored account.
  const left = await tx.all<{ id: number }>(DUE_FEEDS, store, kind, msOf(now), limit)
  return [...new Set([...ids, ...left.map(({ id }) => id)])].slice(0, limit)
}
