import { INBOX_EVENTS_MAX, INBOX_TARGET } from '../../../model/inbox.ts'
import { all, run, type SqlPair, sql, type Work } from '../../work.ts'
import { hashesOf } from './delivery-where.ts'

const STATEMENTS = [
  sql((d) => `delete from attempts where delivery_seq ${d.among('?1', 'bigint')}`),
  sql((d) => `delete from deliveries where seq ${d.among('?1', 'bigint')}`),
  sql((d) => `delete from events where seq ${d.among('?1', 'bigint')}`),
]

/** Deletes events with their deliveries and attempts. */
export function* deleteEvents(seqs: readonly number[]): Work<void> {
  if (seqs.length > 0) for (const each of STATEMENTS) yield* run(each, seqs)
}

export const INBOXES_AMONG = sql(
  (d) => `select id from hooks where id ${d.among('?1', 'text')} and target_url = ?2`,
)

/** Skips a delivery that another transaction settles, so that neither waits for the other. The next fan-out deletes it. */
export const BEYOND_NEWEST = sql(
  (d) => `select d.seq from (
      select seq from events where hook_id = ?1 order by seq desc limit ${Number.MAX_SAFE_INTEGER} offset ?2) excess
    ${d.thenJoin} deliveries d on d.seq = excess.seq ${d.forUpdate('of d skip locked')}`,
)

/** Deletes all but the newest events of the inboxes among these hooks. Call it inside a transaction. */
export function* trimInboxes(hookIds: readonly string[]): Work<void> {
  if (hookIds.length === 0) return
  for (const { id } of yield* all<{ id: string }>(INBOXES_AMONG, hookIds, INBOX_TARGET)) {
    const excess = yield* all<{ seq: number }>(BEYOND_NEWEST, id, INBOX_EVENTS_MAX)
    yield* deleteEvents(excess.map(({ seq }) => seq))
  }
}

/**
 * Events by their id. The ids are hashes, so in one index each new event would change a page of its own, and the commit
 * would write it: on SQLite 5 to 10 µs of the 75 to 80 that a delivery takes. Therefore its index has a part for every 8,192 events, of
 * about 100 pages, and only that of the newest events changes. A search looks in each part, from the newest: with a
 * million events it takes 8 µs for one of the newest and 0.2 ms for the oldest.
 */
export function seqOfEvent(eventId: string, after = '0'): SqlPair {
  return {
    sqlite: `with recursive parts (part) as (
        select max(seq) >> 13 from events
        union all select part - 1 from parts where part > (select max(min(seq), ${after}) >> 13 from events))
      select e.seq from parts cross join events e on e.seq >> 13 = part and e.event_id = ${eventId} limit 1`,
    postgres: `select seq from events where event_id = ${eventId}`,
  }
}

const SEQS_OF_EVENTS = {
  sqlite: `select (${seqOfEvent('unhex(value)').sqlite}) as seq from json_each(?1)`,
  postgres:
    "select seq from events where event_id = any(array(select decode(id, 'hex') from unnest(?1::text[]) as id))",
}

/** The numbers of the events that exist, each once. */
export function* seqsOfEvents(eventIds: readonly string[]): Work<number[]> {
  const rows = yield* all<{ seq: number | null }>(SEQS_OF_EVENTS, hashesOf(eventIds))
  return rows.flatMap(({ seq }) => seq ?? [])
}

/** The condition that `e.seq` is that of the event with this id, a parameter. */
export const isEvent = (seq: string, eventId: string) => sql((d) => `${seq} = (${d.of(seqOfEvent(eventId))})`)
