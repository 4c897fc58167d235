import { PUBLISH_MS_MAX, type Reply, type ReplyState } from '../../model/reply.ts'
import type { ConnectionKind } from '../../model/store-connection.ts'
import type { Store } from '../../model/vocabulary.ts'
import { seenKeyOf } from '../feeds/seen-key.ts'
import type { ClaimedReply, ReplyRequest, ReplyStep, ReplyStorage, ReplyTarget } from '../port/replies.ts'
import { bytesOf, dateOf, dateOrNull, msOf, msOrNull } from '../values.ts'

/** Rows and statements of answers, the same on both engines. `p` is the placeholder of a parameter. */
type Placeholder = (index: number) => string
type Statement = { readonly sql: string; readonly values: readonly (string | number | Uint8Array | null)[] }

const COLUMNS = `r.id, r.account_id, r.fingerprint, r.store, r.app_id, r.review_id, r.state, r.text, r.shown_text, r.sent_text,
  r.draft, r.problem, r.author, r.requested_at, r.updated_at, r.attempts,
  case when r.lease is null then r.next_at end as next_attempt_at`

export type ReplyRow = {
  id: number
  account_id: string
  fingerprint: string
  store: Store
  app_id: string
  review_id: string
  state: ReplyState
  text: string | null
  shown_text: string | null
  sent_text: string | null
  draft: string | null
  problem: string | null
  author: string | null
  requested_at: number | null
  updated_at: number
  attempts: number
  next_attempt_at: number | null
}

export type ClaimedReplyRow = ReplyRow & { connection_id: string; kind: ConnectionKind; credentials: string }

export function replyOf(row: ReplyRow): Reply {
  return {
    accountId: row.account_id,
    fingerprint: row.fingerprint,
    store: row.store,
    appId: row.app_id,
    reviewId: row.review_id,
    state: row.state,
    text: row.text,
    shownText: row.shown_text,
    draft: row.draft,
    problem: row.problem,
    author: row.author,
    requestedAt: dateOrNull(row.requested_at),
    updatedAt: dateOf(row.updated_at),
    nextAttemptAt: dateOrNull(row.next_attempt_at),
  }
}

export function claimedReplyOf(row: ClaimedReplyRow, lease: string): ClaimedReply {
  const { connection_id: id, account_id: accountId, kind, credentials } = row
  return {
    ...replyOf(row),
    lease,
    attempts: row.attempts,
    sentText: row.sent_text,
    connection: { id, accountId, kind, credentials },
  }
}

export type TargetRow = { readonly connection_id: string; readonly review_id: string | null }

/** Finds a `TargetRow`: of an official review by its text, and of a public one by its link. */
export function targetQuery(
  p: Placeholder,
  accountId: string,
  { store, appId, fingerprint }: Parameters<ReplyStorage['target']>[1],
): Statement {
  const sql = `
    select s.connection_id, coalesce(
      (select v.review_id from reviews v where v.fingerprint = ${p(4)} and v.market like '%~' || s.account_id),
      (select o.review_id from official_seen o where o.source_id = s.id and o.review_key = ${p(5)})) as review_id
    from review_sources s
    where s.account_id = ${p(1)} and s.store = ${p(2)} and s.app_id = ${p(3)} and s.state = 'official'
      and exists (select 1 from official_seen o where o.source_id = s.id and o.review_key = ${p(5)})`
  return { sql, values: [accountId, store, appId, bytesOf(fingerprint), seenKeyOf(fingerprint)] }
}

export function targetOf(
  row: TargetRow | undefined,
  { store, appId }: Pick<ReplyTarget, 'store' | 'appId'>,
): ReplyTarget | null {
  if (row === undefined || row.review_id === null) return null
  return { store, appId, reviewId: row.review_id, connectionId: row.connection_id }
}

export function replyQuery(p: Placeholder, accountId: string, fingerprint: string): Statement {
  const sql = `select ${COLUMNS} from replies r where r.account_id = ${p(1)} and r.fingerprint = ${p(2)}`
  return { sql, values: [accountId, fingerprint] }
}

/** The statements of a request, in order. */
export function requestStatements(
  p: Placeholder,
  [accountId, fingerprint, target, request, now]: Parameters<ReplyStorage['request']>,
): Statement[] {
  const { store, appId, reviewId, connectionId } = target
  const insert = `
    insert into replies (account_id, fingerprint, store, app_id, review_id, connection_id, state, updated_at)
    values (${[1, 2, 3, 4, 5, 6].map(p).join(', ')}, 'draft', ${p(7)}) on conflict (account_id, fingerprint) do nothing`
  const values = [accountId, fingerprint, store, appId, reviewId, connectionId, msOf(now)]
  return [{ sql: insert, values }, changeOf(p, accountId, fingerprint, target, request, msOf(now))]
}

