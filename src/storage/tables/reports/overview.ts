import type { Buckets } from '../../../model/days.ts'
import { appKeyOf, uniqueApps } from '../../../model/hook.ts'
import type { ReportStorage } from '../../port/reports.ts'
import { msOf } from '../../values.ts'
import { all, type Db, get, sql, together, type Work } from '../../work.ts'
import { leastDueOf } from '../queue/lanes.ts'
import { appsIn, feedsIn } from './apps.ts'
import { notableDrops } from './drops.ts'
import { failingFeedsIn } from './failing-feeds.ts'
import {
  type BucketRow,
  FAILING_HOOKS_MAX,
  type FailingHookRow,
  failingHooksOf,
  firstHourOf,
  type HookRow,
  type HourRow,
  hookFiguresOf,
  type MovementRow,
  overviewOf,
  type QueueRow,
} from './figures.ts'
import { type AppScope, scopesIn } from './scope.ts'

/** The reviews of each app in each bucket, together or by app. */
export type ReviewBuckets = (scopes: readonly AppScope[], buckets: Buckets, now: Date) => Work<BucketRow[]>

export function overviewFigures(
  db: Db,
  reviewBuckets: ReviewBuckets,
): Pick<ReportStorage, 'overview' | 'failures' | 'hookHealth'> {
  return {
    overview: (accountId, buckets, now) =>
      db.snapshot(function* () {
        const [since] = buckets
        const scopes = yield* scopesIn(accountId)
        const feeds = yield* feedsIn(scopes)
        const ratingFeeds = feeds.filter(({ kind }) => kind === 'rating').map(({ id }) => id)
        const [hooks, hours, reviews, drops, queue, names, before, delivered] = yield* together(
          get<{ hooks: number }>(COUNT_HOOKS, accountId),
          all<HourRow>(HOURS, accountId, msOf(since), msOf(now)),
          reviewBuckets(scopes, buckets, now),
          notableDrops(accountId, scopes, since, now),
          get<QueueRow>(QUEUE, accountId),
          appsIn(scopes),
          all<MovementRow>(RATINGS_BEFORE, ratingFeeds, msOf(since)),
          get(EVER_DELIVERED, accountId),
        )
        return overviewOf({
          buckets,
          apps: scopes.length,
          hooks: hooks?.hooks ?? 0,
          hours,
          reviews,
          drops,
          queue: queue ?? { pending: 0, late: 0, held: 0, dead: 0, due_at: null },
          feeds,
          names,
          before,
          everDelivered: delivered !== undefined,
        })
      }),

    failures: (accountId) =>
      db.snapshot(function* () {
        const scopes = yield* scopesIn(accountId)
        const [hooks, { feeds, apps }, dead, pausedMails] = yield* together(
          all<FailingHookRow>(FAILING_HOOKS, accountId),
          failingFeedsIn(scopes),
          get<{ dead: number }>(COUNT_DEAD, accountId),
          all<{ id: string; pending: number }>(PAUSED_MAILS, accountId, PAUSED_MAILS_MAX),
        )
        const names = yield* appsIn(uniqueApps(feeds))
        return {
          hooks: failingHooksOf(hooks),
          feeds: feeds.map((feed) => ({ ...feed, appName: names.get(appKeyOf(feed))?.name ?? null })),
          failingApps: apps,
          dead: dead?.dead ?? 0,
          pausedMails,
        }
      }),

    hookHealth: (accountId, now) =>
      db.snapshot(function* () {
        const [hooks, hours] = yield* together(
          all<HookRow>(HOOKS, accountId, msOf(now)),
          all<HourRow>(HOURS, accountId, firstHourOf(now), msOf(now)),
        )
        return hookFiguresOf(hooks, hours, now)
      }),
  }
}

const COUNT_HOOKS = 'select count(*) as hooks from hooks where account_id = ?1 and deleted_at is null'

const HOURS = `select hook_id, hour_at, outcome, count from hook_hours
  where account_id = ?1 and hour_at >= ?2 and hour_at < ?3`

/** Each rating at the start of the period, or its first one within it. */
const RATINGS_BEFORE = sql(
  (d) => `select r.feed_id, r.micros, r.count from ${d.each('?1', 'integer', 'id')}
    join ratings r on r.feed_id = ids.id and r.observed_at = coalesce(
      (select max(b.observed_at) from ratings b where b.feed_id = ids.id and b.observed_at <= ?2),
      (select min(b.observed_at) from ratings b where b.feed_id = ids.id))`,
)

