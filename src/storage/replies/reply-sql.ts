import type { Reply, ReplyState } from '../../model/reply.ts'
import type { ConnectionKind } from '../../model/store-connection.ts'
import type { Store } from '../../model/vocabulary.ts'
import type { ClaimedReply } from '../port/replies.ts'
import { dateOf, dateOrNull } from '../values.ts'

/** Rows and statements of answers, the same on both engines. `p` is the placeholder of a parameter. */
type Placeholder = (index: number) => string

const COLUMNS = `r.id, r.account_id, r.fingerprint, r.store, r.app_id, r.review_id, r.state, r.text, r.shown_text, r.sent_text,
  r.draft, r.problem, r.author, r.requested_at, r.updated_at, r.attempts`

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

/** Parameters: account, store, app, fingerprint of an official review, key of a public one. */
export const targetQuery = (p: Placeholder, official: string): string => `
  select s.connection_id, coalesce(
    (select v.review_id from reviews v where v.fingerprint = ${official} and v.market like '%~' || s.account_id),
    (select o.review_id from official_seen o where o.source_id = s.id and o.review_key = ${p(5)})) as review_id
  from review_sources s
  where s.account_id = ${p(1)} and s.store = ${p(2)} and s.app_id = ${p(3)} and s.state = 'official'
    and exists (select 1 from official_seen o where o.source_id = s.id and o.review_key = ${p(5)})`

export const replyQuery = (p: Placeholder): string =>
  `select ${COLUMNS} from replies r where r.account_id = ${p(1)} and r.fingerprint = ${p(2)}`

/** Parameters: account, fingerprint, store, app, review id, connection, state, now. */
export const insertReply = (p: Placeholder): string => `
  insert into replies (account_id, fingerprint, store, app_id, review_id, connection_id, state, updated_at)
  values (${[1, 2, 3, 4, 5, 6, 7, 8].map(p).join(', ')}) on conflict (account_id, fingerprint) do nothing`

/** Parameters: account, fingerprint, draft, now. */
export const setDraft = (p: Placeholder): string =>
  `update replies set draft = ${p(3)}, updated_at = ${p(4)} where account_id = ${p(1)} and fingerprint = ${p(2)}`

/** Parameters: account, fingerprint, state, text, author, now, connection, review id. */
export const setRequest = (p: Placeholder): string => `
  update replies set state = ${p(3)}, text = ${p(4)}, author = ${p(5)}, requested_at = ${p(6)}, updated_at = ${p(6)},
    connection_id = ${p(7)}, review_id = ${p(8)}, draft = null, problem = null, attempts = 0, next_at = ${p(6)}, lease = null
  where account_id = ${p(1)} and fingerprint = ${p(2)}`

/** Parameters: now, limit. */
export const dueReplies = (p: Placeholder): string => `
  select ${COLUMNS}, r.connection_id, c.kind, c.credentials
  from replies r join store_connections c on c.id = r.connection_id
  where r.next_at <= ${p(1)} order by r.next_at, r.id limit ${p(2)}`

/** Parameters: id, lease, end of the lease. The text counts as sent from here on. */
export const leaseReply = (p: Placeholder): string => `
  update replies set lease = ${p(2)}, next_at = ${p(3)}, attempts = attempts + 1,
    sent_text = case when state = 'pending' then text else sent_text end where id = ${p(1)}`

/** Parameters: account, fingerprint, lease, state, shown text, problem, next, now, the time of a request to write it or null. */
export const settleReply = (p: Placeholder): string => `
  update replies set state = ${p(4)}, shown_text = ${p(5)}, problem = ${p(6)}, next_at = ${p(7)}, updated_at = ${p(8)},
    sent_at = coalesce(${p(9)}, sent_at), lease = null
  where account_id = ${p(1)} and fingerprint = ${p(2)} and lease = ${p(3)}`

/** Parameters: store, app, since. */
export const countSent = (p: Placeholder): string =>
  `select count(*) as count from replies where store = ${p(1)} and app_id = ${p(2)} and sent_at >= ${p(3)}`

/** An answer that an official source showed. Parameters: account, fingerprint, store, app, review id, connection, text, now. */
export const upsertShown = (p: Placeholder): string => `
  insert into replies (account_id, fingerprint, store, app_id, review_id, connection_id, state, shown_text, updated_at)
  values (${[1, 2, 3, 4, 5, 6].map(p).join(', ')}, 'published', ${p(7)}, ${p(8)})
  on conflict (account_id, fingerprint) do update set shown_text = excluded.shown_text, updated_at = excluded.updated_at,
    state = case when replies.state in ('draft', 'deleted') then 'published' else replies.state end
  where replies.state in ('draft', 'published', 'deleted') and replies.shown_text is distinct from excluded.shown_text`

/** Parameter: connection. */
export const detachReplies = (p: Placeholder): string =>
  `update replies set connection_id = null, next_at = null, lease = null where connection_id = ${p(1)}`
