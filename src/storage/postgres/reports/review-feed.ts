import type { ReportStorage, ReviewCursor, ReviewFilter } from '../../port/reports.ts'
import { answerWhere, bothWhere } from '../../tables/reports/answer-where.ts'
import {
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
import { runAsync } from '../../work.ts'
import type { Database, Value } from '../connect.ts'

const TEXTS: TextDialect = { like: 'ilike', enriched: (field) => `(r.enrichment::jsonb ->> '${field}')` }

export function reviewFeed(db: Database): Pick<ReportStorage, 'reviews' | 'countReviews'> {
  return {
    async reviews(accountId, filter, { limit, before }) {
      // One more than the page size, to detect a next page.
      const newest = newestOf(accountId, await runAsync(db, scopesIn(accountId)), filter, before, limit + 1)
      if (newest === null) return { reviews: [], next: null }
      const rows = await db.all<RecordRow & FeedKeyRow>(
        `select k.occurred_at, ${RECORD_COLUMNS} from (${newest.sql}) k join reviews r on r.seq = k.seq
         ${joinedTo(`?${newest.values.length + 1}`)} order by k.occurred_at desc, k.seq desc limit ?6`,
        ...newest.values,
        accountId,
      )
      const page = rows.slice(0, limit)
      const last = page.at(-1)
      return {
        reviews: await runAsync(db, recordsOf(accountId, page)),
        next: rows.length > limit && last !== undefined ? cursorOf(last) : null,
      }
    },

    async countReviews(accountId, filter, max) {
      const newest = newestOf(accountId, await runAsync(db, scopesIn(accountId)), filter, null, max)
      if (newest === null) return 0
      const row = await db.get<{ count: number }>(
        `select count(*) as count from (select 1 from (${newest.sql}) k limit ?6) matching`,
        ...newest.values,
      )
      return row?.count ?? 0
    },
  }
}

/**
 * A query for the newest matching keys of each app, with the sixth value as the limit; null when no app or market
 * matches. Differs from sqlite: one statement that reads the newest reviews of each app from the same index.
 */
function newestOf(
  accountId: string,
  scopes: readonly AppScope[],
  filter: ReviewFilter,
  before: ReviewCursor | null,
  limit: number,
): { readonly sql: string; readonly values: Value[] } | null {
  const wanted = scopesWithin(scopes, filter).flatMap((scope) =>
    marketsWithin(scope, filter).map((market) => ({ store: scope.store, appId: scope.appId, market })),
  )
  if (wanted.length === 0) return null
  const bounds = boundsOf(filter, before)
  const values: Value[] = [
    wanted.map(({ store }) => store),
    wanted.map(({ appId }) => appId),
    wanted.map(({ market }) => market),
    ...bounds.before,
    limit,
    ...bounds.after,
  ]
  const facets = bothWhere(facetWhere(accountId, filter, values.length + 1), (from) =>
    answerWhere(filter.answer, accountId, 'postgres', values.length + from),
  )
  const text = textWhere(filter.text, TEXTS, values.length + facets.values.length + 1)
  const sql = `select found.occurred_at, found.seq from (
      select distinct store, app_id from unnest(?1::text[], ?2::text[]) as w (store, app_id)
    ) app
    cross join lateral (
      select r.seq, r.occurred_at from reviews r
      where r.store = app.store and r.app_id = app.app_id and (r.occurred_at, r.seq) < (?4::bigint, ?5::bigint)
        and (r.occurred_at, r.seq) > (?7::bigint, ?8::bigint)
        and (r.store, r.app_id, r.market) in (select * from unnest(?1::text[], ?2::text[], ?3::text[]))
        and ${facets.sql} and ${text.sql || 'true'}
      order by r.occurred_at desc, r.seq desc limit ?6
    ) found`
  return { sql, values: [...values, ...facets.values, ...text.values] }
}