const FAILING_SINCE = `(select case n.kind when 'failing' then n.at end from notices n
  where n.hook_id = h.id and n.kind in ('failing', 'recovered') order by n.seq desc limit 1)`

const COUNT_DEAD = sql(
  (d) => `select count(*) as dead from deliveries d ${d.indexedBy('deliveries_dead')}
    where d.account_id = ?1 and d.status = 'dead' and d.resolved_at is null`,
)

/** Some are paused by a person: only their sealed recipients say so. */
const PAUSED_MAILS_MAX = 100

const PAUSED_MAILS = `select h.id, (select count(*) from deliveries d where d.hook_id = h.id and d.status = 'pending') as pending
  from hooks h where h.account_id = ?1 and h.status = 'paused' and h.unsubscribed is not null and h.deleted_at is null
  order by h.created_at, h.id limit ?2`

/** The counts read only indexes, the instants only the first rows of an index. */
const QUEUE = sql(
  (d) => `with mine as (
      select l.hook_id, l.state, ${FAILING_SINCE} is not null as failing, (select count(*) from deliveries d where d.hook_id = l.hook_id and d.status = 'pending') as waiting,
        ${d.of(leastDueOf('l.hook_id'))} as first_due
      from hooks h join lanes l on l.hook_id = h.id where h.account_id = ?1 and h.deleted_at is null)
    select coalesce(sum(waiting) filter (where state <> 'paused'), 0) as pending,
      coalesce(sum(waiting) filter (where failing and state <> 'paused'), 0) as late,
      coalesce(sum(waiting) filter (where state = 'paused'), 0) as held,
      (${d.of(COUNT_DEAD)}) as dead,
      min(first_due) filter (where state <> 'paused') as due_at
    from mine`,
)

/** A test event counts, since it is often the first event of a new account. */
const EVER_DELIVERED = sql(
  (d) => `select 1
    where exists (select 1 from hook_hours where account_id = ?1 and outcome >= 0)
      or exists (select 1 from hooks h join tests t on t.hook_id = h.id
        where h.account_id = ?1 and ${d.of({ sqlite: 't.record', postgres: 't.record::json' })} ->> 'reason' is null)`,
)

/** Counts the pending deliveries only of the hooks it returns. */
const FAILING_HOOKS = `with failing as materialized (
    select h.id, h.name, h.target_url, ${FAILING_SINCE} as failing_since
    from hooks h where h.account_id = ?1 and h.status = 'active' and h.deleted_at is null),
  longest as (
    select f.*, count(*) over () as total from failing f
    where f.failing_since is not null order by f.failing_since, f.id limit ${FAILING_HOOKS_MAX})
  select l.*, (select count(*) from deliveries d where d.hook_id = l.id and d.status = 'pending') as pending
  from longest l order by l.failing_since, l.id`

/**
 * The number of deliveries to search for the last accepted one: the newest, and those before the first pending one, since after an outage
 * thousands may be pending. A delivery that is retried may be accepted after newer ones, so the first found is not the last.
 */
const LAST_DELIVERIES = 20
const lastDelivered = (before: string) => `(select max(last.delivered_at) from (
        select d.delivered_at from events e join deliveries d on d.seq = e.seq
        where e.hook_id = h.id ${before} order by e.seq desc limit ${LAST_DELIVERIES}
      ) last)`
const FIRST_PENDING = `(select min(p.seq) from deliveries p where p.hook_id = h.id and p.status = 'pending')`

const HOOKS = sql(
  (d) => `select h.id,
      (select count(*) from deliveries d where d.hook_id = h.id and d.status = 'pending') as pending,
      l.state = 'paused' as is_paused,
      coalesce(dead.letters, 0) as dead,
      ${lastDelivered('')} as last_delivered_at,
      ${lastDelivered(`and e.seq < ${FIRST_PENDING}`)} as delivered_before_pending_at,
      case when l.state = 'open' and l.not_before > ?2 and 'breaker_opened' = (
        select n.kind from notices n
        where n.hook_id = h.id and n.kind in ('breaker_opened', 'breaker_closed') order by n.seq desc limit 1)
      then l.not_before end as breaker_open_until,
      ${FAILING_SINCE} as failing_since
    from hooks h join lanes l on l.hook_id = h.id
    left join (
      select d.hook_id, count(*) as letters from deliveries d ${d.indexedBy('deliveries_dead')}
      where d.account_id = ?1 and d.status = 'dead' and d.resolved_at is null group by d.hook_id
    ) dead on dead.hook_id = h.id
    where h.account_id = ?1 and h.deleted_at is null`,
)
