import type { Occurrence } from '../../../model/occurrence.ts'
import type { NewEvent, OccurrenceStorage } from '../../port/occurrences.ts'
import { bySource } from '../../tables/queue/by-source.ts'
import { candidatesOf, firedWatches } from '../../tables/queue/candidates.ts'
import { trimInboxes } from '../../tables/queue/events.ts'
import { advanceNextClaims } from '../../tables/queue/lanes.ts'
import { OCCURRENCE_COLUMNS, type OccurrenceRow, occurrenceOf } from '../../tables/queue/occurrence-rows.ts'
import { withHistory } from '../../tables/queue/watch-history.ts'
import { bytesOf, msOf } from '../../values.ts'
import { runAsync } from '../../work.ts'
import { BETWEEN_TEXTS, type Database, type Transaction } from '../connect.ts'
import { LOCK_EVENT_SEQS } from './event-log.ts'

/**
 * Fan-out. Differs from sqlite: several nodes may fan out at once, so it skips locked occurrences, inserts whole batches, and holds the
 * lock of the event log.
 */

/** A commit ends with the occurrence that exceeds this: far less than a second. */
const EVENTS_PER_COMMIT = 2_000

/** Events per statement: its parameters contain their bodies, about 2 KB each. */
const EVENTS_PER_STATEMENT = 1_000

export const READY = `select ${OCCURRENCE_COLUMNS} from occurrences o left join reviews r on r.seq = o.review_seq
  where o.ready_at <= $1 order by o.ready_at, o.seq limit $2 for update of o skip locked`

export async function fanOut(
  db: Database,
  request: Parameters<OccurrenceStorage['fanOut']>[0],
  decide: Parameters<OccurrenceStorage['fanOut']>[1],
): Promise<{ occurrences: number; events: number }> {
  return db.transaction(async (tx) => {
    const rows = await tx.all<OccurrenceRow>(READY, msOf(request.now), request.limit)
    if (rows.length === 0) return { occurrences: 0, events: 0 }
    const ready = rows.sort((a, b) => a.seq - b.seq).map(occurrenceOf)
    const candidates = await runAsync(tx, candidatesOf(ready))
    const sources = await runAsync(tx, bySource(ready))
    const fired = await runAsync(tx, firedWatches(ready, candidates, request.now))
    const byId = new Map<string, Decided>()
    let occurrences = 0
    for (const stored of ready) {
      const watches = fired.add(stored, sources.filter(stored, candidates(stored)))
      const occurrence =
        watches.length === 0 ? stored : await runAsync(tx, withHistory(stored, request.reviewsKeptMs))
      for (const event of decide(occurrence, watches)) {
        fired.slides(occurrence, event.slides ?? [])
        fired.spikes(event.spikes ?? [])
        if (!byId.has(event.eventId)) byId.set(event.eventId, { occurrence, event })
      }
      occurrences += 1
      if (byId.size >= EVENTS_PER_COMMIT) break
    }
    const decided = [...byId.values()]
    const events = await insertEvents(tx, decided, msOf(request.now), request.expireAfterMs)
    const done = ready.slice(0, occurrences)
    tx.send(
      'update occurrences set ready_at = null where seq = any($1::bigint[])',
      done.flatMap(({ seq, eventType }) => (eventType === 'reviews.spiked' ? [] : [seq])),
    )
    // Each poll with negative reviews has another one, so they need not be kept.
    const checked = done.flatMap(({ seq, eventType }) => (eventType === 'reviews.spiked' ? [seq] : []))
    if (checked.length > 0) tx.send('delete from occurrences where seq = any($1::bigint[])', checked)
    await runAsync(tx, fired.store())
    await runAsync(tx, sources.store())
    const hooksServed = new Map(decided.map(({ event }) => [event.hookId, msOf(request.now)]))
    await runAsync(tx, advanceNextClaims(hooksServed))
    await runAsync(tx, trimInboxes([...hooksServed.keys()]))
    return { occurrences, events }
  })
}

type Decided = { readonly occurrence: Occurrence; readonly event: NewEvent }

/** Returns the number of new events. Existing events stay unchanged. */
async function insertEvents(
  tx: Transaction,
  decided: readonly Decided[],
  nowMs: number,
  expireAfterMs: number,
): Promise<number> {
  let inserted = 0
  if (decided.length > 0) tx.send(LOCK_EVENT_SEQS)
  for (let from = 0; from < decided.length; from += EVENTS_PER_STATEMENT) {
    const batch = decided.slice(from, from + EVENTS_PER_STATEMENT)
    inserted += await tx.run(
      INSERT_EVENTS,
      batch.map(({ event }) => bytesOf(event.eventId)),
      batch.map(({ occurrence }) => bytesOf(occurrence.occurrenceId)),
      batch.map(({ event }) => event.accountId),
      batch.map(({ event }) => event.hookId),
      batch.map(({ occurrence }) => occurrence.eventType),
      batch.map(({ occurrence }) => occurrence.store),
      batch.map(({ occurrence }) => occurrence.appId),
      batch.map(({ event }) => event.body).join(BETWEEN_TEXTS),
      nowMs,
      nowMs + expireAfterMs,
    )
  }
  return inserted
}

/**
 * The deletion of an account may delete a hook after its watches were read: then the event has none. The lock keeps the hook until the
 * commit, and the deletion reads the events after it.
 */
const INSERT_EVENTS = `with v as (
    select * from unnest($1::bytea[], $2::bytea[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
        string_to_array($8, chr(31)))
      with ordinality as v (event_id, occurrence_id, account_id, hook_id, event_type, store, app_id, body, place)),
  inserted as (
    insert into events (event_id, occurrence_id, account_id, hook_id, event_type, store, app_id, created_at, body)
    select event_id, occurrence_id, v.account_id, hook_id, event_type, store, app_id, $9, body
    from v join hooks h on h.id = v.hook_id order by place for key share of h
    on conflict (event_id) do nothing returning seq, account_id, hook_id)
  insert into deliveries (seq, account_id, hook_id, status, due_at, expires_at)
  select seq, account_id, hook_id, 'pending', $9, $10 from inserted`
