import { ATTEMPT_COLUMNS, type AttemptRow, attemptOf, attemptValues } from '../attempt-rows.ts'
import { VIEW_COLUMNS, type ViewRow, viewOf } from '../delivery-rows.ts'
import { deliveryWhere, hashKey, type Where } from '../delivery-where.ts'
import type { DeliveryStorage, Page } from '../port/deliveries.ts'
import { claim, release } from './claims.ts'
import type { Database, Value } from './connect.ts'
import { sendAgain } from './send-again.ts'
import { settle } from './settle.ts'
import { sweepEnded, sweepExpired } from './sweeps.ts'

/** Tests kept of a hook. Chosen: what one screen of the console shows. */
const TESTS_KEPT = 20

export function deliveryStorage(db: Database): DeliveryStorage {
  return {
    claim: async (request, allot) => claim(db, request, allot),
    release: async (deliveries) => release(db, deliveries),
    settle: async (settled, now, change) => settle(db, settled, now, change),

    recordTest: async (accountId, hookId, attempt, body) =>
      db.transaction(async (tx) => {
        const values = [...attemptValues(attempt), body, accountId, hookId]
        const hook = `$${values.length}`
        const recorded = await tx.run(
          `insert into attempts (${ATTEMPT_COLUMNS.join(', ')}, test_body, account_id, hook_id)
           select ${ATTEMPT_COLUMNS.map((_, index) => `$${index + 1}`).join(', ')}, $${values.length - 2}, account_id, id
           from hooks where account_id = $${values.length - 1} and id = ${hook} and deleted_at is null`,
          ...values,
        )
        if (recorded === 0) return
        await tx.run(
          `delete from attempts where seq in (
             select seq from attempts where hook_id = $1 and delivery_seq is null order by seq desc offset $2)`,
          hookId,
          TESTS_KEPT,
        )
      }),

    tests: async (accountId, hookId) => {
      const rows = await db.all<AttemptRow & { test_body: string }>(
        `select ${ATTEMPT_COLUMNS.join(', ')}, test_body from attempts
         where hook_id = $1 and delivery_seq is null and account_id = $2 order by seq desc`,
        hookId,
        accountId,
      )
      return rows.map((row) => ({ attempt: attemptOf(row), body: row.test_body }))
    },

    sendAgain: (accountId, eventId, now, giveUpAfterMs) =>
      db.transaction((tx) => sendAgain(tx, accountId, eventId, now, giveUpAfterMs)),

    sweepEnded: async (now, limit) => sweepEnded(db, now, limit),
    sweepExpired: async (now, giveUpAfterMs, limit) => sweepExpired(db, now, giveUpAfterMs, limit),

    get: async (accountId, eventId) => {
      const key = hashKey(eventId)
      if (key === null) return null
      const row = await db.get<ViewRow>(
        `${SELECT_VIEWS} where d.event_id = $1 and d.account_id = $2`,
        key,
        accountId,
      )
      return row === undefined ? null : viewOf(row)
    },

    attempts: async (accountId, eventId) => {
      const key = hashKey(eventId)
      if (key === null) return []
      const rows = await db.all<AttemptRow>(
        `select ${ATTEMPT_COLUMNS.map((column) => `a.${column}`).join(', ')}
         from deliveries d join attempts a on a.delivery_seq = d.seq
         where d.event_id = $1 and d.account_id = $2 order by a.seq`,
        key,
        accountId,
      )
      return rows.map(attemptOf)
    },

    list: async (accountId, filter, page) => {
      const rows = await pageOf(
        db,
        deliveryWhere(accountId, filter, (place) => `$${place}`),
        page,
      )
      return rows.map(viewOf)
    },
  }
}

const SELECT_VIEWS = `select ${VIEW_COLUMNS} from deliveries d
  join hooks h on h.id = d.hook_id left join bodies b on b.delivery_seq = d.seq`

/** Newest first. */
export async function pageOf(db: Database, where: Where, page: Page): Promise<ViewRow[]> {
  const values: Value[] = [...where.values, page.before ?? Number.MAX_SAFE_INTEGER, page.limit]
  return db.all<ViewRow>(
    `${SELECT_VIEWS} where ${where.sql} and d.seq < $${values.length - 1}
     order by d.seq desc limit $${values.length}`,
    ...values,
  )
}
