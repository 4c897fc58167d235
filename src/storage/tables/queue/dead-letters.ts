import type { DeliveryStatus } from '../../../model/vocabulary.ts'
import { columns, integer, named, text } from '../../columns.ts'
import type { DeadLetterStorage } from '../../port/dead-letters.ts'
import { msOf } from '../../values.ts'
import { all, type Db, get, run, sql } from '../../work.ts'
import type { PageOf } from './deliveries.ts'
import {
  deadLetterWhere,
  ENDED_AT,
  IS_DEAD_LETTER,
  IS_SENDABLE,
  isEnded,
  tablesOf,
} from './delivery-where.ts'
import { seqsOfEvents } from './events.ts'
import { resetLanes } from './lanes.ts'
import { replayStorage, requeue } from './replays.ts'

const REASON = columns({ reason: named('d.dead_reason', text), count: named('count(*)', integer) })

export function deadLetterStorage(db: Db, pageOf: PageOf): DeadLetterStorage {
  return {
    list: (accountId, filter, page) => pageOf(deadLetterWhere(accountId, filter), page),

    async count(accountId, filter) {
      const where = deadLetterWhere(accountId, filter)
      const count = sql((d) => `select count(*) as count from ${d.of(tablesOf(where))} where ${where.sql}`)
      return (await db.alone(get<{ count: number }>(count, ...where.values)))?.count ?? 0
    },

    countByReason(accountId, filter) {
      const where = deadLetterWhere(accountId, filter)
      const from = sql(
        (d) =>
          `from ${d.of(tablesOf(where))} where ${where.sql} group by d.dead_reason order by count desc, reason`,
      )
      return db.alone(REASON.all(from, ...where.values))
    },

    replay: (accountId, eventIds, now, expireAfterMs) =>
      db.transaction(function* () {
        const seqs = yield* seqsOfEvents(eventIds)
        const letters = yield* all<{ seq: number; hook_id: string }>(LETTERS, seqs, accountId)
        const [count = 0] = yield* requeue([{ letters, replayId: null }], now, expireAfterMs)
        yield* resetLanes([...new Set(letters.map(({ hook_id }) => hook_id))], now)
        return count
      }),

    async countRecoverable(accountId, hookId, since) {
      const counts = await db.alone(
        all<{ status: DeliveryStatus; count: number }>(RECOVERABLE, hookId, accountId, msOf(since)),
      )
      const of = (status: DeliveryStatus) => counts.find((row) => row.status === status)?.count ?? 0
      return { pending: of('pending'), dead: of('dead'), delivered: of('delivered') }
    },

    discard: (accountId, eventIds, now) =>
      db.transaction(function* () {
        return yield* run(DISCARD, msOf(now), yield* seqsOfEvents(eventIds), accountId)
      }),

    ...replayStorage(db),
  }
}

const LETTERS = sql(
  (d) => `select d.seq, d.hook_id from deliveries d join hooks h on h.id = d.hook_id
    where d.seq ${d.among('?1', 'bigint')} and ${IS_DEAD_LETTER} and ${IS_SENDABLE}
      and (cast(?2 as text) is null or d.account_id = ?2)`,
)

const DISCARD = sql(
  (d) => `update deliveries as d set resolved_at = ?1
    where d.seq ${d.among('?2', 'bigint')} and ${IS_DEAD_LETTER} and (cast(?3 as text) is null or d.account_id = ?3)`,
)

/** Reads every event of the hook by its index. */
const RECOVERABLE = `select d.status, count(*) as count
  from events e join deliveries d on d.seq = e.seq join hooks h on h.id = e.hook_id
  where e.hook_id = ?1 and e.account_id = ?2 and ${IS_SENDABLE}
    and (d.status = 'pending' or (${isEnded(true)} and ${ENDED_AT} >= ?3))
  group by d.status`
