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
import { bytesOf, dateOf, dateOrNull, hexOf, msOf, msOrNull } from '../../values.ts'
import type { Database, Transaction } from '../connect.ts'
import { lockFeedsOf } from './coverage.ts'
import { knownOf } from './review-sources.ts'
import { upsertReviews } from './reviews.ts'

export function reviewHistoryStorage(db: Database): ReviewHistoryStorage {
  return {
    start: async (accountId, { store, appId }, now) =>
      (await db.run(
        `insert into review_histories as h (source_id, state, started_at, updated_at, next_at)
         select id, 'running', $4::bigint, $4::bigint, 0 from review_sources
         where account_id = $1 and store = $2 and app_id = $3 and state = 'official'
         on conflict (source_id) do update set state = 'running', updated_at = excluded.updated_at, next_at = 0, failures = 0,
           problem = null,
           started_at = case when h.state = 'done' then excluded.started_at else h.started_at end,
           page_cursor = case when h.state = 'done' then null else h.page_cursor end,
           reviews = case when h.state = 'done' then 0 else h.reviews end,
           added = case when h.state = 'done' then 0 else h.added end,
           known = case when h.state = 'done' then 0 else h.known end,
           ratings_only = case when h.state = 'done' then 0 else h.ratings_only end,
           malformed = case when h.state = 'done' then 0 else h.malformed end,
           progress_done = case when h.state = 'done' then null else h.progress_done end,
           progress_total = case when h.state = 'done' then null else h.progress_total end`,
        accountId,
        store,
        appId,
        msOf(now),
      )) > 0,

    stop: async (accountId, { store, appId }, now) =>
      (await db.run(
        `update review_histories set state = 'stopped', next_at = null, lease = null, updated_at = $4
         where state = 'running' and source_id in (
           select id from review_sources where account_id = $1 and store = $2 and app_id = $3)`,
        accountId,
        store,
        appId,
        msOf(now),
      )) > 0,

    list: async (accountId) =>
      (
        await db.all<HistoryRow>(
          `select s.store, s.app_id, ${HISTORY_COLUMNS} from review_histories h join review_sources s on s.id = h.source_id
           where s.account_id = $1 order by s.store, s.app_id`,
          accountId,
        )
      ).map(historyOf),

    claim: async ({ now, lease, leaseMs }) => {
      const due = await db.get('select 1 from review_histories where next_at <= $1 limit 1', msOf(now))
      if (due === undefined) return null
      return db.transaction(async (tx) => {
        const row = await tx.get<DueHistoryRow>(`${dueHistory('$1')} for update of h skip locked`, msOf(now))
        if (row === undefined) return null
        await tx.run(
          'update review_histories set next_at = $1, lease = $2 where source_id = $3',
          msOf(now) + leaseMs,
          lease,
          row.source_id,
        )
        return leasedHistoryOf(row, lease)
      })
    },

    commit: (page, fetched, enrich, decide) =>
      db.transaction(async (tx) => {
        const app = await tx.get<Pick<SourceRow, 'store' | 'app_id'>>(
          'select store, app_id from review_sources where id = $1',
          page.sourceId,
        )
        if (app === undefined) return false
        // Differs from sqlite: polls of the app wait for this commit. Locks are taken in the order of polls.
        await lockFeedsOf(tx, [{ store: app.store, appId: app.app_id }])
        const row = await tx.get<SourceRow>(
          `select ${SOURCE_COLUMNS} from review_sources s join review_histories h on h.source_id = s.id
           where s.id = $1 and h.lease = $2 and s.state = 'official' for update`,
          page.sourceId,
          page.lease,
        )
        if (row === undefined) return false
        const fingerprints = fetched.map(({ review }) => review.fingerprint)
        const known = await knownOf(tx, row, fetched)
        const { seen, toStore } = decide({
          ...known,
          publicUntil: dateOrNull(row.public_until),
          shownAt: await shownAtOf(tx, fingerprints),
        })
        const keys = seenRowsOf(seen)
        await tx.run(
          `insert into official_seen (source_id, review_key, review_id, public_seq)
           select $1, v.*, $4::bigint from unnest($2::text[], $3::text[]) as v on conflict do nothing`,
          row.id,
          keys.map(({ key }) => key),
          keys.map(({ reviewId }) => reviewId),
          row.public_seq ?? 0,
        )
        await upsertReviews(
          tx,
          toStore,
          known.contentHashes,
          { polledAt: page.at },
          { readyAt: page.at, enrich },
        )
        await tx.run(
          `insert into imports (account_id, store, app_id, market, imported_at)
           select $1, $2, $3, v.market, $4::bigint from unnest($5::text[]) as v (market)
           on conflict (account_id, store, app_id, market) do nothing`,
          row.account_id,
          row.store,
          row.app_id,
          msOf(page.at),
          [...new Set(toStore.map((review) => publicMarketOf(review.market)))],
        )
        const added = toStore.filter((review) => !known.contentHashes.has(review.fingerprint)).length
        await tx.run(
          `update review_histories set state = $1, next_at = $2, lease = null, page_cursor = $3, updated_at = $4,
             reviews = reviews + $5::integer, added = added + $6::integer, known = known + $5::integer - $6::integer,
             ratings_only = ratings_only + $7, malformed = malformed + $8,
             progress_done = coalesce($9::bigint, progress_done),
             progress_total = coalesce($10::bigint, progress_total), failures = 0, problem = null where source_id = $11`,
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
      await db.run(
        `update review_histories set state = $1, next_at = $2, lease = null, failures = failures + 1, problem = $3,
           updated_at = $4, page_cursor = case when $5::boolean then null else page_cursor end
         where source_id = $6 and lease = $7`,
        nextAt === null ? 'failed' : 'running',
        msOrNull(nextAt),
        problem,
        msOf(at),
        fromStart,
        sourceId,
        lease,
      )
    },
  }
}

async function shownAtOf(
  tx: Transaction,
  fingerprints: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  const rows = await tx.all<{ fingerprint: Uint8Array; shown_at: number }>(
    'select fingerprint, shown_at from reviews where fingerprint = any($1::bytea[])',
    fingerprints.map(bytesOf),
  )
  return new Map(rows.map((row) => [hexOf(row.fingerprint), dateOf(row.shown_at)]))
}
