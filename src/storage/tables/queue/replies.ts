import { PUBLISH_MS_MAX, type Reply, type ReplyState } from '../../../model/reply.ts'
import type { ConnectionKind } from '../../../model/store-connection.ts'
import type { Store } from '../../../model/vocabulary.ts'
import { columns, instant, integer, named, nullable, text, word } from '../../columns.ts'
import type { ClaimedReply, ReplyStep, ReplyStorage, ReplyTarget } from '../../port/replies.ts'
import { bytesOf, dateOrNull, msOf, msOrNull, seenKeyOf } from '../../values.ts'
import { type Db, get, run, sql, together, type Work } from '../../work.ts'
import { requestBatch, requestReply } from './reply-requests.ts'
import { undoReplies } from './reply-undo.ts'

const REPLY = columns(
  {
    accountId: text,
    fingerprint: text,
    store: word<Store>(),
    appId: text,
    reviewId: text,
    state: word<ReplyState>(),
    text: nullable(text),
    shownText: nullable(text),
    draft: nullable(text),
    problem: nullable(text),
    author: nullable(text),
    requestedAt: nullable(instant),
    updatedAt: instant,
    nextAttemptAt: named('case when r.lease is null then r.next_at end', nullable(instant)),
    undoUntil: named("case when r.state = 'pending' then r.undo_until end", nullable(instant)),
  },
  'r',
)

/** Of `replies r join store_connections c`. */
const CLAIMED = columns(
  {
    ...REPLY.shape,
    id: integer,
    attempts: integer,
    sentText: nullable(text),
    connection: {
      id: named('r.connection_id', text),
      accountId: named('r.account_id', text),
      kind: named('c.kind', word<ConnectionKind>()),
      credentials: named('c.credentials', text),
    },
  },
  'r',
)

const BATCH = columns(
  {
    ...REPLY.shape,
    reviewAuthor: named('v.author', nullable(text)),
    appName: named('a.name', nullable(text)),
  },
  'r',
)

const IN_BATCH = sql(
  (d) => `from replies r left join reviews v on v.fingerprint = ${d.unhex('r.fingerprint')}
    left join apps a on a.store = r.store and a.app_id = r.app_id
    where r.account_id = ?1 and r.batch_id = ?2 order by r.id`,
)

const ACCEPTED = columns({ connectionId: text, at: named('max(sent_at)', instant) })

export function replyStorage(db: Db): ReplyStorage {
  return {
    target: (accountId, review) => db.alone(targetOf(accountId, review)),

    targets: (accountId, reviews) =>
      db.snapshot(function* () {
        const targets = yield* together(...reviews.map((review) => targetOf(accountId, review)))
        return new Map(
          reviews.flatMap(({ fingerprint }, index) => {
            const target = targets[index] ?? null
            return target === null ? [] : [[fingerprint, target] as const]
          }),
        )
      }),

    get: (accountId, fingerprint) => db.alone(find(accountId, fingerprint)),

    request: (accountId, fingerprint, target, request, now) =>
      db.transaction(function* () {
        if (!(yield* requestReply(accountId, fingerprint, target, request, now))) return null
        const reply = yield* find(accountId, fingerprint)
        if (reply === null) throw new Error('a stored answer has no row')
        return reply
      }),

    requestBatch: (accountId, asked, batch, now) =>
      db.transaction(() => requestBatch(accountId, asked, batch, now)),

    undo: (accountId, of, now) => db.transaction(() => undoReplies(accountId, of, now)),

    batch: (accountId, batchId) => db.alone(BATCH.all(IN_BATCH, accountId, batchId)),

    async claim({ now, lease, leaseMs, limit }) {
      // An idle pass writes nothing.
      const due = get('select 1 from replies where next_at <= ?1 limit 1', msOf(now))
      const replies = await db.transactionFor(
        () => due,
        function* () {
          const claimed = yield* CLAIMED.all(DUE, msOf(now), limit)
          for (const { id } of claimed) yield* run(LEASE, id, lease, msOf(now) + leaseMs)
          return claimed.map(({ id: _, ...reply }) => ({ ...reply, lease }))
        },
      )
      return replies ?? []
    },

    settle: (claimed, step, now) =>
      db.transaction(function* () {
        if ((yield* settle(claimed, step, now)) > 0) return true
        yield* release(claimed, step, now)
        return false
      }),

    async nthNewestSentAt(store, appId, count) {
      const sent = get<{ sent_at: number }>(
        `select sent_at from replies where store = ?1 and app_id = ?2 and sent_at is not null
         order by sent_at desc limit 1 offset ?3`,
        ...[store, appId, count - 1],
      )
      return dateOrNull((await db.alone(sent))?.sent_at ?? null)
    },

    async lastAcceptedAt(accountId) {
      // An answer of another tool may have replaced one that the store did not accept.
      const accepted = ACCEPTED.all(
        `from replies where account_id = ?1 and connection_id is not null and sent_at is not null
           and (state = 'sent' or (state = 'published' and shown_text = sent_text))
         group by connection_id`,
        accountId,
      )
      return new Map((await db.alone(accepted)).map(({ connectionId, at }) => [connectionId, at]))
    },
  }
}

