import { TO_ANSWER_STATES } from '../../../model/reply.ts'
import type { BatchSkip, ReplyRequest, ReplyStorage, ReplyTarget } from '../../port/replies.ts'
import { bytesOf, hexOf, msOf, msOrNull } from '../../values.ts'
import { all, lock, run, runRows, sql, together, type Work } from '../../work.ts'
import { lockAccounts } from '../people/account-limits.ts'
import { answerStates } from '../reports/answer-where.ts'
import { undoToOf } from './reply-undo.ts'

/** The body of `ReplyStorage.request`. False, and nothing is stored, without the connection or the review. */
export function* requestReply(
  ...[accountId, fingerprint, target, request, now]: Parameters<ReplyStorage['request']>
): Work<boolean> {
  if (!(yield* heldConnections([target])).has(target.connectionId)) return false
  if (!(yield* heldReviews([fingerprint])).has(fingerprint)) return false
  yield* addRows(accountId, [{ fingerprint, target }], now)
  yield* change(accountId, fingerprint, target, request, msOf(now))
  return true
}

/**
 * The body of `ReplyStorage.requestBatch`. The account's row is locked, so that two batches do not wait for each other. A request for one
 * review may come in between, until its row is locked, so the states are read before, to add no row in vain, and after.
 */
export function* requestBatch(
  ...[accountId, asked, { batchId, author, undoUntil }, now]: Parameters<ReplyStorage['requestBatch']>
): Work<ReadonlyMap<string, BatchSkip>> {
  yield* lockAccounts([accountId])
  const held = yield* heldConnections(asked.map(({ target }) => target))
  const skipped = new Map<string, BatchSkip>()
  const isConnected = ({ target }: (typeof asked)[number]) => held.has(target.connectionId)
  for (const each of asked) if (!isConnected(each)) skipped.set(each.fingerprint, 'not_connected')
  const connected = asked.filter(isConnected)
  const free = yield* withoutAnswer(accountId, connected, skipped)
  yield* addRows(accountId, free, now)
  yield* lock(
    'select 1 from replies where account_id = ?1 and fingerprint = any(?2::text[]) order by fingerprint for update',
    accountId,
    free.map(({ fingerprint }) => fingerprint),
  )
  const request = { kind: 'publish', author, undoUntil, batchId } as const
  yield* together(
    ...(yield* withoutAnswer(accountId, free, skipped)).map(({ fingerprint, target, text }) =>
      change(accountId, fingerprint, target, { ...request, text }, msOf(now)),
    ),
  )
  return skipped
}

const CONNECTIONS = sql((d) => `select id from store_connections where id ${d.among('?1', 'text')}`)

/** Those of the connections that exist, and are not removed before the commit. */
function* heldConnections(targets: readonly Pick<ReplyTarget, 'connectionId'>[]): Work<ReadonlySet<string>> {
  const ids = [...new Set(targets.map(({ connectionId }) => connectionId))]
  yield* lock('select 1 from store_connections where id = any(?1::text[]) order by id for key share', ids)
  return new Set((yield* all<{ id: string }>(CONNECTIONS, ids)).map(({ id }) => id))
}

type Asked = { readonly fingerprint: string; readonly target: ReplyTarget }

/** A row for each review that has none. */
function addRows(accountId: string, asked: readonly Asked[], now: Date): Work<number> {
  return runRows(
    ADD,
    asked.map(({ fingerprint, target: { store, appId, reviewId, connectionId } }) => [
      ...[accountId, fingerprint, store, appId, reviewId, connectionId],
      msOf(now),
    ]),
  )
}

const ROW = 'account_id, fingerprint, store, app_id, review_id, connection_id, updated_at, state'
const ADD = {
  sqlite: `insert into replies (${ROW}) values (?1, ?2, ?3, ?4, ?5, ?6, ?7, 'draft')
    on conflict (account_id, fingerprint) do nothing`,
  postgres: `insert into replies (${ROW})
    select *, 'draft' from unnest(?1::text[], ?2::text[], ?3::text[], ?4::text[], ?5::text[], ?6::text[], ?7::bigint[])
    on conflict (account_id, fingerprint) do nothing`,
}

const REVIEWS = sql(
  (d) =>
    `select fingerprint, reply_text is not null as is_answered from reviews where fingerprint ${d.among('?1', 'bytea')}
     order by fingerprint ${d.of({ sqlite: '', postgres: 'for key share' })}`,
)

/** Those of the reviews that exist, and are not erased before the commit; true if the store shows an answer. */
function* heldReviews(fingerprints: readonly string[]): Work<ReadonlyMap<string, boolean>> {
  const rows = yield* all<{ fingerprint: Uint8Array; is_answered: boolean | number }>(
    REVIEWS,
    fingerprints.map(bytesOf),
  )
  return new Map(rows.map(({ fingerprint, is_answered }) => [hexOf(fingerprint), Boolean(is_answered)]))
}

/** Those whose review waits for an answer. `skipped` gets the others. */
function* withoutAnswer<A extends Asked>(
  accountId: string,
  asked: readonly A[],
  skipped: Map<string, BatchSkip>,
): Work<readonly A[]> {
  const fingerprints = asked.map(({ fingerprint }) => fingerprint)
  const states = yield* answerStates(accountId, fingerprints)
  const reviews = yield* heldReviews(fingerprints)
  return asked.filter(({ fingerprint }) => {
    const isAnswered = reviews.get(fingerprint)
    const state = states.get(fingerprint) ?? (isAnswered ? 'published' : 'unanswered')
    if (isAnswered !== undefined && TO_ANSWER_STATES.includes(state)) return true
    if (isAnswered === undefined) skipped.set(fingerprint, 'no_review')
    else skipped.set(fingerprint, state === 'pending' ? 'pending' : 'published')
    return false
  })
}

function* change(
  accountId: string,
  fingerprint: string,
  { reviewId, connectionId }: ReplyTarget,
  request: ReplyRequest,
  nowMs: number,
): Work<number> {
  const isThis = 'account_id = ?1 and fingerprint = ?2'
  if (request.kind === 'draft') {
    const draft = `update replies set draft = ?3, updated_at = ?4 where ${isThis}`
    return yield* run(draft, accountId, fingerprint, request.text, nowMs)
  }
  const [state, wanted, undoUntil, batchId] =
    request.kind === 'publish'
      ? ['pending', request.text, msOrNull(request.undoUntil ?? null), request.batchId ?? null]
      : ['deleting', null, null, null]
  const undoTo = undoUntil === null ? null : yield* undoToOf(accountId, fingerprint, nowMs)
  return yield* run(
    `update replies set state = ?3, text = ?4, author = ?5, requested_at = ?6, updated_at = ?6,
       connection_id = ?7, review_id = ?8, draft = null, problem = null, attempts = 0,
       undo_until = ?9, undo_to = ?10, batch_id = ?11,
       answered_hash = (select content_hash from reviews where fingerprint = ?12),
       next_at = case when lease is null then ?13 else next_at end
     where ${isThis}`,
    ...[accountId, fingerprint, state, wanted, request.author, nowMs, connectionId, reviewId],
    ...[undoUntil, undoTo, batchId, bytesOf(fingerprint), undoUntil ?? nowMs],
  )
}
