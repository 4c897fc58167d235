import { setImmediate } from 'node:timers/promises'
import type { ReportStorage, ReviewCursor, ReviewFilter } from '../../port/reports.ts'
import { answerWhere, bothWhere } from '../../tables/reports/answer-where.ts'
import {
  byNewest,
  cursorOf,
  type FeedKeyRow,
  joinedTo,
  RECORD_COLUMNS,
  type RecordRow,
  recordsOf,
} from '../../tables/reports/review-records.ts'
import {
  boundsOf,
  facetWhere,
  marketsWithin,
  scopesWithin,
  type TextDialect,
  textWhere,
} from '../../tables/reports/review-where.ts'
import { type AppScope, scopesIn } from '../../tables/reports/scope.ts'
import { parsed } from '../../values.ts'
import { runSync } from '../../work.ts'
import type { Connection, Value } from '../connect.ts'

// Differs from postgres: SQLite blocks the process, so texts are searched in parts, and each market is read from its index.

/**
 * Texts to search in one statement, and the newest texts to search before all others. With 100,000 reviews, 2,000 block
 * the process for 4 ms. All take 90 ms in the order of storage and 180 ms in the order of the feed.
 */
const TEXTS_AT_ONCE = 2_000

const TEXTS: TextDialect = { like: 'like', enriched: (field) => `r.enrichment ->> '$.${field}'` }

export function reviewFeed(db: Connection): Pick<ReportStorage, 'reviews' | 'countReviews'> {
  return {
    async reviews(accountId, filter, { limit, before }) {
      // One more than the page size, to detect a next page.
      const keys = await newestKeys(
        db,
        scopesWithin(runSync(db, scopesIn(accountId)), filter),
        { ...filter, accountId },
        limit + 1,
        before,
      )
      const page = keys.slice(0, limit)
      const last = page.at(-1)
      return {
        reviews: runSync(db, recordsOf(accountId, rowsOf(db, accountId, page))),
        next: keys.length > limit && last !== undefined ? cursorOf(last) : null,
      }
    },

    async countReviews(accountId, filter, max) {
      const scopes = scopesWithin(runSync(db, scopesIn(accountId)), filter)
      return (await newestKeys(db, scopes, { ...filter, accountId }, max, null)).length
    },
  }
}

/** The account's answers are part of its filter. */
type AccountFilter = ReviewFilter & { readonly accountId: string }

/** The newest reviews of all apps. Of each app, reads only reviews newer than the last one of a full page. */
async function newestKeys(
  db: Connection,
  scopes: readonly AppScope[],
  filter: AccountFilter,
  limit: number,
  before: ReviewCursor | null,
): Promise<FeedKeyRow[]> {
  let keys: FeedKeyRow[] = []
  const bounds = boundsOf(filter, before)
  for (const scope of scopes) {
    const markets = marketsWithin(scope, filter)
    if (markets.length === 0) continue
    const last = keys.length < limit ? undefined : keys.at(-1)
    const after = last === undefined ? bounds.after : ([last.occurred_at, last.seq] as const)
    const found = await keysOfApp(db, { ...scope, reviews: markets }, filter, limit, {
      ...bounds,
      after,
    })
    keys = [...keys, ...found].sort(byNewest).slice(0, limit)
    if (scopes.length > 1) await setImmediate()
  }
  return keys
}

type Market = Pick<AppScope, 'store' | 'appId'> & { readonly reviews: readonly string[] }

async function keysOfApp(
  db: Connection,
  { store, appId, reviews }: Market,
  filter: AccountFilter,
  limit: number,
  { before, after }: ReturnType<typeof boundsOf>,
): Promise<FeedKeyRow[]> {
  const values: Value[] = [store, appId, ...before, ...after, ...reviews]
  const markets = reviews.map((_, index) => `?${7 + index}`).join(', ')
  const facets = bothWhere(facetWhere(filter.accountId, filter, values.length + 1), (from) =>
    answerWhere(filter.answer, filter.accountId, 'sqlite', values.length + from),
  )
  const where = `r.store = ?1 and r.app_id = ?2 and (r.occurred_at, r.seq) < (?3, ?4)
    and (r.occurred_at, r.seq) > (?5, ?6) and r.market in (${markets}) and ${facets.sql}`
  const newestOf = (take: number) =>
    db.all<FeedKeyRow>(
      `select r.occurred_at, r.seq from reviews r indexed by reviews_app where ${where}
       order by r.occurred_at desc, r.seq desc limit ${take}`,
      ...values,
      ...facets.values,
    )
  const text = textWhere(filter.text, TEXTS, 1)
  if (text.sql === '') return newestOf(limit)

  const matching = (seqs: readonly number[]) =>
    db.all<FeedKeyRow>(
      `select r.occurred_at, r.seq from json_each(?${text.values.length + 1}) j
       cross join reviews r on r.seq = j.value where ${text.sql}`,
      ...text.values,
      JSON.stringify(seqs),
    )
  // Most searches have enough matches among the newest texts. The others read all texts.
  const newest = newestOf(TEXTS_AT_ONCE)
  const found = matching(newest.map(({ seq }) => seq))
  if (found.length < limit && newest.length === TEXTS_AT_ONCE) {
    const { seqs = '[]' } =
      db.get<{ seqs: string }>(
        `select json_group_array(seq order by seq) as seqs from (
           select r.seq from reviews r indexed by reviews_app where ${where}
           order by r.occurred_at desc, r.seq desc limit -1 offset ${TEXTS_AT_ONCE})`,
        ...values,
        ...facets.values,
      ) ?? {}
    const rest = parsed<number[]>(seqs)
    for (let from = 0; from < rest.length; from += TEXTS_AT_ONCE) {
      await setImmediate()
      found.push(...matching(rest.slice(from, from + TEXTS_AT_ONCE)))
    }
  }
  return found.sort(byNewest).slice(0, limit)
}

function rowsOf(db: Connection, accountId: string, keys: readonly FeedKeyRow[]): RecordRow[] {
  return db.all<RecordRow>(
    `select ${RECORD_COLUMNS} from json_each(?1) j cross join reviews r on r.seq = j.value
     ${joinedTo('?2')} order by j.key`,
    JSON.stringify(keys.map(({ seq }) => seq)),
    accountId,
  )
}
