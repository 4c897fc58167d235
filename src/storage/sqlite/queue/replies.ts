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
import type { Connection } from '../connect.ts'

export const p = (index: number) => `?${index}`

export function replyStorage(db: Connection): ReplyStorage {
  const get = (accountId: string, fingerprint: string) => {
    const row = db.get<ReplyRow>(replyQuery(p), accountId, fingerprint)
    return row === undefined ? null : replyOf(row)
  }
  return {
    target: async (accountId, { store, appId, fingerprint }) => {
      const row = db.get<{ connection_id: string; review_id: string | null }>(
        targetQuery(p, p(4)),
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

    get: async (accountId, fingerprint) => get(accountId, fingerprint),

    request: async (accountId, fingerprint, { store, appId, reviewId, connectionId }, request, now) =>
      db.transaction(() => {
        const at = msOf(now)
        db.run(insertReply(p), accountId, fingerprint, store, appId, reviewId, connectionId, 'draft', at)
        if (request.kind === 'draft') db.run(setDraft(p), accountId, fingerprint, request.text, at)
        else {
          const [state, text] = request.kind === 'publish' ? ['pending', request.text] : ['deleting', null]
          db.run(
            setRequest(p),
            accountId,
            fingerprint,
            state,
            text,
            request.author,
            at,
            connectionId,
            reviewId,
          )
        }
        const reply = get(accountId, fingerprint)
        if (reply === null) throw new Error('a stored answer has no row')
        return reply
      }),

    claim: async ({ now, lease, leaseMs, limit }) => {
      if (db.get('select 1 from replies where next_at <= ? limit 1', msOf(now)) === undefined) return []
      return db.transaction(() =>
        db.all<ClaimedReplyRow>(dueReplies(p), msOf(now), limit).map((row) => {
          db.run(leaseReply(p), row.id, lease, msOf(now) + leaseMs)
          return claimedReplyOf(row, lease)
        }),
      )
    },

    settle: async ({ accountId, fingerprint, lease, state }, step, now) =>
      db.run(
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
      ) > 0,

    sentSince: async (store, appId, since) =>
      db.get<{ count: number }>(countSent(p), store, appId, msOf(since))?.count ?? 0,
  }
}
