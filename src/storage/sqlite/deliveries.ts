import { setImmediate } from 'node:timers/promises'
import { eventIdOf } from '../../model/occurrence.ts'
import { attemptOf, recordOf } from '../attempt-rows.ts'
import { VIEW_COLUMNS, type ViewRow, viewOf } from '../delivery-rows.ts'
import { type DeliveryWhere, eventWhere, hashKey } from '../delivery-where.ts'
import type { DeliveryStorage, Page } from '../port/deliveries.ts'
import { claim, release } from './claims.ts'
import type { Connection, Value } from './connect.ts'
import { sendAgain } from './send-again.ts'
import { settle } from './settle.ts'
import { sweepEnded, sweepExpired } from './sweeps.ts'

/** Tests kept of a hook. Chosen: what one screen of the console shows. */
const TESTS_KEPT = 20

export function deliveryStorage(db: Connection): DeliveryStorage {
  return {
    claim: async (request, allot) => claim(db, request, allot),
    release: async (deliveries) => release(db, deliveries),
    settle: async (settled, now, change, mayBeStored) => settle(db, settled, now, change, mayBeStored),

    recordTest: async (accountId, hookId, attempt, body) =>
      db.transaction(() => {
        const recorded = db.run(
          `insert into tests (hook_id, account_id, record, body)
           select id, account_id, ?, ? from hooks where account_id = ? and id = ? and deleted_at is null`,
          recordOf(attempt),
          body,
          accountId,
          hookId,
        )
        if (recorded === 0) return
        db.run(
          `delete from tests where seq in (
             select seq from tests where hook_id = ? order by seq desc limit -1 offset ?)`,
          hookId,
          TESTS_KEPT,
        )
      }),

    tests: async (accountId, hookId) =>
      db
        .all<{ record: string; body: string }>(
          'select record, body from tests where hook_id = ? and account_id = ? order by seq desc',
          hookId,
          accountId,
        )
        .map(({ record, body }) => ({ attempt: attemptOf(record), body })),

    sendAgain: async (accountId, eventId, now, giveUpAfterMs) =>
      db.transaction(() => sendAgain(db, accountId, eventId, now, giveUpAfterMs)),

    sweepEnded: async (now, limit) => sweepEnded(db, now, limit),
    sweepExpired: async (now, giveUpAfterMs, limit) => sweepExpired(db, now, giveUpAfterMs, limit),

    get: async (accountId, eventId) => {
      const key = hashKey(eventId)
      const row =
        key &&
        db.get<ViewRow>(
          `${selectViews(EVENTS, 'e')} where e.event_id = ? and e.account_id = ?`,
          key,
          accountId,
        )
      return row ? viewOf(row) : null
    },

    attempts: async (accountId, eventId) => {
      const key = hashKey(eventId)
      if (key === null) return []
      return db
        .all<{ record: string }>(
          `select a.record from events e join attempts a on a.delivery_seq = e.seq
           where e.event_id = ? and e.account_id = ? order by a.seq`,
          key,
          accountId,
        )
        .map(({ record }) => attemptOf(record))
    },

    list: async (accountId, { occurrenceId, ...filter }, page) => {
      const seqs = occurrenceId === undefined ? undefined : seqsOf(db, accountId, occurrenceId)
      const where = eventWhere(accountId, filter, (place) => `?${place}`)
      const rows = await (seqs === undefined
        ? pageInSteps(db, EVENTS, where, page)
        : pageOf(db, EVENTS, where, page, seqs))
      return rows.map(viewOf)
    },
  }
}

export const EVENTS = 'events e join deliveries d on d.seq = e.seq'

/** `source` is of events and deliveries; `by` is the one of the two by whose hook the others are found. */
const selectViews = (source: string, by: DeliveryWhere['by']) =>
  `select ${VIEW_COLUMNS} from ${source} join hooks h on h.id = ${by}.hook_id join lanes l on l.hook_id = ${by}.hook_id`

/** What an occurrence became for each hook of the account: found by ids, so that no index of occurrences is written for each event. */
function seqsOf(db: Connection, accountId: string, occurrenceId: string): number[] {
  const hooks = db.all<{ id: string }>('select id from hooks where account_id = ?', accountId)
  return db
    .all<{ seq: number }>(
      'select e.seq from json_each(?) j cross join events e on e.event_id = unhex(j.value)',
      JSON.stringify(hooks.map(({ id }) => eventIdOf(id, occurrenceId))),
    )
    .map(({ seq }) => seq)
}

/** Events looked at before others get their turn. Chosen: some 15 ms of rows that a filter leaves out. */
const SEQS_PER_STEP = 20_000

/** Newest first, in steps over the numbers: a filter that nothing meets looks at every event of the account. */
export async function pageInSteps(
  db: Connection,
  source: string,
  where: DeliveryWhere,
  page: Page,
  seqsPerStep = SEQS_PER_STEP,
): Promise<ViewRow[]> {
  const { newest, oldest } = db.get<{ newest: number | null; oldest: number | null }>(
    'select max(seq) as newest, (select min(seq) from events) as oldest from events',
  ) ?? { newest: null, oldest: null }
  const rows: ViewRow[] = []
  let before = Math.min(page.before ?? Number.MAX_SAFE_INTEGER, (newest ?? 0) + 1)
  while (rows.length < page.limit && before > (oldest ?? before)) {
    const from = before - seqsPerStep
    const within = {
      ...where,
      sql: `${where.sql} and ${where.by}.seq >= ?${where.values.length + 1}`,
      values: [...where.values, from],
    }
    rows.push(...pageOf(db, source, within, { before, limit: page.limit - rows.length }))
    before = from
    if (rows.length < page.limit) await setImmediate()
  }
  return rows
}

/** Newest first; with `seqs` only these. */
export function pageOf(
  db: Connection,
  source: string,
  where: DeliveryWhere,
  page: Page,
  seqs?: readonly number[],
): ViewRow[] {
  const further: Value[] = [page.before ?? Number.MAX_SAFE_INTEGER, page.limit]
  if (seqs) further.push(JSON.stringify(seqs))
  return db.all<ViewRow>(pageSql(source, where, seqs !== undefined), ...where.values, ...further)
}

/** With the values of `where`, the number it ends before, how many and, with `only`, the numbers of those. */
export function pageSql(source: string, { by, sql, values }: DeliveryWhere, only = false): string {
  const place = values.length
  return `${selectViews(source, by)} where ${sql} and ${by}.seq < ?${place + 1}
     ${only ? `and ${by}.seq in (select value from json_each(?${place + 3}))` : ''}
     order by ${by}.seq desc limit ?${place + 2}`
}
