import { setTimeout } from 'node:timers/promises'
import type { DeliveryStorage, EventPage } from '../../port/deliveries.ts'
import { type DeliveryWhere, eventWhere } from '../../tables/queue/delivery-where.ts'
import type { Database, Queries } from '../connect.ts'

/** An advisory lock that nothing else in this database uses. */
const LOCK = [728_253, 1] as const

/**
 * A transaction assigns `seq` values before it commits, and another one may commit higher values first. Each
 * transaction holds this shared lock from before its first value until its end, so a reader can wait for values that
 * are not committed yet.
 */
export const LOCK_EVENT_SEQS = `select pg_advisory_xact_lock_shared(${LOCK.join(', ')})`

const HOLDERS = `select l.pid || ' ' || l.virtualtransaction as holder from pg_locks l
  join pg_database d on d.oid = l.database and d.datname = current_database()
  where l.locktype = 'advisory' and l.classid = ${LOCK[0]} and l.objid = ${LOCK[1]} and l.objsubid = 2 and l.granted`

const LAST_SEQ = 'select case when is_called then last_value else 0 end as seq from events_seq_seq'

/** A commit of fan-out takes some milliseconds. */
const CHECK_INTERVAL_MS = 5
/** After this wait the call returns no events; the next call finds them. */
const WAIT_MS = 2_000

/**
 * Differs from sqlite: several nodes write at once, so it waits until every assigned `seq` is committed or rolled back.
 */
export async function eventsAfter(
  db: Database,
  accountId: string,
  filter: Parameters<DeliveryStorage['eventsAfter']>[1],
  { limit, after }: Parameters<DeliveryStorage['eventsAfter']>[2],
): Promise<EventPage> {
  const lastSeq = (await db.get<{ seq: number }>(LAST_SEQ))?.seq ?? 0
  if (lastSeq <= after) return { events: [], end: lastSeq }
  if (!(await allEnded(db))) return { events: [], end: after }
  const where = eventWhere(accountId, filter)
  const events = await db.all<{ seq: number; body: string }>(
    eventsSql(where),
    ...where.values,
    after,
    lastSeq,
    limit,
  )
  return { events, end: events.length === limit ? (events.at(-1)?.seq ?? lastSeq) : lastSeq }
}

/** Waits for the transactions that may have assigned `seq` values. False when they take too long. */
async function allEnded(db: Queries): Promise<boolean> {
  const holders = async () => (await db.all<{ holder: string }>(HOLDERS)).map(({ holder }) => holder)
  let open = new Set(await holders())
  for (let waitedMs = 0; open.size > 0; waitedMs += CHECK_INTERVAL_MS) {
    if (waitedMs >= WAIT_MS) return false
    await setTimeout(CHECK_INTERVAL_MS)
    open = new Set(await holders()).intersection(open)
  }
  return true
}

/** Parameters: the values of `where`, the exclusive lower bound of `seq`, the inclusive upper bound, and the limit. */
export function eventsSql({ sql, values }: DeliveryWhere): string {
  const place = values.length
  return `select e.seq, e.body from events e where ${sql} and e.seq > ?${place + 1} and e.seq <= ?${place + 2}
    order by e.seq limit ?${place + 3}`
}
