import { setTimeout } from 'node:timers/promises'
import type { DeliveryStorage, EventPage } from '../../port/deliveries.ts'
import { type DeliveryWhere, eventWhere } from '../../queue/delivery-where.ts'
import type { Database, Queries } from '../connect.ts'

/** Any two numbers that no other lock of this database uses. */
const LOCK = [728_253, 1] as const

/**
 * A transaction takes numbers of events before it commits, and another one may commit higher numbers first. Each holds this
 * lock, together with others, from before its first number to its end: so a reader knows which numbers are still to come.
 */
export const TAKE_EVENT_NUMBERS = `select pg_advisory_xact_lock_shared(${LOCK.join(', ')})`

const HOLDERS = `select l.pid || ' ' || l.virtualtransaction as holder from pg_locks l
  join pg_database d on d.oid = l.database and d.datname = current_database()
  where l.locktype = 'advisory' and l.classid = ${LOCK[0]} and l.objid = ${LOCK[1]} and l.objsubid = 2 and l.granted`

const LAST_NUMBER = 'select case when is_called then last_value else 0 end as seq from events_seq_seq'

/** A commit of fan-out takes some milliseconds. */
const CHECK_INTERVAL_MS = 5
/** After this the events count as not there yet; the next call finds them. */
const WAIT_MS = 2_000

/** differs from sqlite: several nodes write at once, so the end is where every number was either committed or given up. */
export async function eventsAfter(
  db: Database,
  accountId: string,
  filter: Parameters<DeliveryStorage['eventsAfter']>[1],
  { limit, after }: Parameters<DeliveryStorage['eventsAfter']>[2],
): Promise<EventPage> {
  const given = (await db.get<{ seq: number }>(LAST_NUMBER))?.seq ?? 0
  if (given <= after) return { events: [], end: given }
  if (!(await allEnded(db))) return { events: [], end: after }
  const where = eventWhere(accountId, filter, (place) => `$${place}`)
  const events = await db.all<{ seq: number; body: string }>(
    eventsSql(where),
    ...where.values,
    after,
    given,
    limit,
  )
  return { events, end: events.length === limit ? (events.at(-1)?.seq ?? given) : given }
}

/** True once every transaction that may have taken numbers until now has ended. */
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

/** Takes the values of `where`, the number to start after, the last one, and the limit. */
export function eventsSql({ sql, values }: DeliveryWhere): string {
  const place = values.length
  return `select e.seq, e.body from events e where ${sql} and e.seq > $${place + 1} and e.seq <= $${place + 2}
    order by e.seq limit $${place + 3}`
}