function changeOf(
  p: Placeholder,
  accountId: string,
  fingerprint: string,
  { reviewId, connectionId }: ReplyTarget,
  request: ReplyRequest,
  at: number,
): Statement {
  const isThis = `account_id = ${p(1)} and fingerprint = ${p(2)}`
  if (request.kind === 'draft') {
    const sql = `update replies set draft = ${p(3)}, updated_at = ${p(4)} where ${isThis}`
    return { sql, values: [accountId, fingerprint, request.text, at] }
  }
  const sql = `
    update replies set state = ${p(3)}, text = ${p(4)}, author = ${p(5)}, requested_at = ${p(6)}, updated_at = ${p(6)},
      connection_id = ${p(7)}, review_id = ${p(8)}, draft = null, problem = null, attempts = 0,
      next_at = case when lease is null then ${p(6)} else next_at end
    where ${isThis}`
  const [state, text] = request.kind === 'publish' ? ['pending', request.text] : ['deleting', null]
  return { sql, values: [accountId, fingerprint, state, text, request.author, at, connectionId, reviewId] }
}

/** Whether any answer is due, so that an idle pass writes nothing. */
export function anyDue(p: Placeholder, now: Date): Statement {
  return { sql: `select 1 from replies where next_at <= ${p(1)} limit 1`, values: [msOf(now)] }
}

export function dueReplies(p: Placeholder, now: Date, limit: number): Statement {
  const sql = `
    select ${COLUMNS}, r.connection_id, c.kind, c.credentials
    from replies r join store_connections c on c.id = r.connection_id
    where r.next_at <= ${p(1)} order by r.next_at, r.id limit ${p(2)}`
  return { sql, values: [msOf(now), limit] }
}

/** The text counts as sent from here on. */
export function leaseReply(p: Placeholder, id: number, lease: string, until: number): Statement {
  const sql = `
    update replies set lease = ${p(2)}, next_at = ${p(3)}, attempts = attempts + 1,
      sent_text = case when state = 'pending' then text else sent_text end where id = ${p(1)}`
  return { sql, values: [id, lease, until] }
}

/** Stores the result of an attempt, unless the account requested something else meanwhile. */
export function settleReply(p: Placeholder, claimed: ClaimedReply, step: ReplyStep, now: Date): Statement {
  const sql = `
    update replies set state = ${p(4)}, shown_text = ${p(5)}, problem = ${p(6)}, next_at = ${p(7)}, updated_at = ${p(8)},
      sent_at = coalesce(${p(9)}, sent_at), lease = null, attempts = attempts${step.isUnsent === true ? ' - 1' : ''}
    where account_id = ${p(1)} and fingerprint = ${p(2)} and lease = ${p(3)}
      and state = ${p(10)} and text is not distinct from ${p(11)} and requested_at is not distinct from ${p(12)}`
  const { accountId, fingerprint, lease, state, text, requestedAt } = claimed
  const result = [step.state, step.shownText, step.problem, msOrNull(step.nextAt), msOf(now)]
  const request = [state, text, msOrNull(requestedAt)]
  return { sql, values: [accountId, fingerprint, lease, ...result, sentAt(claimed, step, now), ...request] }
}

/** After an attempt of a replaced request: the new one is due, and knows what the store shows. */
export function releaseReply(p: Placeholder, claimed: ClaimedReply, step: ReplyStep, now: Date): Statement {
  const sql = `
    update replies set shown_text = ${p(4)}, next_at = ${p(5)}, sent_at = coalesce(${p(6)}, sent_at), lease = null
    where account_id = ${p(1)} and fingerprint = ${p(2)} and lease = ${p(3)}`
  const { accountId, fingerprint, lease } = claimed
  const sent = sentAt(claimed, step, now)
  return { sql, values: [accountId, fingerprint, lease, step.shownText, msOf(now), sent] }
}

function sentAt({ state }: ClaimedReply, { isUnsent }: ReplyStep, now: Date): number | null {
  return state === 'pending' && isUnsent !== true ? msOf(now) : null
}

/** Finds the `sent_at` of the answer that is the `count`th newest one sent. */
export function nthNewestSent(p: Placeholder, store: Store, appId: string, count: number): Statement {
  const sql = `
    select sent_at from replies where store = ${p(1)} and app_id = ${p(2)} and sent_at is not null
    order by sent_at desc limit 1 offset ${p(3)}`
  return { sql, values: [store, appId, count - 1] }
}

export type AcceptedRow = { connection_id: string; sent_at: number }

/** An answer of another tool may have replaced one that the store did not accept. */
export function lastAccepted(p: Placeholder, accountId: string): Statement {
  const sql = `
    select connection_id, max(sent_at) as sent_at from replies
    where account_id = ${p(1)} and connection_id is not null and sent_at is not null
      and (state = 'sent' or (state = 'published' and shown_text = sent_text))
    group by connection_id`
  return { sql, values: [accountId] }
}

/**
 * An answer that an official source showed. It ends neither an answer that is under way nor, while Apple may still show it, a deletion.
 * Parameters: account, fingerprint, store, app, review id, connection, text, now.
 */
export const upsertShown = (p: Placeholder): string => `
  insert into replies (account_id, fingerprint, store, app_id, review_id, connection_id, state, shown_text, updated_at)
  values (${[1, 2, 3, 4, 5, 6].map(p).join(', ')}, 'published', ${p(7)}, ${p(8)})
  on conflict (account_id, fingerprint) do update set shown_text = excluded.shown_text, updated_at = excluded.updated_at,
    state = 'published', problem = null
  where (replies.state in ('draft', 'published') and replies.shown_text is distinct from excluded.shown_text)
    or (replies.state = 'refused' and replies.text = excluded.shown_text)
    or (replies.state = 'deleted' and replies.updated_at < excluded.updated_at - ${PUBLISH_MS_MAX})`
