import type { DeadLetterStorage } from '../../port/dead-letters.ts'
import { viewOf } from '../../queue/delivery-rows.ts'
import { countRecoverable, type RecoverableRow, recoverableOf } from '../../queue/recoverable-rows.ts'
import { IS_DEAD_LETTER } from '../../tables/queue/delivery-where.ts'
import { msOf } from '../../values.ts'
import type { Connection } from '../connect.ts'
import { DEAD_LETTERS_AND_EVENTS, deadWhere, IS_SENDABLE, requeue, tablesOf } from './dead-letter-rows.ts'
import { pageInSteps } from './deliveries.ts'
import { seqsOfEvents } from './event-ids.ts'
import { resetLane } from './lanes.ts'
import { replayStorage } from './replays.ts'

export function deadLetterStorage(db: Connection): DeadLetterStorage {
  return {
    list: async (accountId, filter, page) =>
      (await pageInSteps(db, DEAD_LETTERS_AND_EVENTS, deadWhere(accountId, filter), page)).map(viewOf),

    count: async (accountId, filter) => {
      const where = deadWhere(accountId, filter)
      const query = `select count(*) as count from ${tablesOf(where)} where ${where.sql}`
      return db.get<{ count: number }>(query, ...where.values)?.count ?? 0
    },

    countByReason: async (accountId, filter) => {
      const where = deadWhere(accountId, filter)
      return db
        .all<{ reason: string; count: number }>(
          `select d.dead_reason as reason, count(*) as count from ${tablesOf(where)} where ${where.sql}
           group by d.dead_reason order by count desc, reason`,
          ...where.values,
        )
        .map((row) => ({ ...row }))
    },

    replay: async (accountId, eventIds, now, expireAfterMs) =>
      db.transaction(() => {
        const letters = db.all<{ seq: number; hook_id: string }>(
          `select d.seq, d.hook_id from json_each(?) j
             cross join deliveries d on d.seq = j.value join hooks h on h.id = d.hook_id
             where ${IS_DEAD_LETTER} and ${IS_SENDABLE} and (?2 is null or d.account_id = ?2)`,
          JSON.stringify(seqsOfEvents(db, eventIds)),
          accountId,
        )
        const seqs = letters.map(({ seq }) => seq)
        requeue(db, seqs, null, now, expireAfterMs)
        for (const hookId of new Set(letters.map(({ hook_id }) => hook_id))) resetLane(db, hookId, now)
        return seqs.length
      }),

    countRecoverable: async (accountId, hookId, since) =>
      recoverableOf(db.all<RecoverableRow>(countRecoverable('?'), hookId, accountId, msOf(since))),

    discard: async (accountId, eventIds, now) =>
      db.run(
        `update deliveries as d set resolved_at = ?1
         where d.seq in (select value from json_each(?2)) and ${IS_DEAD_LETTER}
           and (?3 is null or d.account_id = ?3)`,
        msOf(now),
        JSON.stringify(seqsOfEvents(db, eventIds)),
        accountId,
      ),

    ...replayStorage(db),
  }
}
