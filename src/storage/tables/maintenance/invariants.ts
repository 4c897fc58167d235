import { FRESH_MS } from '../../../model/feed-interval.ts'
import { LATE_REVIEWS_HOURS } from '../../../model/hook-limits.ts'
import { FEED_KINDS, STORES } from '../../../model/vocabulary.ts'
import type { InvariantStorage } from '../../port/invariants.ts'
import { msOf } from '../../values.ts'
import { all, type Db, get, run, sql, type Work } from '../../work.ts'
import { leastDueOf } from '../queue/lanes.ts'
import {
  type CheckedRows,
  checkedPage,
  type EventCheckRow,
  eventSpan,
  FANNED_OUT_WITHIN_MS,
  type FarRow,
  LANES_PER_PAGE,
  type LaneCheckRow,
  LEASE_MS_MAX,
} from './invariant-checks.ts'

/** How many first deliveries of a queue to check for leases, since several nodes may send to one hook. */
const HEAD_ROWS = 32
/** How many rows with the latest ends of leases to check, of each kind. */
const FURTHEST_ROWS = 200
const LAST_CHECK_MARK = 'invariants_checked_at'

export function invariantStorage(db: Db): InvariantStorage {
  return {
    async claimCheck(now, everyMs) {
      const insert = `insert into marks (name, value) values (?1, ?2)
        on conflict (name) do update set value = excluded.value
          where cast(marks.value as bigint) not between cast(?3 as bigint) - ?4 + 1 and cast(?3 as bigint) + ?4`
      return (await db.alone(run(insert, LAST_CHECK_MARK, String(msOf(now)), msOf(now), everyMs))) > 0
    },

    check: (request) =>
      db.snapshot(function* () {
        const lanes = yield* all<LaneCheckRow>(LANES_TO_CHECK, request.cursor?.hookId ?? '')
        const newest = yield* get<{ seq: number }>('select seq from events order by seq desc limit 1')
        const span = eventSpan(request.cursor, newest?.seq ?? 0)
        const events = yield* all<EventCheckRow>(EVENTS_TO_CHECK, span.from, span.to)
        return checkedPage(request, { lanes, span, events, ...(yield* farRows(msOf(request.now))) })
      }),
  }
}

/** The index of pending deliveries has another expression on each engine. */
const RETRIED = { sqlite: '(attempts > 0)', postgres: 'least(attempts, 1)' }

export const LANES_TO_CHECK = sql((d) => {
  const pending = (retried: 0 | 1) =>
    `from deliveries where hook_id = l.hook_id and status = 'pending' and ${d.of(RETRIED)} = ${retried}`
  const head = (retried: 0 | 1) =>
    `select leased_until from (select leased_until ${pending(retried)} order by due_at, seq limit ${HEAD_ROWS}) head`
  return `select l.hook_id, l.state, l.next_claim_at, l.sweep_at, l.deferred_until, l.released_at,
    ${d.of(leastDueOf('l.hook_id'))} as least_due,
    coalesce(
      (select expires_at from deliveries
       where hook_id = l.hook_id and status = 'pending' and attempts > 0 order by expires_at limit 1),
      (select expires_at ${pending(0)} order by due_at, seq limit 1)) as first_expires_at,
    (select max(leased_until) from (${head(0)} union all ${head(1)}) heads) as furthest_lease
  from lanes l where l.hook_id > ?1 order by l.hook_id limit ${LANES_PER_PAGE}`
})

/** A review that the store showed only after the hook may be older than it. */
const LATE_MS_MAX = LATE_REVIEWS_HOURS.max * 3_600_000

export const EVENTS_TO_CHECK = `select e.seq, e.hook_id, e.occurrence_id, h.created_at as hook_created_at,
    (select max(o.occurred_at + case when o.unseen_at >= h.created_at - ${FRESH_MS} then ${LATE_MS_MAX} else 0 end)
     from occurrences o where o.occurrence_id = e.occurrence_id) as occurred_at
  from events e left join hooks h on h.id = e.hook_id where e.seq > ?1 and e.seq <= ?2 order by e.seq`

export const FURTHEST_POLL_LEASES = `select id, next_poll_at as until from (
    select id, next_poll_at, lease from feeds where store = ?1 and kind = ?2 and next_poll_at > ?3
    order by next_poll_at desc limit ${FURTHEST_ROWS}) furthest
  where lease is not null`

export const FURTHEST_ENRICHMENT_LEASES = `select seq as id, enrich_leased_until as until from reviews
  where enrich_leased_until > ?1 limit ${FURTHEST_ROWS}`

export const STUCK_OCCURRENCES = `select seq as id, ready_at as until from occurrences
  where ready_at <= ?1 order by ready_at limit ${FURTHEST_ROWS}`

function* farRows(nowMs: number): Work<Pick<CheckedRows, 'feeds' | 'reviews' | 'stuck'>> {
  const endsMs = nowMs + LEASE_MS_MAX
  const feeds: FarRow[] = []
  for (const store of STORES) {
    for (const kind of FEED_KINDS)
      feeds.push(...(yield* all<FarRow>(FURTHEST_POLL_LEASES, store, kind, endsMs)))
  }
  const reviews = yield* all<FarRow>(FURTHEST_ENRICHMENT_LEASES, endsMs)
  const stuck = yield* all<FarRow>(STUCK_OCCURRENCES, nowMs - FANNED_OUT_WITHIN_MS)
  return { feeds, reviews, stuck }
}
