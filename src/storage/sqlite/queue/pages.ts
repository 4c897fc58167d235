import { setImmediate } from 'node:timers/promises'
import type { Row } from '../../columns.ts'
import type { DeliveryView, OldestFirstPage, Page } from '../../port/deliveries.ts'
import { DELIVERY_VIEW, type PageOf } from '../../tables/queue/deliveries.ts'
import { type DeliveryWhere, tablesOf } from '../../tables/queue/delivery-where.ts'
import type { Connection, Value } from '../connect.ts'

/**
 * Pages of events and dead letters. Differs from postgres: SQLite blocks the process, so a page is read in steps, between which other calls
 * run.
 */
export function pages(db: Connection): PageOf {
  return async (where, page, seqs) =>
    seqs === undefined ? pageInSteps(db, where, page) : pageOf(db, where, page, seqs)
}

/** Events to read before other work can run: about 15 ms if the filter matches none. */
const SEQS_PER_STEP = 20_000

/** A page, newest first unless it has `after`, read in steps: a filter without a match reads every event of the account. */
export async function pageInSteps(
  db: Connection,
  where: DeliveryWhere,
  page: Page | OldestFirstPage,
  seqsPerStep = SEQS_PER_STEP,
): Promise<DeliveryView[]> {
  const { newest, oldest } = db.get<{ newest: number | null; oldest: number | null }>(
    'select max(seq) as newest, (select min(seq) from events) as oldest from events',
  ) ?? { newest: null, oldest: null }
  const rows: DeliveryView[] = []
  if ('after' in page) {
    let after = Math.max(page.after ?? 0, (oldest ?? 0) - 1)
    while (rows.length < page.limit && after < (newest ?? after)) {
      const until = after + seqsPerStep
      rows.push(...pageOf(db, bounded(where, '<=', until), { after, limit: page.limit - rows.length }))
      after = until
      if (rows.length < page.limit) await setImmediate()
    }
    return rows
  }
  let before = Math.min(page.before ?? Number.MAX_SAFE_INTEGER, (newest ?? 0) + 1)
  while (rows.length < page.limit && before > (oldest ?? before)) {
    const from = before - seqsPerStep
    rows.push(...pageOf(db, bounded(where, '>=', from), { before, limit: page.limit - rows.length }))
    before = from
    if (rows.length < page.limit) await setImmediate()
  }
  return rows
}

function bounded(where: DeliveryWhere, operator: '<=' | '>=', seq: number): DeliveryWhere {
  const { by, sql, values } = where
  return { ...where, sql: `${sql} and ${by}.seq ${operator} ?${values.length + 1}`, values: [...values, seq] }
}

/** A page, newest first unless it has `after`; limited to `seqs` if given. */
export function pageOf(
  db: Connection,
  where: DeliveryWhere,
  page: Page | OldestFirstPage,
  seqs?: readonly number[],
): DeliveryView[] {
  const isUp = 'after' in page
  const end = isUp ? (page.after ?? 0) : (page.before ?? Number.MAX_SAFE_INTEGER)
  const further: Value[] = [end, page.limit]
  if (seqs) further.push(JSON.stringify(seqs))
  const sql = pageSql(where, { only: seqs !== undefined, isUp })
  return db.all<Row>(sql, ...where.values, ...further).map(DELIVERY_VIEW.of)
}

/**
 * Parameters: the values of `where`, the exclusive bound of `seq`, the limit and, with `only`, the list of `seq`
 * values.
 */
export function pageSql(where: DeliveryWhere, { only = false, isUp = false } = {}): string {
  const { by, sql, values } = where
  const place = values.length
  // The table whose index finds the rows of a hook.
  return `select ${DELIVERY_VIEW.list} from ${tablesOf({ ...where, usesEvents: true }).sqlite}
    join hooks h on h.id = ${by}.hook_id join lanes l on l.hook_id = ${by}.hook_id where ${sql} and ${by}.seq ${isUp ? '>' : '<'} ?${place + 1}
     ${only ? `and ${by}.seq in (select value from json_each(?${place + 3}))` : ''}
     order by ${by}.seq ${isUp ? 'asc' : 'desc'} limit ?${place + 2}`
}
