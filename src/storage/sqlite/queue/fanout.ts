import type { Occurrence } from '../../../model/occurrence.ts'
import type { NewEvent, OccurrenceStorage } from '../../port/occurrences.ts'
import { bySource } from '../../tables/queue/by-source.ts'
import { candidatesOf, firedWatches } from '../../tables/queue/candidates.ts'
import { seqOfEvent, trimInboxes } from '../../tables/queue/events.ts'
import { advanceNextClaims } from '../../tables/queue/lanes.ts'
import { OCCURRENCE_COLUMNS, type OccurrenceRow, occurrenceOf } from '../../tables/queue/occurrence-rows.ts'
import { withHistory } from '../../tables/queue/watch-history.ts'
import { bytesOf, msOf } from '../../values.ts'
import { runSync } from '../../work.ts'
import type { Connection } from '../connect.ts'

/**
 * Fan-out. Differs from postgres: one writer, so nothing is locked, and each event is one insert, whose number is that of its delivery.
 */

/** A commit ends with the occurrence that exceeds this: about 50 ms without other writes. */
const EVENTS_PER_COMMIT = 2_000

export const READY = `select ${OCCURRENCE_COLUMNS}, o.no_events_until from occurrences o left join reviews r on r.seq = o.review_seq
  where o.ready_at <= ? order by o.ready_at, o.seq limit ?`

export function fanOut(
  db: Connection,
  request: Parameters<OccurrenceStorage['fanOut']>[0],
  decide: Parameters<OccurrenceStorage['fanOut']>[1],
): { occurrences: number; events: number } {
  return db.creatingEvents(() => {
    const { now, expireAfterMs, reviewsKeptMs } = request
    const rows = db.all<OccurrenceRow & { no_events_until: number | null }>(READY, msOf(now), request.limit)
    if (rows.length === 0) return { occurrences: 0, events: 0 }
    const ready = rows
      .sort((a, b) => a.seq - b.seq)
      .map((row) => ({ stored: occurrenceOf(row), noEventsUntil: row.no_events_until }))
    const all = ready.map(({ stored }) => stored)
    const candidates = runSync(db, candidatesOf(all))
    const sources = runSync(db, bySource(all))
    const fired = runSync(db, firedWatches(all, candidates, now))
    const dueMs = new Map<string, number>()
    const newest = db.get<{ seq: number | null }>('select max(seq) as seq from events')?.seq ?? 0
    const created: number[] = []
    let occurrences = 0
    for (const { stored, noEventsUntil } of ready) {
      const watches = fired.add(stored, sources.filter(stored, candidates(stored)))
      const occurrence = watches.length === 0 ? stored : runSync(db, withHistory(stored, reviewsKeptMs))
      const exists = createdBefore(db, stored, noEventsUntil)
      const before = created.at(-1) ?? newest
      for (const event of decide(occurrence, watches)) {
        fired.slides(occurrence, event.slides ?? [])
        fired.spikes(event.spikes ?? [])
        if (exists(event.eventId)) continue
        created.push(insertEvent(db, occurrence, event, msOf(now)))
        dueMs.set(event.hookId, msOf(now))
      }
      // Each poll with negative reviews has another one, so they need not be kept.
      if (occurrence.eventType === 'reviews.spiked')
        db.run('delete from occurrences where seq = ?', occurrence.seq)
      else db.run(FANNED_OUT, before, occurrence.seq)
      occurrences += 1
      if (created.length >= EVENTS_PER_COMMIT) break
    }
    insertDeliveries(db, created, msOf(now), expireAfterMs)
    runSync(db, fired.store())
    runSync(db, sources.store())
    runSync(db, advanceNextClaims(dueMs))
    runSync(db, trimInboxes([...dueMs.keys()]))
    return { occurrences, events: created.length }
  })
}

/**
 * Whether an event of this occurrence exists already. None does at the first fan-out of a review that no other market of the
 * app has shown: `noEventsUntil` is null. Occurrences of ratings and spikes may have been deleted before their events.
 */
function createdBefore(
  db: Connection,
  { eventType }: Occurrence,
  noEventsUntil: number | null,
): (eventId: string) => boolean {
  const after = eventType === 'review.created' ? noEventsUntil : 0
  return (eventId) => after !== null && db.get(SEQ_OF_EVENT, bytesOf(eventId), after) !== undefined
}

/** Parameters: the id, and a number up to which events need not be searched. */
export const SEQ_OF_EVENT = seqOfEvent('?1', '?2').sqlite

const FANNED_OUT =
  'update occurrences set ready_at = null, no_events_until = coalesce(no_events_until, ?) where seq = ?'

/** Returns the number of the event. */
function insertEvent(db: Connection, occurrence: Occurrence, event: NewEvent, nowMs: number): number {
  return db.insert(
    `insert into events (event_id, occurrence_id, account_id, hook_id, event_type, store, app_id, created_at, body)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    bytesOf(event.eventId),
    bytesOf(occurrence.occurrenceId),
    event.accountId,
    event.hookId,
    occurrence.eventType,
    occurrence.store,
    occurrence.appId,
    nowMs,
    event.body,
  )
}

/**
 * The deliveries of the events that this transaction created: no other has a number between theirs. One statement, because one for
 * each event takes a fifth longer.
 */
function insertDeliveries(
  db: Connection,
  created: readonly number[],
  nowMs: number,
  expireAfterMs: number,
): void {
  const [first] = created
  const last = created.at(-1)
  if (first === undefined || last === undefined) return
  db.run(
    `insert into deliveries (seq, account_id, hook_id, status, due_at, expires_at)
     select seq, account_id, hook_id, 'pending', ?, ? from events where seq between ? and ? order by seq`,
    nowMs,
    nowMs + expireAfterMs,
    first,
    last,
  )
}
