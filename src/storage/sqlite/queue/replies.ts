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
import type { Connection } from '../connect.ts'

const p = (index: number) => `?${index}`
const CONNECTION = 'select 1 from store_connections where id = ?'

export function replyStorage(db: Connection): ReplyStorage {
  const get = (accountId: string, fingerprint: string) => {
    const { sql, values } = replyQuery(p, accountId, fingerprint)
    const row = db.get<ReplyRow>(sql, ...values)
    return row === undefined ? null : replyOf(row)
  }
  return {
    target: async (accountId, review) => {
      const { sql, values } = targetQuery(p, accountId, review)
      return targetOf(db.get<TargetRow>(sql, ...values), review)
    },

    get: async (accountId, fingerprint) => get(accountId, fingerprint),

    request: async (...given) =>
      db.transaction(() => {
        if (db.get(CONNECTION, given[2].connectionId) === undefined) return null
        for (const { sql, values } of requestStatements(p, given)) db.run(sql, ...values)
        const reply = get(given[0], given[1])
        if (reply === null) throw new Error('a stored answer has no row')
        return reply
      }),

    claim: async ({ now, lease, leaseMs, limit }) => {
      const any = anyDue(p, now)
      if (db.get(any.sql, ...any.values) === undefined) return []
      return db.transaction(() => {
        const due = dueReplies(p, now, limit)
        const rows = db.all<ClaimedReplyRow>(due.sql, ...due.values)
        for (const { id } of rows) {
          const { sql, values } = leaseReply(p, id, lease, msOf(now) + leaseMs)
          db.run(sql, ...values)
        }
        return rows.map((row) => claimedReplyOf(row, lease))
      })
    },

    settle: async (claimed, step, now) =>
      db.transaction(() => {
        const settled = settleReply(p, claimed, step, now)
        if (db.run(settled.sql, ...settled.values) > 0) return true
        const released = releaseReply(p, claimed, step, now)
        db.run(released.sql, ...released.values)
        return false
      }),

    nthNewestSentAt: async (store, appId, count) => {
      const { sql, values } = nthNewestSent(p, store, appId, count)
      return dateOrNull(db.get<{ sent_at: number }>(sql, ...values)?.sent_at ?? null)
    },
    lastAcceptedAt: async (accountId) => {
      const { sql, values } = lastAccepted(p, accountId)
      const rows = db.all<AcceptedRow>(sql, ...values)
      return new Map(rows.map((row) => [row.connection_id, dateOf(row.sent_at)]))
    },
  }
}
