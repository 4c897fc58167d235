import type { DeadLetterStorage } from '../../port/dead-letters.ts'
import { viewOf } from '../../queue/delivery-rows.ts'
import { countRecoverable, type RecoverableRow, recoverableOf } from '../../queue/recoverable-rows.ts'
import { hashesOf, IS_DEAD_LETTER } from '../../tables/queue/delivery-where.ts'
import { bytesOf, msOf } from '../../values.ts'
import type { Database } from '../connect.ts'
import { deadWhere, IS_SENDABLE, requeue, tablesOf } from './dead-letter-rows.ts'
import { pageOf } from './deliveries.ts'
import { resetLanes } from './lanes.ts'
import { replayStorage } from './replays.ts'

export function deadLetterStorage(db: Database): DeadLetterStorage {
  return {
    list: async (accountId, filter, page) =>
      (await pageOf(db, deadWhere(accountId, filter), page)).map(viewOf),

    count: async (accountId, filter) => {
      const where = deadWhere(accountId, filter)
      const query = `select count(*) as count from ${tablesOf(where)} where ${where.sql}`
      return (await db.get<{ count: number }>(query, ...where.values))?.count ?? 0
    },

    countByReason: async (accountId, filter) => {
      const where = deadWhere(accountId, filter)
      return db.all<{ reason: string; count: number }>(
        `select d.dead_reason as reason, count(*) as count from ${tablesOf(where)} where ${where.sql}
         group by d.dead_reason order by count desc, reason`,
        ...where.values,
      )
    },

    replay: async (accountId, eventIds, now, expireAfterMs) =>
      db.transaction(async (tx) => {
        const letters = await tx.all<{ seq: number; hook_id: string }>(
          `select d.seq, d.hook_id from events e join deliveries d on d.seq = e.seq join hooks h on h.id = d.hook_id
           where e.event_id = any($1::bytea[]) and ${IS_DEAD_LETTER} and ${IS_SENDABLE}
             and ($2::text is null or d.account_id = $2)`,
          hashesOf(eventIds).map(bytesOf),
          accountId,
        )
        const [count = 0] = await requeue(tx, [{ letters: letters, replayId: null }], now, expireAfterMs)
        await resetLanes(tx, [...new Set(letters.map(({ hook_id }) => hook_id))], now)
        return count
      }),

    countRecoverable: async (accountId, hookId, since) =>
      recoverableOf(await db.all<RecoverableRow>(countRecoverable('$'), hookId, accountId, msOf(since))),

    discard: async (accountId, eventIds, now) =>
      db.transaction((tx) =>
        tx.run(
          `update deliveries d set resolved_at = $1 from events e
           where d.seq = e.seq and e.event_id = any($2::bytea[]) and ${IS_DEAD_LETTER} and ($3::text is null or d.account_id = $3)`,
          msOf(now),
          hashesOf(eventIds).map(bytesOf),
          accountId,
        ),
      ),

    ...replayStorage(db),
  }
}
