import { appKeyOf } from '../../../model/hook.ts'
import { TO_ANSWER_STATES } from '../../../model/reply.ts'
import type { Store } from '../../../model/vocabulary.ts'
import type { ReportStorage } from '../../port/reports.ts'
import { msOf } from '../../values.ts'
import { all, type Db, type Dialect, get, sql, type Work } from '../../work.ts'
import { answerStateOf } from './answer-where.ts'
import {
  byNewest,
  type FeedKeyRow,
  joinedTo,
  RECORD_COLUMNS,
  type RecordRow,
  recordsOf,
} from './review-records.ts'
import { type AppScope, scopesIn } from './scope.ts'

/** The queue of reviews to answer. */
export function toAnswerReports(db: Db): Pick<ReportStorage, 'toAnswer' | 'countToAnswer'> {
  // Most queues are full after the reviews of one star. Each statement is a step of its own, since SQLite blocks the process meanwhile.
  const keysOf = async (accountId: string, since: Date, limit: number) => {
    const scopes = await db.step(() => connectedScopes(accountId))
    const keys: FeedKeyRow[] = []
    for (const rating of [1, 2, 3, 4, 5]) {
      const found: FeedKeyRow[] = []
      for (const scope of scopes) {
        found.push(
          ...(await db.step(() => keysOfApp(accountId, scope, { since, rating }, limit - keys.length))),
        )
      }
      keys.push(...found.sort(byNewest).slice(0, limit - keys.length))
      if (keys.length >= limit) break
    }
    return keys
  }
  return {
    async toAnswer(accountId, since, limit) {
      const seqs = (await keysOf(accountId, since, limit)).map(({ seq }) => seq)
      const records = await db.step(() => recordsIn(accountId, seqs))
      const bySeq = new Map(records.map((record) => [record.seq, record]))
      return seqs.flatMap((seq) => bySeq.get(seq) ?? [])
    },

    async countToAnswer(accountId, since, max) {
      let count = 0
      for (const scope of await db.step(() => connectedScopes(accountId))) {
        if (count < max) count += await db.step(() => countOfApp(accountId, scope, since, max - count))
      }
      return count
    },
  }
}

/** The apps whose reviews come from a store connection. */
function* connectedScopes(accountId: string): Work<AppScope[]> {
  const connected = yield* all<{ store: Store; app_id: string }>(
    "select store, app_id from review_sources where account_id = ?1 and state = 'official'",
    accountId,
  )
  const isConnected = new Set(connected.map(({ store, app_id }) => appKeyOf({ store, appId: app_id })))
  const scopes = connected.length === 0 ? [] : yield* scopesIn(accountId)
  return scopes.filter((scope) => isConnected.has(appKeyOf(scope)) && scope.markets.reviews.length > 0)
}

/**
 * The reviews `r` of one app that wait for an answer. `official_seen` has those that the connection of the app can answer, and the
 * public ones that are linked to such.
 */
const waitingOf = (d: Dialect) => `reviews r ${d.indexedBy('reviews_app')}
    where r.store = ?2 and r.app_id = ?3 and r.occurred_at >= ?4 and r.market ${d.among('?5', 'text')}
      and ${answerStateOf(d, '?1')} in (${TO_ANSWER_STATES.map((state) => `'${state}'`).join(', ')})
      and exists (select 1 from review_sources s join official_seen o on o.source_id = s.id
        where s.account_id = ?1 and s.store = ?2 and s.app_id = ?3 and s.state = 'official'
          and o.review_key = substr(${d.hex('r.fingerprint')}, 1, 32))`

const KEYS = sql(
  (d) => `select r.occurred_at, r.seq from ${waitingOf(d)} and r.rating = ?6
    order by r.occurred_at desc, r.seq desc limit ?7`,
)

function keysOfApp(
  accountId: string,
  { store, appId, markets }: AppScope,
  { since, rating }: { readonly since: Date; readonly rating: number },
  limit: number,
): Work<FeedKeyRow[]> {
  return all<FeedKeyRow>(KEYS, accountId, store, appId, msOf(since), markets.reviews, rating, limit)
}

const COUNT = sql((d) => `select count(*) as count from (select 1 from ${waitingOf(d)} limit ?6) waiting`)

function* countOfApp(
  accountId: string,
  { store, appId, markets }: AppScope,
  since: Date,
  max: number,
): Work<number> {
  const row = yield* get<{ count: number }>(
    COUNT,
    ...[accountId, store, appId, msOf(since), markets.reviews, max],
  )
  return row?.count ?? 0
}

const RECORDS = sql(
  (d) => `select ${RECORD_COLUMNS} from reviews r ${joinedTo('?2')} where r.seq ${d.among('?1', 'bigint')}`,
)

function* recordsIn(accountId: string, seqs: readonly number[]) {
  return yield* recordsOf(accountId, yield* all<RecordRow>(RECORDS, seqs, accountId))
}
