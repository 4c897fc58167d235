import type { Occurrence } from '../../../model/occurrence.ts'
import { hashesOf, hashKey } from '../../queue/delivery-where.ts'
import { bytesOf } from '../../values.ts'
import type { Connection } from '../connect.ts'

/**
 * Events by their id. The ids are hashes, so in one index each new event would change a page of its own, and the commit
 * would write it: a sixth of what a delivery costs. Therefore the index has a part for every 8,192 events, of about 100
 * pages, and only that of the newest events changes. A search looks in each part, from the newest: a microsecond a part,
 * thus a tenth of a millisecond with a million events.
 */
const partsAfter = (seq: string) => `with recursive parts (part) as (
    select max(seq) >> 13 from events
    union all select part - 1 from parts where part > (select max(min(seq), ${seq}) >> 13 from events))`

export const SEQ_OF_EVENT = `${partsAfter('?2')}
  select e.seq from parts cross join events e on e.seq >> 13 = part and e.event_id = ?1 limit 1`

/** The number of an event, null without one. */
export function seqOfEvent(db: Connection, eventId: string, after = 0): number | null {
  const key = hashKey(eventId)
  return key === null ? null : (db.get<{ seq: number }>(SEQ_OF_EVENT, key, after)?.seq ?? null)
}

/** The numbers of the events that exist, in the order of `eventIds`, each once. */
export function seqsOfEvents(db: Connection, eventIds: readonly string[]): number[] {
  return hashesOf(eventIds).flatMap((eventId) => seqOfEvent(db, eventId) ?? [])
}

/**
 * Whether an event of this occurrence exists already. Only these can: an occurrence that fan-out takes a second time, one
 * that other markets have too, and a change of a rating or a spike, which are deleted before their events.
 */
export function createdBefore(db: Connection, occurrence: Occurrence): (eventId: string) => boolean {
  const after = occurrence.eventType === 'review.created' ? firstFanOut(db, occurrence) : 0
  return (eventId) => after !== null && seqOfEvent(db, eventId, after) !== null
}

/** The newest event before the first fan-out of the occurrence in any market; null before that. */
function firstFanOut(db: Connection, { occurrenceId }: Occurrence): number | null {
  const sql = 'select min(events_after) as after from occurrences where occurrence_id = ?'
  return db.get<{ after: number | null }>(sql, bytesOf(occurrenceId))?.after ?? null
}
