import { FEED_KINDS, STORES } from '../../../model/vocabulary.ts'
import {
  type CheckedRows,
  checkedPage,
  type EventCheckRow,
  eventSpan,
  FANNED_OUT_WITHIN_MS,
  type FarRow,
  FURTHEST_ROWS,
  HEAD_ROWS,
  LANES_PER_PAGE,
  LAST_CHECK_MARK,
  type LaneCheckRow,
  LEASE_MS_MAX,
} from '../../maintenance/invariant-rows.ts'
import type { InvariantStorage } from '../../port/invariants.ts'
import { msOf } from '../../values.ts'
import type { Connection } from '../connect.ts'
import { leastDueOf } from '../queue/lanes.ts'

const head = (retried: 0 | 1) => `select leased_until from (
  select leased_until from deliveries where hook_id = l.hook_id and status = 'pending' and (attempts > 0) = ${retried}
  order by due_at, seq limit ${HEAD_ROWS})`

export const LANES_TO_CHECK = `select l.hook_id, l.state, l.next_claim_at, l.sweep_at, l.deferred_until, l.released_at,
    ${leastDueOf('l.hook_id')} as least_due,
    coalesce(
      (select min(expires_at) from deliveries where hook_id = l.hook_id and status = 'pending' and attempts > 0),
      (select expires_at from deliveries
       where hook_id = l.hook_id and status = 'pending' and (attempts > 0) = 0
       order by due_at, seq limit 1)) as first_expires_at,
    (select max(leased_until) from (${head(0)} union all ${head(1)})) as furthest_lease
  from lanes l where l.hook_id > ? order by l.hook_id limit ${LANES_PER_PAGE}`

export const EVENTS_TO_CHECK = `select e.seq, e.hook_id, e.occurrence_id, h.created_at as hook_created_at,
    (select max(o.occurred_at) from occurrences o where o.occurrence_id = e.occurrence_id) as occurred_at
  from events e left join hooks h on h.id = e.hook_id where e.seq > ? and e.seq <= ? order by e.seq`

export const FURTHEST_POLL_LEASES = `select id, next_poll_at as until from (
    select id, next_poll_at, lease from feeds where store = ? and kind = ? and next_poll_at > ?
    order by next_poll_at desc limit ${FURTHEST_ROWS})
  where lease is not null`

export const FURTHEST_ENRICHMENT_LEASES = `select seq as id, enrich_leased_until as until from reviews
  where enrich_leased_until > ? limit ${FURTHEST_ROWS}`

export const STUCK_OCCURRENCES = `select seq as id, ready_at as until from occurrences
  where ready_at <= ? order by ready_at limit ${FURTHEST_ROWS}`

export function invariantStorage(db: Connection): InvariantStorage {
  return {
    claimCheck: async (now, everyMs) =>
      db.run(
        `insert into marks (name, value) values (?1, ?2)
         on conflict (name) do update set value = excluded.value
           where cast(marks.value as integer) not between ?2 - ?3 + 1 and ?2 + ?3`,
        LAST_CHECK_MARK,
        String(msOf(now)),
        everyMs,
      ) > 0,

    check: async (request) =>
      db.snapshot(() => {
        const lanes = db.all<LaneCheckRow>(LANES_TO_CHECK, request.cursor?.hookId ?? '')
        const newest = db.get<{ seq: number | null }>('select max(seq) as seq from events')?.seq ?? 0
        const span = eventSpan(request.cursor, newest)
        const events = db.all<EventCheckRow>(EVENTS_TO_CHECK, span.from, span.to)
        return checkedPage(request, { lanes, span, events, ...farRows(db, msOf(request.now)) })
      }),
  }
}

type FarRows = Pick<CheckedRows, 'feeds' | 'reviews' | 'stuck'>

function farRows(db: Connection, nowMs: number): FarRows {
  const endsMs = nowMs + LEASE_MS_MAX
  const feeds = STORES.flatMap((store) =>
    FEED_KINDS.flatMap((kind) => db.all<FarRow>(FURTHEST_POLL_LEASES, store, kind, endsMs)),
  )
  const reviews = db.all<FarRow>(FURTHEST_ENRICHMENT_LEASES, endsMs)
  const stuck = db.all<FarRow>(STUCK_OCCURRENCES, nowMs - FANNED_OUT_WITHIN_MS)
  return { feeds, reviews, stuck }
}
