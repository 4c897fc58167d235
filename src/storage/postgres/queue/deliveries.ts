import { eventIdOf } from '../../../model/occurrence.ts'
import type { DeliveryStorage, OldestFirstPage, Page } from '../../port/deliveries.ts'
import { attemptOf, recordOf } from '../../queue/attempt-rows.ts'
import { VIEW_COLUMNS, type ViewRow, viewOf } from '../../queue/delivery-rows.ts'
import { type DeliveryWhere, eventWhere, hashesOf, hashKey } from '../../tables/queue/delivery-where.ts'
import { bytesOf } from '../../values.ts'
import type { Database, Queries, Value } from '../connect.ts'
import { claim, release } from './claims.ts'
import { eventsAfter } from './event-log.ts'
import { retryStorage } from './retry.ts'
import { sendAgain } from './send-again.ts'
import { settle } from './settle.ts'
import { sweepEnded, sweepExpired } from './sweeps.ts'

/** Test events stored per hook: one screen of the console. */
const TESTS_MAX = 20

export function deliveryStorage(db: Database): DeliveryStorage {
  return {
    claim: async (request, allocate) => claim(db, request, allocate),
    release: async (deliveries) => release(db, deliveries),
    settle: async (settled, now, change, mayBeStored) => settle(db, settled, now, change, mayBeStored),

    recordTest: async (accountId, hookId, attempt, body) =>
      db.transaction(async (tx) => {
        const recorded = await tx.run(
          `insert into tests (hook_id, account_id, record, body)
           select id, account_id, $1, $2 from hooks where account_id = $3 and id = $4 and deleted_at is null`,
          recordOf(attempt),
          body,
          accountId,
          hookId,
        )
        if (recorded === 0) return
        await tx.run(
          `delete from tests where hook_id = $1 and seq in (
             select seq from tests where hook_id = $1 order by seq desc offset $2)`,
          hookId,
          TESTS_MAX,
        )
      }),

    tests: async (accountId, hookId) => {
      const rows = await db.all<{ record: string; body: string }>(
        'select record, body from tests where hook_id = $1 and account_id = $2 order by seq desc',
        hookId,
        accountId,
      )
      return rows.map(({ record, body }) => ({ attempt: attemptOf(record), body }))
    },

    sendAgain: (accountId, eventId, now, expireAfterMs) =>
      db.transaction((tx) => sendAgain(tx, accountId, eventId, now, expireAfterMs)),

    ...retryStorage(db),

    sweepEnded: async (now, limit) => sweepEnded(db, now, limit),
    sweepExpired: async (now, expireAfterMs, limit) => sweepExpired(db, now, expireAfterMs, limit),

    get: async (accountId, eventId) => {
      const key = hashKey(eventId)
      if (key === null) return null
      const row = await db.get<ViewRow>(
        `${SELECT_VIEWS} where e.event_id = $1 and e.account_id = $2`,
        key,
        accountId,
      )
      return row === undefined ? null : viewOf(row)
    },

    markets: async (occurrenceIds) => {
      const rows = await db.all<{ id: string; market: string }>(
        `select encode(occurrence_id, 'hex') as id, market from occurrences where occurrence_id = any($1::bytea[])
         order by seq desc`,
        hashesOf(occurrenceIds).map(bytesOf),
      )
      return new Map(rows.map(({ id, market }) => [id, market]))
    },

    attempts: async (accountId, eventId) => {
      const key = hashKey(eventId)
      if (key === null) return []
      const rows = await db.all<{ record: string }>(
        `select a.record from events e join attempts a on a.delivery_seq = e.seq
         where e.event_id = $1 and e.account_id = $2 order by a.seq`,
        key,
        accountId,
      )
      return rows.map(({ record }) => attemptOf(record))
    },

    eventsAfter: (accountId, filter, page) => eventsAfter(db, accountId, filter, page),

    list: async (accountId, { occurrenceId, ...filter }, page) => {
      const seqs = occurrenceId === undefined ? undefined : await seqsOf(db, accountId, occurrenceId)
      const where = eventWhere(accountId, filter, (place) => `$${place}`)
      return (await pageOf(db, where, page, seqs)).map(viewOf)
    },
  }
}

const SELECT_VIEWS = `select ${VIEW_COLUMNS} from events e
  join deliveries d on d.seq = e.seq join hooks h on h.id = e.hook_id join lanes l on l.hook_id = e.hook_id`

/** Reads events in order until a page is full. Without `offset 0` the planner might read and sort all of them. */
const SELECT_VIEWS_IN_ORDER = `select ${VIEW_COLUMNS} from events e
  cross join lateral (select * from deliveries where seq = e.seq offset 0) d
  cross join lateral (select * from hooks where id = e.hook_id offset 0) h
  cross join lateral (select deferred_until from lanes where hook_id = e.hook_id offset 0) l`

/**
 * The account's events of an occurrence, found by the event ids of its hooks. An index by occurrence would cost a write
 * per event.
 */
export async function seqsOf(db: Queries, accountId: string, occurrenceId: string): Promise<number[]> {
  const hooks = await db.all<{ id: string }>('select id from hooks where account_id = $1', accountId)
  const rows = await db.all<{ seq: number }>(
    'select seq from events where event_id = any($1::bytea[])',
    hooks.map(({ id }) => bytesOf(eventIdOf(id, occurrenceId))),
  )
  return rows.map(({ seq }) => seq)
}

/** A page, newest first unless it has `after`; limited to `seqs` if given. */
export async function pageOf(
  db: Queries,
  { by, sql, values }: DeliveryWhere,
  page: Page | OldestFirstPage,
  seqs?: readonly number[],
): Promise<ViewRow[]> {
  const place = values.length
  const isUp = 'after' in page
  const end = isUp ? (page.after ?? 0) : (page.before ?? Number.MAX_SAFE_INTEGER)
  const further: Value[] = [end, page.limit, ...(seqs ? [seqs] : [])]
  return db.all<ViewRow>(
    `${by === 'e' ? SELECT_VIEWS_IN_ORDER : SELECT_VIEWS} where ${sql} and ${by}.seq ${isUp ? '>' : '<'} $${place + 1}
       ${seqs ? `and ${by}.seq = any($${place + 3}::bigint[])` : ''}
     order by ${by}.seq ${isUp ? 'asc' : 'desc'} limit $${place + 2}`,
    ...values,
    ...further,
  )
}