/** Finds an official review by its text, and a public one by its link. */
function* targetOf(
  accountId: string,
  { store, appId, fingerprint }: Parameters<ReplyStorage['target']>[1],
): Work<ReplyTarget | null> {
  const row = yield* get<{ connection_id: string; review_id: string | null }>(
    `select s.connection_id, coalesce(
       (select v.review_id from reviews v where v.fingerprint = ?4 and v.market like '%~' || s.account_id),
       (select o.review_id from official_seen o where o.source_id = s.id and o.review_key = ?5)) as review_id
     from review_sources s
     where s.account_id = ?1 and s.store = ?2 and s.app_id = ?3 and s.state = 'official'
       and exists (select 1 from official_seen o where o.source_id = s.id and o.review_key = ?5)`,
    ...[accountId, store, appId, bytesOf(fingerprint), seenKeyOf(fingerprint)],
  )
  if (row === undefined || row.review_id === null) return null
  return { store, appId, reviewId: row.review_id, connectionId: row.connection_id }
}

function find(accountId: string, fingerprint: string): Work<Reply | null> {
  return REPLY.find('from replies r where r.account_id = ?1 and r.fingerprint = ?2', accountId, fingerprint)
}

const DUE = sql(
  (d) => `from replies r join store_connections c on c.id = r.connection_id
    where r.next_at <= ?1 and coalesce(r.undo_until, 0) <= ?1 order by r.next_at, r.id limit ?2 ${d.forUpdate('of r skip locked')}`,
)

/** The text counts as sent from here on, and cannot be undone. */
const LEASE = `update replies set lease = ?2, next_at = ?3, attempts = attempts + 1, undo_until = null, undo_to = null,
    sent_text = case when state = 'pending' then text else sent_text end where id = ?1`

/** Stores the result of an attempt, unless the account requested something else meanwhile. */
function settle(claimed: ClaimedReply, step: ReplyStep, now: Date): Work<number> {
  const { accountId, fingerprint, lease, state, text, requestedAt } = claimed
  return run(
    `update replies set state = ?4, shown_text = ?5, problem = ?6, next_at = ?7, updated_at = ?8,
       sent_at = coalesce(?9, sent_at), lease = null, attempts = attempts${step.isUnsent === true ? ' - 1' : ''}
     where account_id = ?1 and fingerprint = ?2 and lease = ?3
       and state = ?10 and text is not distinct from ?11 and requested_at is not distinct from ?12`,
    ...[
      accountId,
      fingerprint,
      lease,
      step.state,
      step.shownText,
      step.problem,
      msOrNull(step.nextAt),
      msOf(now),
    ],
    ...[sentAt(claimed, step, now), state, text, msOrNull(requestedAt)],
  )
}

/** After an attempt of a replaced request: the new one is due, and knows what the store shows. */
function release(claimed: ClaimedReply, step: ReplyStep, now: Date): Work<number> {
  const { accountId, fingerprint, lease } = claimed
  return run(
    `update replies set shown_text = ?4, sent_at = coalesce(?6, sent_at), lease = null,
       next_at = case when undo_until > ?5 then undo_until else ?5 end
     where account_id = ?1 and fingerprint = ?2 and lease = ?3`,
    ...[accountId, fingerprint, lease, step.shownText, msOf(now), sentAt(claimed, step, now)],
  )
}

function sentAt({ state }: ClaimedReply, { isUnsent }: ReplyStep, now: Date): number | null {
  return state === 'pending' && isUnsent !== true ? msOf(now) : null
}

/**
 * An answer that an official source showed. It ends neither an answer that is under way nor, while Apple may still show it, a deletion.
 */
export function upsertShown(
  shown: Pick<Reply, 'accountId' | 'fingerprint' | 'store' | 'appId' | 'reviewId'> & {
    readonly connectionId: string | null
    readonly text: string
    /** Of the review; null: that of the stored one. */
    readonly contentHash: string | null
  },
  now: Date,
): Work<number> {
  const { accountId, fingerprint, store, appId, reviewId, connectionId, text, contentHash } = shown
  return run(
    `insert into replies (account_id, fingerprint, store, app_id, review_id, connection_id, state, shown_text, updated_at,
       answered_hash)
     values (?1, ?2, ?3, ?4, ?5, ?6, 'published', ?7, ?8,
       coalesce(?9, (select content_hash from reviews where fingerprint = ?10)))
     on conflict (account_id, fingerprint) do update set shown_text = excluded.shown_text, updated_at = excluded.updated_at,
       state = 'published', problem = null,
       answered_hash = case when replies.state = 'refused' then replies.answered_hash else excluded.answered_hash end
     where (replies.state in ('draft', 'published') and replies.shown_text is distinct from excluded.shown_text)
       or (replies.state = 'refused' and replies.text = excluded.shown_text)
       or (replies.state = 'deleted' and replies.updated_at < excluded.updated_at - ${PUBLISH_MS_MAX})`,
    ...[accountId, fingerprint, store, appId, reviewId, connectionId, text, msOf(now)],
    ...[contentHash === null ? null : bytesOf(contentHash), bytesOf(fingerprint)],
  )
}

const UNFINISHED = "'pending', 'sent', 'deleting'"
const UNSENT = "state = 'pending' and (undo_until is not null or (attempts = 0 and lease is null))"
const REMOVED_UNSENT = 'The store connection was removed before the answer was sent.'
const REMOVED =
  'The store connection was removed before the store confirmed the request. Look at the review in the store.'

/** The connection of these answers is removed. What the store shows of one that may have been sent is not known any more. */
export function detachReplies(connectionId: string, accountId: string): Work<number> {
  return run(
    `update replies set connection_id = null, next_at = null, lease = null, undo_until = null, undo_to = null,
       problem = case when ${UNSENT} then '${REMOVED_UNSENT}' when state in (${UNFINISHED}) then '${REMOVED}' else problem end,
       state = case when state in (${UNFINISHED}) then 'refused' else state end
     where connection_id = ?1 and account_id = ?2`,
    connectionId,
    accountId,
  )
}
