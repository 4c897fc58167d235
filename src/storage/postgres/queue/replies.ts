import type { ReplyStorage } from '../../port/replies.ts'
import {
  type AcceptedRow,
  anyDue,
  type ClaimedReplyRow,
  claimedReplyOf,
  dueReplies,
  lastAccepted,
  leaseReply,
  nthNewestSent,
  type ReplyRow,
  releaseReply,
  replyOf,
  replyQuery,
  requestStatements,
  settleReply,
  type TargetRow,
  targetOf,
  targetQuery,
} from '../../replies/reply-sql.ts'
import { dateOf, dateOrNull, msOf } from '../../values.ts'
import type { Database, Queries } from '../connect.ts'

const p = (index: number) => `$${index}`
const CONNECTION = 'select 1 from store_connections where id = $1 for key share'

export function replyStorage(db: Database): ReplyStorage {
  const get = async (queries: Queries, accountId: string, fingerprint: string) => {
    const { sql, values } = replyQuery(p, accountId, fingerprint)
    const row = await queries.get<ReplyRow>(sql, ...values)
    return row === undefined ? null : replyOf(row)
  }
  return {
    target: async (accountId, review) => {
      const { sql, values } = targetQuery(p, accountId, review)
      return targetOf(await db.get<TargetRow>(sql, ...values), review)
    },

    get: (accountId, fingerprint) => get(db, accountId, fingerprint),

    request: (...given) =>
      db.transaction(async (tx) => {
        if ((await tx.get(CONNECTION, given[2].connectionId)) === undefined) return null
        for (const { sql, values } of requestStatements(p, given)) await tx.run(sql, ...values)
        const reply = await get(tx, given[0], given[1])
        if (reply === null) throw new Error('a stored answer has no row')
        return reply
      }),

    claim: async ({ now, lease, leaseMs, limit }) => {
      const any = anyDue(p, now)
      if ((await db.get(any.sql, ...any.values)) === undefined) return []
      return db.transaction(async (tx) => {
        const due = dueReplies(p, now, limit)
        const rows = await tx.all<ClaimedReplyRow>(`${due.sql} for update of r skip locked`, ...due.values)
        for (const { id } of rows) {
          const { sql, values } = leaseReply(p, id, lease, msOf(now) + leaseMs)
          await tx.run(sql, ...values)
        }
        return rows.map((row) => claimedReplyOf(row, lease))
      })
    },

    settle: (claimed, step, now) =>
      db.transaction(async (tx) => {
        const settled = settleReply(p, claimed, step, now)
        if ((await tx.run(settled.sql, ...settled.values)) > 0) return true
        const released = releaseReply(p, claimed, step, now)
        await tx.run(released.sql, ...released.values)
        return false
      }),

    nthNewestSentAt: async (store, appId, count) => {
      const { sql, values } = nthNewestSent(p, store, appId, count)
      return dateOrNull((await db.get<{ sent_at: number }>(sql, ...values))?.sent_at ?? null)
    },
    lastAcceptedAt: async (accountId) => {
      const { sql, values } = lastAccepted(p, accountId)
      const rows = await db.all<AcceptedRow>(sql, ...values)
      return new Map(rows.map((row) => [row.connection_id, dateOf(row.sent_at)]))
    },
  }
}
