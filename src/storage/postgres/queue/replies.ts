import { seenKeyOf } from '../../feeds/seen-key.ts'
import type { ReplyStorage } from '../../port/replies.ts'
import {
  type ClaimedReplyRow,
  claimedReplyOf,
  countSent,
  dueReplies,
  insertReply,
  leaseReply,
  type ReplyRow,
  replyOf,
  replyQuery,
  setDraft,
  setRequest,
  settleReply,
  targetQuery,
} from '../../replies/reply-sql.ts'
import { bytesOf, msOf, msOrNull } from '../../values.ts'
import type { Database, Queries } from '../connect.ts'

export const p = (index: number) => `$${index}`

export function replyStorage(db: Database): ReplyStorage {
  const get = async (queries: Queries, accountId: string, fingerprint: string) => {
    const row = await queries.get<ReplyRow>(replyQuery(p), accountId, fingerprint)
    return row === undefined ? null : replyOf(row)
  }
  return {
    target: async (accountId, { store, appId, fingerprint }) => {
      const row = await db.get<{ connection_id: string; review_id: string | null }>(
        targetQuery(p, `${p(4)}::bytea`),
        accountId,
        store,
        appId,
        bytesOf(fingerprint),
        seenKeyOf(fingerprint),
      )
      return row?.review_id == null
        ? null
        : { store, appId, reviewId: row.review_id, connectionId: row.connection_id }
    },

    get: (accountId, fingerprint) => get(db, accountId, fingerprint),

    request: (accountId, fingerprint, { store, appId, reviewId, connectionId }, request, now) =>
      db.transaction(async (tx) => {
        const at = msOf(now)
        await tx.run(
          insertReply(p),
          accountId,
          fingerprint,
          store,
          appId,
          reviewId,
          connectionId,
          'draft',
          at,
        )
        if (request.kind === 'draft') await tx.run(setDraft(p), accountId, fingerprint, request.text, at)
        else {
          const [state, text] = request.kind === 'publish' ? ['pending', request.text] : ['deleting', null]
          const values = [state, text, request.author, at, connectionId, reviewId] as const
          await tx.run(setRequest(p), accountId, fingerprint, ...values)
        }
        const reply = await get(tx, accountId, fingerprint)
        if (reply === null) throw new Error('a stored answer has no row')
        return reply
      }),

    claim: async ({ now, lease, leaseMs, limit }) => {
      if ((await db.get('select 1 from replies where next_at <= $1 limit 1', msOf(now))) === undefined)
        return []
      return db.transaction(async (tx) => {
        const rows = await tx.all<ClaimedReplyRow>(
          `${dueReplies(p)} for update of r skip locked`,
          msOf(now),
          limit,
        )
        for (const row of rows) await tx.run(leaseReply(p), row.id, lease, msOf(now) + leaseMs)
        return rows.map((row) => claimedReplyOf(row, lease))
      })
    },

    settle: async ({ accountId, fingerprint, lease, state }, step, now) =>
      (await db.run(
        settleReply(p),
        accountId,
        fingerprint,
        lease,
        step.state,
        step.shownText,
        step.problem,
        msOrNull(step.nextAt),
        msOf(now),
        state === 'pending' ? msOf(now) : null,
      )) > 0,

    sentSince: async (store, appId, since) =>
      (await db.get<{ count: number }>(countSent(p), store, appId, msOf(since)))?.count ?? 0,
  }
}
