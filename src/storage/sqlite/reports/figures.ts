import type { ReportStorage } from '../../port/reports.ts'
import { bucketSpans, type Span } from '../../reports/app-figures.ts'
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
import type { AppScope } from '../../reports/scope.ts'
import { leastDueOf } from '../../tables/queue/least-due.ts'
import { msOf } from '../../values.ts'
import type { Connection } from '../connect.ts'
import { appRows, feedsIn } from './apps.ts'
import { notableDrops } from './drops.ts'
import { scopesIn } from './review-feed.ts'

export function reportFigures(db: Connection): Pick<ReportStorage, 'overview' | 'hookHealth'> {
  return {
    overview: async (accountId, buckets, now) =>
      db.snapshot(() => {
        const since = buckets[0]
        const scopes = scopesIn(db, accountId)
        const feeds = feedsIn(db, scopes)
        return overviewOf({
          buckets,
          apps: scopes.length,
          hooks: countHooks(db, accountId),
          hours: hourRows(db, accountId, msOf(since), msOf(now)),
          reviews: scopes.flatMap((scope) => reviewBuckets(db, scope, bucketSpans(buckets, now))),
          drops: notableDrops(db, accountId, scopes, since, now),
          queue: queueOf(db, accountId),
          failingHooks: db.all<FailingHookRow>(FAILING_HOOKS, accountId),
          feeds,
          names: appRows(db, scopes),
          before: ratingsBefore(
            db,
            feeds.filter(({ kind }) => kind === 'rating').map(({ id }) => id),
            msOf(since),
          ),
          everDelivered: db.get(EVER_DELIVERED, accountId) !== undefined,
        })
      }),

    hookHealth: async (accountId, now) =>
      db.snapshot(() =>
        hookFiguresOf(
          db.all<HookRow>(HOOKS, accountId, msOf(now)),
          hourRows(db, accountId, firstHourOf(now), msOf(now)),
          now,
        ),
      ),
  }
}

function countHooks(db: Connection, accountId: string): number {
  const row = db.get<{ hooks: number }>(
    'select count(*) as hooks from hooks where account_id = ? and deleted_at is null',
    accountId,
  )
  return row?.hooks ?? 0
}

function hourRows(db: Connection, accountId: string, sinceMs: number, untilMs: number): HourRow[] {
  return db.all<HourRow>(
    `select hook_id, hour_at, outcome, count from hook_hours
     where account_id = ? and hour_at >= ? and hour_at < ?`,
    accountId,
    sinceMs,
    untilMs,
  )
}

function reviewBuckets(
  db: Connection,
  { store, appId, markets }: AppScope,
  spans: readonly Span[],
): BucketRow[] {
  return db.all<BucketRow>(
    `select j.value ->> 0 as bucket, count(*) as reviews
     from json_each(?) j cross join reviews r indexed by reviews_app
     where r.store = ? and r.app_id = ? and r.occurred_at >= j.value ->> 1 and r.occurred_at < j.value ->> 2
       and r.market in (select value from json_each(?))
     group by 1`,
    JSON.stringify(spans),
    store,
    appId,
    JSON.stringify(markets.reviews),
  )
}

/** Each rating at the start of the period, or its first one within it. */
function ratingsBefore(db: Connection, feedIds: readonly number[], sinceMs: number): MovementRow[] {
  return db.all<MovementRow>(
    `select r.feed_id, r.micros, r.count from json_each(?1) j
     join ratings r on r.feed_id = j.value and r.observed_at = coalesce(
       (select max(b.observed_at) from ratings b where b.feed_id = j.value and b.observed_at <= ?2),
       (select min(b.observed_at) from ratings b where b.feed_id = j.value))`,
    JSON.stringify(feedIds),
    sinceMs,
  )
}

function queueOf(db: Connection, accountId: string): QueueRow {
  const row = db.get<QueueRow & { waiting: number }>(QUEUE, accountId)
  return row ?? { pending: 0, held: 0, dead: 0, due_at: null }
}

/** The counts read only indexes, the instants only the first rows of an index. */
const QUEUE = `with mine as (
    select l.hook_id, l.state, (select count(*) from deliveries d where d.hook_id = l.hook_id and d.status = 'pending') as waiting,
      ${leastDueOf('l.hook_id').sqlite} as first_due
    from hooks h join lanes l on l.hook_id = h.id where h.account_id = ?1 and h.deleted_at is null)
  select coalesce(sum(waiting) filter (where state <> 'paused'), 0) as pending,
    coalesce(sum(waiting) filter (where state = 'paused'), 0) as held,
    (select count(*) from deliveries d indexed by deliveries_dead
      where d.account_id = ?1 and d.status = 'dead' and d.resolved_at is null) as dead,
    min(first_due) filter (where state <> 'paused') as due_at
  from mine`

/** A test event counts, since it is often the first event of a new account. */
const EVER_DELIVERED = `select 1 from hook_hours where account_id = ?1 and outcome >= 0
  union all
  select 1 from hooks h join tests t on t.hook_id = h.id and t.record ->> 'reason' is null
  where h.account_id = ?1 limit 1`

const FAILING_SINCE = `(select case n.kind when 'failing' then n.at end from notices n
      where n.hook_id = h.id and n.kind in ('failing', 'recovered') order by n.seq desc limit 1)`

/** Counts the pending deliveries only of the hooks it returns. */
const FAILING_HOOKS = `with failing as materialized (
    select h.id, h.name, h.target_url, ${FAILING_SINCE} as failing_since
    from hooks h where h.account_id = ?1 and h.status = 'active' and h.deleted_at is null),
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
    (select max(delivered_at) from (
      select d.delivered_at from events e join deliveries d on d.seq = e.seq
      where e.hook_id = h.id order by e.seq desc limit ${LAST_DELIVERIES}
    )) as last_delivered_at,
    case when l.state = 'open' and l.not_before > ?2 and 'breaker_opened' = (
      select n.kind from notices n
      where n.hook_id = h.id and n.kind in ('breaker_opened', 'breaker_closed') order by n.seq desc limit 1)
    then l.not_before end as breaker_open_until,
    ${FAILING_SINCE} as failing_since
  from hooks h join lanes l on l.hook_id = h.id
  left join (
    select d.hook_id, count(*) as letters from deliveries d indexed by deliveries_dead
    where d.account_id = ?1 and d.status = 'dead' and d.resolved_at is null group by d.hook_id
  ) dead on dead.hook_id = h.id
  where h.account_id = ?1 and h.deleted_at is null`
