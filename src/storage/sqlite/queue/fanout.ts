import { storefrontsWatched } from '../../../model/coverage.ts'
import type { Occurrence } from '../../../model/occurrence.ts'
import type { Row } from '../../columns.ts'
import type { Candidate, NewEvent, OccurrenceStorage } from '../../port/occurrences.ts'
import { OCCURRENCE_COLUMNS, type OccurrenceRow, occurrenceOf } from '../../queue/occurrence-rows.ts'
import { WATCHES } from '../../tables/hooks/watch-columns.ts'
import { withHistory } from '../../tables/queue/watch-history.ts'
import { bytesOf, msOf } from '../../values.ts'
import { runSync } from '../../work.ts'
import type { Connection } from '../connect.ts'
import { type App, watchersOf } from '../feeds/coverage.ts'
import { bySource } from './by-source.ts'
import { createdBefore } from './event-ids.ts'
import { trimInboxes } from './inboxes.ts'
import { advanceNextClaim } from './lanes.ts'
import { storeSlides, withSlides } from './rating-slides.ts'
import { storeSpikes, withSpikes } from './watch-spikes.ts'

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
    const rows = db.all<OccurrenceRow & { no_events_until: number | null }>(
      READY,
      msOf(request.now),
      request.limit,
    )
    const candidates = candidatesOnce(db)
    const sources = bySource(db)
    const hooksServed = new Set<string>()
    const newest = db.get<{ seq: number | null }>('select max(seq) as seq from events')?.seq ?? 0
    const created: number[] = []
    let occurrences = 0
    for (const row of rows.sort((a, b) => a.seq - b.seq)) {
      const stored = occurrenceOf(row)
      const watches = withSpikes(
        db,
        stored,
        withSlides(db, stored, sources.filter(stored, candidates(stored))),
      )
      const occurrence =
        watches.length === 0 ? stored : runSync(db, withHistory(stored, request.reviewsKeptMs))
      const exists = createdBefore(db, stored, row.no_events_until)
      const before = created.at(-1) ?? newest
      for (const event of decide(occurrence, watches)) {
        storeSlides(db, occurrence, event.slides ?? [], msOf(request.now))
        storeSpikes(db, event.spikes ?? [])
        if (exists(event.eventId)) continue
        created.push(insertEvent(db, occurrence, event, msOf(request.now)))
        hooksServed.add(event.hookId)
      }
      // Each poll with negative reviews has another one, so they need not be kept.
      if (occurrence.eventType === 'reviews.spiked')
        db.run('delete from occurrences where seq = ?', occurrence.seq)
      else db.run(FANNED_OUT, before, occurrence.seq)
      occurrences += 1
      if (created.length >= EVENTS_PER_COMMIT) break
    }
    insertDeliveries(db, created, msOf(request.now), request.expireAfterMs)
    sources.store()
    for (const hookId of hooksServed) advanceNextClaim(db, hookId, msOf(request.now))
    trimInboxes(db, [...hooksServed])
    return { occurrences, events: created.length }
  })
}

/** Caches the candidates of an app and event type. */
function candidatesOnce(db: Connection): (occurrence: Occurrence) => readonly Candidate[] {
  const cache = new Map<string, readonly Candidate[]>()
  return (occurrence) => {
    const key = `${occurrence.store} ${occurrence.eventType} ${occurrence.appId}`
    const found = cache.get(key) ?? candidatesOf(db, occurrence, occurrence.eventType)
    cache.set(key, found)
    return found
  }
}

function candidatesOf(db: Connection, app: App, eventType: Occurrence['eventType']): Candidate[] {
  const { watches, tracked } = watchersOf(db, app)
  const storefronts = storefrontsWatched(watches, tracked)
  return db
    .all<Row>(
      `select ${WATCHES.list} from watches w join hooks h on h.id = w.hook_id
       where w.store = ? and w.app_id = ? and w.event_type = ? and h.status <> 'gone' and h.deleted_at is null
       order by w.created_at, w.id`,
      app.store,
      app.appId,
      eventType,
    )
    .map(WATCHES.of)
    .map((watch) => ({
      watch,
      storefronts: storefronts.get(watch.accountId) ?? [],
      slideFiredAt: null,
      spikeFiredAt: null,
    }))
}

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
