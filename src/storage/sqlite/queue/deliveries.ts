import { setImmediate } from 'node:timers/promises'
import { eventIdOf } from '../../../model/occurrence.ts'
import type { DeliveryStorage, OldestFirstPage, Page } from '../../port/deliveries.ts'
import { attemptOf, recordOf } from '../../queue/attempt-rows.ts'
import { VIEW_COLUMNS, type ViewRow, viewOf } from '../../queue/delivery-rows.ts'
import { type DeliveryWhere, eventWhere, hashesOf } from '../../tables/queue/delivery-where.ts'
import type { Connection, Value } from '../connect.ts'
import { claim, release } from './claims.ts'
import { seqOfEvent, seqsOfEvents } from './event-ids.ts'
import { eventsAfter } from './event-log.ts'
import { retryStorage } from './retry.ts'
import { sendAgain } from './send-again.ts'
import { settle } from './settle.ts'
import { sweepEnded, sweepExpired } from './sweeps.ts'

/** Test events stored per hook: one screen of the console. */
const TESTS_MAX = 20

export function deliveryStorage(db: Connection): DeliveryStorage {
  return {
    claim: async (request, allocate) => claim(db, request, allocate),
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
          TESTS_MAX,
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

    sendAgain: async (accountId, eventId, now, expireAfterMs) =>
      db.transaction(() => sendAgain(db, accountId, eventId, now, expireAfterMs)),

    ...retryStorage(db),

    sweepEnded: async (now, limit) => sweepEnded(db, now, limit),
    sweepExpired: async (now, expireAfterMs, limit) => sweepExpired(db, now, expireAfterMs, limit),

    get: async (accountId, eventId) => {
      const row = db.get<ViewRow>(
        `${selectViews(EVENTS, 'e')} where e.seq = ? and e.account_id = ?`,
        seqOfEvent(db, eventId),
        accountId,
      )
      return row === undefined ? null : viewOf(row)
    },

    markets: async (occurrenceIds) =>
      new Map(
        db
          .all<{ id: string; market: string }>(
            `select j.value as id, o.market from json_each(?) j cross join occurrences o on o.occurrence_id = unhex(j.value)
             order by o.seq desc`,
            JSON.stringify(hashesOf(occurrenceIds)),
          )
          .map(({ id, market }) => [id, market]),
      ),

    attempts: async (accountId, eventId) =>
      db
        .all<{ record: string }>(
          `select a.record from events e join attempts a on a.delivery_seq = e.seq
           where e.seq = ? and e.account_id = ? order by a.seq`,
          seqOfEvent(db, eventId),
          accountId,
        )
        .map(({ record }) => attemptOf(record)),

    eventsAfter: (accountId, filter, page) => eventsAfter(db, accountId, filter, page),

    list: async (accountId, { occurrenceId, ...filter }, page) => {
      const seqs = occurrenceId === undefined ? undefined : await seqsOf(db, accountId, occurrenceId)
      const where = eventWhere(accountId, filter, (place) => `?${place}`)
      const rows = await (seqs === undefined
        ? pageInSteps(db, EVENTS, where, page)
        : pageOf(db, EVENTS, where, page, seqs))
      return rows.map(viewOf)
    },
  }
}

export const EVENTS = 'events e join deliveries d on d.seq = e.seq'

/** `source` joins events and deliveries; `by` is the table whose index finds the rows of a hook. */
const selectViews = (source: string, by: DeliveryWhere['by']) =>
  `select ${VIEW_COLUMNS} from ${source} join hooks h on h.id = ${by}.hook_id join lanes l on l.hook_id = ${by}.hook_id`

/**
 * The account's events of an occurrence, found by the event ids of its hooks. An index by occurrence would cost a write
 * per event.
 */
async function seqsOf(db: Connection, accountId: string, occurrenceId: string): Promise<number[]> {
  const hooks = db.all<{ id: string }>('select id from hooks where account_id = ?', accountId)
  const seqs: number[] = []
  for (let at = 0; at < hooks.length; at += HOOKS_PER_STEP) {
    if (at > 0) await setImmediate()
    const ofStep = hooks.slice(at, at + HOOKS_PER_STEP)
    seqs.push(
      ...seqsOfEvents(
        db,
        ofStep.map(({ id }) => eventIdOf(id, occurrenceId)),
      ),
    )
  }
  return seqs
}

/** Hooks before other work can run: at most 11 ms with a million events. */
const HOOKS_PER_STEP = 50

/** Events to read before other work can run: about 15 ms if the filter matches none. */
const SEQS_PER_STEP = 20_000

/** A page, newest first unless it has `after`, read in steps: a filter without a match reads every event of the account. */
export async function pageInSteps(
  db: Connection,
  source: string,
  where: DeliveryWhere,
  page: Page | OldestFirstPage,
  seqsPerStep = SEQS_PER_STEP,
): Promise<ViewRow[]> {
  const { newest, oldest } = db.get<{ newest: number | null; oldest: number | null }>(
    'select max(seq) as newest, (select min(seq) from events) as oldest from events',
  ) ?? { newest: null, oldest: null }
  const rows: ViewRow[] = []
  if ('after' in page) {
    let after = Math.max(page.after ?? 0, (oldest ?? 0) - 1)
    while (rows.length < page.limit && after < (newest ?? after)) {
      const until = after + seqsPerStep
      rows.push(
        ...pageOf(db, source, bounded(where, '<=', until), { after, limit: page.limit - rows.length }),
      )
      after = until
      if (rows.length < page.limit) await setImmediate()
    }
    return rows
  }
  let before = Math.min(page.before ?? Number.MAX_SAFE_INTEGER, (newest ?? 0) + 1)
  while (rows.length < page.limit && before > (oldest ?? before)) {
    const from = before - seqsPerStep
    rows.push(...pageOf(db, source, bounded(where, '>=', from), { before, limit: page.limit - rows.length }))
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
  source: string,
  where: DeliveryWhere,
  page: Page | OldestFirstPage,
  seqs?: readonly number[],
): ViewRow[] {
  const isUp = 'after' in page
  const end = isUp ? (page.after ?? 0) : (page.before ?? Number.MAX_SAFE_INTEGER)
  const further: Value[] = [end, page.limit]
  if (seqs) further.push(JSON.stringify(seqs))
  const sql = pageSql(source, where, { only: seqs !== undefined, isUp })
  return db.all<ViewRow>(sql, ...where.values, ...further)
}

/**
 * Parameters: the values of `where`, the exclusive bound of `seq`, the limit and, with `only`, the list of `seq`
 * values.
 */
export function pageSql(
  source: string,
  { by, sql, values }: DeliveryWhere,
  { only = false, isUp = false } = {},
): string {
  const place = values.length
  return `${selectViews(source, by)} where ${sql} and ${by}.seq ${isUp ? '>' : '<'} ?${place + 1}
     ${only ? `and ${by}.seq in (select value from json_each(?${place + 3}))` : ''}
     order by ${by}.seq ${isUp ? 'asc' : 'desc'} limit ?${place + 2}`
}
