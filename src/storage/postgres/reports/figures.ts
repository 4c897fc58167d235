import type { Buckets } from '../../../model/days.ts'
import type { ReportStorage } from '../../port/reports.ts'
import {
  type BucketRow,
  FAILING_HOOKS_MAX,
  type FailingHookRow,
  firstHourOf,
  type HookRow,
  type HourRow,
  hookFiguresOf,
  type MovementRow,
  overviewOf,
  type QueueRow,
} from '../../reports/figures.ts'
import { type AppScope, keysOf } from '../../reports/scope.ts'
import { leastDueOf } from '../../tables/queue/least-due.ts'
import { msOf } from '../../values.ts'
import type { Database, Queries } from '../connect.ts'
import { appRows, feedsIn } from './apps.ts'
import { notableDrops } from './drops.ts'
import { scopesIn } from './review-feed.ts'

export function reportFigures(db: Database): Pick<ReportStorage, 'overview' | 'hookHealth'> {
  return {
    overview: async (accountId, buckets, now) =>
      db.snapshot(async (tx) => {
        const since = buckets[0]
        const scopes = await scopesIn(tx, accountId)
        const feeds = await feedsIn(tx, scopes)
        return overviewOf({
          buckets,
          apps: scopes.length,
          hooks: await countHooks(tx, accountId),
          hours: await hourRows(tx, accountId, msOf(since), msOf(now)),
          reviews: await reviewBuckets(tx, scopes, buckets, now),
          drops: await notableDrops(tx, accountId, scopes, since, now),
          queue: await queueOf(tx, accountId),
          failingHooks: await tx.all<FailingHookRow>(FAILING_HOOKS, accountId),
          feeds,
          names: await appRows(tx, scopes),
          before: await ratingsBefore(
            tx,
            feeds.filter(({ kind }) => kind === 'rating').map(({ id }) => id),
            msOf(since),
          ),
          everDelivered: (await tx.get(EVER_DELIVERED, accountId)) !== undefined,
        })
      }),

    hookHealth: async (accountId, now) =>
      db.snapshot(async (tx) =>
        hookFiguresOf(
          await tx.all<HookRow>(HOOKS, accountId, msOf(now)),
          await hourRows(tx, accountId, firstHourOf(now), msOf(now)),
          now,
        ),
      ),
  }
}

async function countHooks(db: Queries, accountId: string): Promise<number> {
  const row = await db.get<{ hooks: number }>(
    'select count(*) as hooks from hooks where account_id = $1 and deleted_at is null',
    accountId,
  )
  return row?.hooks ?? 0
}

async function hourRows(
  db: Queries,
  accountId: string,
  sinceMs: number,
  untilMs: number,
): Promise<HourRow[]> {
  return db.all<HourRow>(
    `select hook_id, hour_at, outcome, count from hook_hours
     where account_id = $1 and hour_at >= $2 and hour_at < $3`,
    accountId,
    sinceMs,
    untilMs,
  )
}

async function reviewBuckets(
  db: Queries,
  scopes: readonly AppScope[],
  buckets: Buckets,
  now: Date,
): Promise<BucketRow[]> {
  return db.all<BucketRow>(
    `select width_bucket(r.occurred_at, $4::bigint[]) - 1 as bucket, count(*) as reviews
     from unnest($1::text[], $2::text[], $3::text[]) as w (store, app_id, market)
     join reviews r on r.store = w.store and r.app_id = w.app_id and r.market = w.market
     where r.occurred_at >= $5 and r.occurred_at < $6
     group by 1`,
    ...keysOf(scopes, 'reviews'),
    buckets.map(msOf),
    msOf(buckets[0]),
    msOf(now),
  )
}

/** Each rating at the start of the period, or its first one within it. */
async function ratingsBefore(
  db: Queries,
  feedIds: readonly number[],
  sinceMs: number,
): Promise<MovementRow[]> {
  return db.all<MovementRow>(
    `select r.feed_id, r.micros, r.count from unnest($1::integer[]) as j (feed_id)
     join ratings r on r.feed_id = j.feed_id and r.observed_at = coalesce(
       (select max(b.observed_at) from ratings b where b.feed_id = j.feed_id and b.observed_at <= $2),
       (select min(b.observed_at) from ratings b where b.feed_id = j.feed_id))`,
    feedIds,
    sinceMs,
  )
}

async function queueOf(db: Queries, accountId: string): Promise<QueueRow> {
  const row = await db.get<QueueRow>(QUEUE, accountId)
  return row ?? { pending: 0, held: 0, dead: 0, due_at: null }
}

/** The counts read only indexes. */
const QUEUE = `with mine as (
    select l.hook_id, l.state, (select count(*) from deliveries d where d.hook_id = l.hook_id and d.status = 'pending') as waiting,
      ${leastDueOf('l.hook_id').postgres} as first_due
    from hooks h join lanes l on l.hook_id = h.id where h.account_id = $1 and h.deleted_at is null)
  select coalesce(sum(waiting) filter (where state <> 'paused'), 0) as pending,
    coalesce(sum(waiting) filter (where state = 'paused'), 0) as held,
    (select count(*) from deliveries d
      where d.account_id = $1 and d.status = 'dead' and d.resolved_at is null) as dead,
    min(first_due) filter (where state <> 'paused') as due_at
  from mine`

/** A test event counts, since it is often the first event of a new account. */
const EVER_DELIVERED = `(select 1 from hook_hours where account_id = $1 and outcome >= 0 limit 1)
  union all
  (select 1 from hooks h join tests t on t.hook_id = h.id and t.record::json ->> 'reason' is null
  where h.account_id = $1 limit 1)`

const FAILING_SINCE = `(select case n.kind when 'failing' then n.at end from notices n
      where n.hook_id = h.id and n.kind in ('failing', 'recovered') order by n.seq desc limit 1)`

/** Counts the pending deliveries only of the hooks it returns. */
const FAILING_HOOKS = `with failing as materialized (
    select h.id, h.name, h.target_url, ${FAILING_SINCE} as failing_since
    from hooks h where h.account_id = $1 and h.status = 'active' and h.deleted_at is null),
  longest as (
    select f.*, count(*) over () as total from failing f
    where f.failing_since is not null order by f.failing_since, f.id limit ${FAILING_HOOKS_MAX})
  select l.*, (select count(*) from deliveries d where d.hook_id = l.id and d.status = 'pending') as pending
  from longest l order by l.failing_since, l.id`

/** The number of deliveries to search for the last accepted one. */
const LAST_DELIVERIES = 20

const HOOKS = `select h.id,
    (select count(*) from deliveries d where d.hook_id = h.id and d.status = 'pending') as pending,
    coalesce(dead.letters, 0) as dead,
    (select max(last.delivered_at) from (
      select d.delivered_at from events e join deliveries d on d.seq = e.seq
      where e.hook_id = h.id order by e.seq desc limit ${LAST_DELIVERIES}
    ) last) as last_delivered_at,
    case when l.state = 'open' and l.not_before > $2 and 'breaker_opened' = (
      select n.kind from notices n
      where n.hook_id = h.id and n.kind in ('breaker_opened', 'breaker_closed') order by n.seq desc limit 1)
    then l.not_before end as breaker_open_until,
    ${FAILING_SINCE} as failing_since
  from hooks h join lanes l on l.hook_id = h.id
  left join (
    select d.hook_id, count(*) as letters from deliveries d
    where d.account_id = $1 and d.status = 'dead' and d.resolved_at is null group by d.hook_id
  ) dead on dead.hook_id = h.id
  where h.account_id = $1 and h.deleted_at is null`
