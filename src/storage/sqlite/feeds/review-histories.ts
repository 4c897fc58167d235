import { publicMarketOf } from '../../../model/market.ts'
import type { ReviewHistoryStorage } from '../../port/review-histories.ts'
import {
  type DueHistoryRow,
  dueHistory,
  HISTORY_COLUMNS,
  type HistoryRow,
  historyOf,
  leasedHistoryOf,
} from '../../sources/history-rows.ts'
import { SOURCE_COLUMNS, type SourceRow, seenRowsOf } from '../../sources/source-rows.ts'
import { dateOf, dateOrNull, hexOf, msOf, msOrNull } from '../../values.ts'
import type { Connection } from '../connect.ts'
import { knownOf } from './review-sources.ts'
import { upsertReviews } from './reviews.ts'

export function reviewHistoryStorage(db: Connection): ReviewHistoryStorage {
  return {
    start: async (accountId, { store, appId }, now) =>
      db.run(
        `insert into review_histories (source_id, state, started_at, updated_at, next_at)
         select id, 'running', ?4, ?4, 0 from review_sources
         where account_id = ?1 and store = ?2 and app_id = ?3 and state = 'official'
         on conflict (source_id) do update set state = 'running', updated_at = excluded.updated_at, next_at = 0, failures = 0,
           problem = null,
           started_at = iif(state = 'done', excluded.started_at, started_at),
           page_cursor = iif(state = 'done', null, page_cursor),
           reviews = iif(state = 'done', 0, reviews), added = iif(state = 'done', 0, added),
           known = iif(state = 'done', 0, known), ratings_only = iif(state = 'done', 0, ratings_only),
           malformed = iif(state = 'done', 0, malformed), progress_done = iif(state = 'done', null, progress_done),
           progress_total = iif(state = 'done', null, progress_total)`,
        accountId,
        store,
        appId,
        msOf(now),
      ) > 0,

    stop: async (accountId, { store, appId }, now) =>
      db.run(
        `update review_histories set state = 'stopped', next_at = null, lease = null, updated_at = ?4
         where state = 'running' and source_id in (
           select id from review_sources where account_id = ?1 and store = ?2 and app_id = ?3)`,
        accountId,
        store,
        appId,
        msOf(now),
      ) > 0,

    list: async (accountId) =>
      db
        .all<HistoryRow>(
          `select s.store, s.app_id, ${HISTORY_COLUMNS} from review_histories h join review_sources s on s.id = h.source_id
           where s.account_id = ? order by s.store, s.app_id`,
          accountId,
        )
        .map(historyOf),

    claim: async ({ now, lease, leaseMs }) => {
      const due = 'select 1 from review_histories where next_at <= ? limit 1'
      if (db.get(due, msOf(now)) === undefined) return null
      return db.transaction(() => {
        const row = db.get<DueHistoryRow>(dueHistory('?'), msOf(now))
        if (row === undefined) return null
        db.run(
          'update review_histories set next_at = ?, lease = ? where source_id = ?',
          msOf(now) + leaseMs,
          lease,
          row.source_id,
        )
        return leasedHistoryOf(row, lease)
      })
    },

    commit: async (page, fetched, enrich, decide) =>
      db.transaction(() => {
        const row = db.get<SourceRow>(
          `select ${SOURCE_COLUMNS} from review_sources s join review_histories h on h.source_id = s.id
           where s.id = ? and h.lease = ? and s.state = 'official'`,
          page.sourceId,
          page.lease,
        )
        if (row === undefined) return false
        const fingerprints = fetched.map(({ review }) => review.fingerprint)
        const known = knownOf(db, row, fetched)
        const { seen, toStore } = decide({
          ...known,
          publicUntil: dateOrNull(row.public_until),
          shownAt: shownAtOf(db, fingerprints),
        })
        for (const { key, reviewId } of seenRowsOf(seen)) {
          db.run(
            `insert into official_seen (source_id, review_key, review_id, public_seq) values (?, ?, ?, ?)
             on conflict do nothing`,
            row.id,
            key,
            reviewId,
            row.public_seq ?? 0,
          )
        }
        upsertReviews(db, toStore, known.contentHashes, { polledAt: page.at }, { readyAt: page.at, enrich })
        for (const market of new Set(toStore.map((review) => publicMarketOf(review.market)))) {
          db.run(
            `insert into imports (account_id, store, app_id, market, imported_at) values (?, ?, ?, ?, ?)
             on conflict (account_id, store, app_id, market) do nothing`,
            row.account_id,
            row.store,
            row.app_id,
            market,
            msOf(page.at),
          )
        }
        const added = toStore.filter((review) => !known.contentHashes.has(review.fingerprint)).length
        db.run(
          `update review_histories set state = ?1, next_at = ?2, lease = null, page_cursor = ?3, updated_at = ?4,
             reviews = reviews + ?5, added = added + ?6, known = known + ?5 - ?6, ratings_only = ratings_only + ?7,
             malformed = malformed + ?8, progress_done = coalesce(?9, progress_done),
             progress_total = coalesce(?10, progress_total), failures = 0, problem = null where source_id = ?11`,
          page.next === null ? 'done' : 'running',
          msOrNull(page.next === null ? null : page.nextAt),
          page.next,
          msOf(page.at),
          fetched.length,
          added,
          page.ratingsOnly,
          page.malformed,
          page.progress?.done ?? null,
          page.progress?.total ?? null,
          row.id,
        )
        return true
      }),

    fail: async ({ sourceId, lease, at }, problem, nextAt, fromStart) => {
      db.run(
        `update review_histories set state = ?1, next_at = ?2, lease = null, failures = failures + 1, problem = ?3,
           updated_at = ?4, page_cursor = iif(?5, null, page_cursor) where source_id = ?6 and lease = ?7`,
        nextAt === null ? 'failed' : 'running',
        msOrNull(nextAt),
        problem,
        msOf(at),
        fromStart ? 1 : 0,
        sourceId,
        lease,
      )
    },
  }
}

function shownAtOf(db: Connection, fingerprints: readonly string[]): ReadonlyMap<string, Date> {
  const rows = db.all<{ fingerprint: Uint8Array; shown_at: number }>(
    'select fingerprint, shown_at from reviews where fingerprint in (select unhex(value) from json_each(?))',
    JSON.stringify(fingerprints),
  )
  return new Map(rows.map((row) => [hexOf(row.fingerprint), dateOf(row.shown_at)]))
}
