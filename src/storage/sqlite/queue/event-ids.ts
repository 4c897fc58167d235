import type { Occurrence } from '../../../model/occurrence.ts'
import { hashesOf, hashKey } from '../../tables/queue/delivery-where.ts'
import type { Connection } from '../connect.ts'

/**
 * Events by their id. The ids are hashes, so in one index each new event would change a page of its own, and the commit
 * would write it: 5 to 10 µs of the 75 to 80 that a delivery takes. Therefore the index has a part for every 8,192 events, of
 * about 100 pages, and only that of the newest events changes. A search looks in each part, from the newest: with a
 * million events it takes 8 µs for one of the newest and 0.2 ms for the oldest.
 */
const partsAfter = (seq: string) => `with recursive parts (part) as (
    select max(seq) >> 13 from events
    union all select part - 1 from parts where part > (select max(min(seq), ${seq}) >> 13 from events))`

export const SEQ_OF_EVENT = `${partsAfter('?2')}
  select e.seq from parts cross join events e on e.seq >> 13 = part and e.event_id = ?1 limit 1`

/** The number of the event; null if there is none. Events up to `after` need not be searched. */
export function seqOfEvent(db: Connection, eventId: string, after = 0): number | null {
  const key = hashKey(eventId)
  return key === null ? null : (db.get<{ seq: number }>(SEQ_OF_EVENT, key, after)?.seq ?? null)
}

/** The numbers of the events that exist, in the order of `eventIds`, each once. */
export function seqsOfEvents(db: Connection, eventIds: readonly string[]): number[] {
  return hashesOf(eventIds).flatMap((eventId) => seqOfEvent(db, eventId) ?? [])
}

/**
 * Whether an event of this occurrence exists already. None does at the first fan-out of a review that no other market of the
 * app has shown: `noEventsUntil` is null. Occurrences of ratings and spikes may have been deleted before their events.
 */
export function createdBefore(
  db: Connection,
  { eventType }: Occurrence,
  noEventsUntil: number | null,
): (eventId: string) => boolean {
  const after = eventType === 'review.created' ? noEventsUntil : 0
  return (eventId) => after !== null && seqOfEvent(db, eventId, after) !== null
}
