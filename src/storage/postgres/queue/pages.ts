import type { Row } from '../../columns.ts'
import type { DeliveryView, OldestFirstPage, Page } from '../../port/deliveries.ts'
import { DELIVERY_VIEW } from '../../tables/queue/deliveries.ts'
import type { DeliveryWhere } from '../../tables/queue/delivery-where.ts'
import type { Queries, Value } from '../connect.ts'

/** Pages of events and dead letters. Differs from sqlite: one statement, whose joins keep the planner from reading all events. */

const SELECT_VIEWS = `select ${DELIVERY_VIEW.list} from events e
  join deliveries d on d.seq = e.seq join hooks h on h.id = e.hook_id join lanes l on l.hook_id = e.hook_id`

/** Reads events in order until a page is full. Without `offset 0` the planner might read and sort all of them. */
const SELECT_VIEWS_IN_ORDER = `select ${DELIVERY_VIEW.list} from events e
  cross join lateral (select * from deliveries where seq = e.seq offset 0) d
  cross join lateral (select * from hooks where id = e.hook_id offset 0) h
  cross join lateral (select deferred_until from lanes where hook_id = e.hook_id offset 0) l`

/** A page, newest first unless it has `after`; limited to `seqs` if given. */
export async function pageOf(
  db: Queries,
  { by, sql, values }: DeliveryWhere,
  page: Page | OldestFirstPage,
  seqs?: readonly number[],
): Promise<DeliveryView[]> {
  const place = values.length
  const isUp = 'after' in page
  const end = isUp ? (page.after ?? 0) : (page.before ?? Number.MAX_SAFE_INTEGER)
  const further: Value[] = [end, page.limit, ...(seqs ? [seqs] : [])]
  const rows = await db.all<Row>(
    `${by === 'e' ? SELECT_VIEWS_IN_ORDER : SELECT_VIEWS} where ${sql} and ${by}.seq ${isUp ? '>' : '<'} ?${place + 1}
       ${seqs ? `and ${by}.seq = any(?${place + 3}::bigint[])` : ''}
     order by ${by}.seq ${isUp ? 'asc' : 'desc'} limit ?${place + 2}`,
    ...values,
    ...further,
  )
  return rows.map(DELIVERY_VIEW.of)
}
