import type { ReplyState } from '../../../model/reply.ts'
import type { ReplyStorage } from '../../port/replies.ts'
import { msOf, parsed } from '../../values.ts'
import { all, get, run, sql, type Work } from '../../work.ts'

/** What an undo restores, as the columns of the row. */
type Before = {
  readonly state: ReplyState
  readonly text: string | null
  readonly draft: string | null
  readonly author: string | null
  readonly requested_at: number | null
  readonly problem: string | null
  readonly attempts: number
  readonly next_at: number | null
  /** In hex. */
  readonly answered_hash: string | null
}

const BEFORE = sql(
  (
    d,
  ) => `select state, text, draft, author, requested_at, problem, attempts, next_at, ${d.hex('answered_hash')} as answered_hash,
      case when undo_until > ?3 then undo_to end as undo_to
    from replies where account_id = ?1 and fingerprint = ?2 ${d.forUpdate()}`,
)

/** What an undo of a request made now restores. A request within the time of another one restores what that one would. */
export function* undoToOf(accountId: string, fingerprint: string, nowMs: number): Work<string | null> {
  const row = yield* get<Before & { readonly undo_to: string | null }>(BEFORE, accountId, fingerprint, nowMs)
  if (row === undefined) return null
  const { undo_to: first, ...before } = row
  return first ?? JSON.stringify(before satisfies Before)
}

type UndoRow = {
  readonly id: number
  readonly text: string
  readonly batch_id: string | null
  readonly undo_to: string
}

const UNDOABLE = sql(
  (d) => `select id, text, batch_id, undo_to from replies
    where account_id = ?1 and (fingerprint = ?2 or batch_id = ?3) and state = 'pending' and undo_until > ?4
      and undo_to is not null
    order by id ${d.forUpdate()}`,
)

/**
 * Restores the answers of before. The draft is one that was saved meanwhile, else the text, except of a batch: a draft that a person wrote
 * before comes back. An attempt of an earlier request that is under way settles as if nothing had been requested. */
export function* undoReplies(...[accountId, of, now]: Parameters<ReplyStorage['undo']>): Work<number> {
  const [fingerprint, batchId] = 'batchId' in of ? [null, of.batchId] : [of.fingerprint, null]
  const rows = yield* all<UndoRow>(UNDOABLE, accountId, fingerprint, batchId, msOf(now))
  for (const { id, text, batch_id, undo_to } of rows) {
    const before = parsed<Before>(undo_to)
    const draft = (batch_id === null ? null : before.draft) ?? text
    yield* run(
      UNDO,
      ...[id, before.state, before.text, before.author, before.requested_at, before.problem],
      ...[before.attempts, before.next_at, before.answered_hash, draft, msOf(now)],
    )
  }
  return rows.length
}

const UNDO = sql(
  (
    d,
  ) => `update replies set state = ?2, text = ?3, author = ?4, requested_at = ?5, problem = ?6, attempts = ?7,
      next_at = case when lease is null then ?8 else next_at end, answered_hash = ${d.unhex('?9')}, draft = coalesce(draft, ?10),
      updated_at = ?11, undo_until = null, undo_to = null, batch_id = null
    where id = ?1`,
)
