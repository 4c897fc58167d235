import { setImmediate } from 'node:timers/promises'
import type { DeliveryStorage, EventPage } from '../../port/deliveries.ts'
import { type DeliveryWhere, eventWhere } from '../../tables/queue/delivery-where.ts'
import type { Connection } from '../connect.ts'

/** Events to read before other work can run, as in `pageInSteps`. */
const SEQS_PER_STEP = 20_000

/**
 * Differs from postgres: reads in steps, because a filter without a match reads every event of the account. SQLite has one writer at a
 * time, so `seq` values are committed in order.
 */
export async function eventsAfter(
  db: Connection,
  accountId: string,
  filter: Parameters<DeliveryStorage['eventsAfter']>[1],
  { limit, after }: Parameters<DeliveryStorage['eventsAfter']>[2],
): Promise<EventPage> {
  const end = db.get<{ seq: number }>("select seq from sqlite_sequence where name = 'events'")?.seq ?? 0
  if (limit === 0) return { events: [], end }
  const oldest = db.get<{ seq: number | null }>('select min(seq) as seq from events')?.seq ?? end
  const where = eventWhere(accountId, filter)
  const events: { seq: number; body: string }[] = []
  let from = Math.max(after, oldest - 1)
  while (from < end) {
    const to = Math.min(end, from + SEQS_PER_STEP)
    events.push(
      ...db.all<{ seq: number; body: string }>(
        eventsSql(where),
        ...where.values,
        from,
        to,
        limit - events.length,
      ),
    )
    const last = events.at(-1)
    if (events.length === limit && last !== undefined) return { events, end: last.seq }
    from = to
    if (from < end) await setImmediate()
  }
  return { events, end }
}

/** Parameters: the values of `where`, the exclusive lower bound of `seq`, the inclusive upper bound, and the limit. */
export function eventsSql({ sql, values }: DeliveryWhere): string {
  const place = values.length
  return `select e.seq, e.body from events e where ${sql} and e.seq > ?${place + 1} and e.seq <= ?${place + 2}
    order by e.seq limit ?${place + 3}`
}
