import type { Review } from '../../../model/review.ts'
import { copiesOf, importPlanOf, privateOf } from '../../imports/import-plan.ts'
import type { ImportStorage } from '../../port/imports.ts'
import { scopesWithin } from '../../tables/reports/review-where.ts'
import { scopesIn } from '../../tables/reports/scope.ts'
import { bytesOf, hexOf, msOf } from '../../values.ts'
import { runAsync } from '../../work.ts'
import type { Database, Queries, Transaction } from '../connect.ts'
import { contentHashesOf, upsertReviews } from '../feeds/reviews.ts'

export function importStorage(db: Database): ImportStorage {
  return {
    add: (accountId, reviews, now, queue) =>
      db.transaction(async (tx) => {
        const storedHashes = await contentHashesOf(
          tx,
          reviews.map((review) => privateOf(accountId, review).fingerprint),
        )
        const visible = await visibleOf(tx, accountId, reviews)
        const plan = importPlanOf(accountId, reviews, visible, storedHashes)
        await upsertReviews(
          tx,
          plan.toStore,
          storedHashes,
          { polledAt: now },
          { readyAt: now, enrich: queue },
        )
        await tx.run(
          `insert into imports (account_id, store, app_id, market, imported_at)
           select distinct $1, v.store, v.app_id, v.market, $2::bigint
           from unnest($3::text[], $4::text[], $5::text[]) as v (store, app_id, market)
           on conflict (account_id, store, app_id, market) do update set imported_at = excluded.imported_at`,
          accountId,
          msOf(now),
          reviews.map(({ store }) => store),
          reviews.map(({ appId }) => appId),
          reviews.map(({ market }) => market),
        )
        return plan.counts
      }),
  }
}

/** Deletes imported copies of reviews that the store now shows. */
export async function deleteCopies(tx: Transaction, reviews: readonly Review[]): Promise<void> {
  const [first] = reviews
  if (first === undefined) return
  const rows = await tx.all<{ account_id: string }>(
    'select account_id from imports where store = $1 and app_id = $2 and market = $3',
    first.store,
    first.appId,
    first.market,
  )
  if (rows.length === 0) return
  const copies = copiesOf(
    rows.map(({ account_id }) => account_id),
    reviews,
  )
  await tx.run('delete from reviews where fingerprint = any($1::bytea[])', copies.sort().map(bytesOf))
}

async function visibleOf(db: Queries, accountId: string, reviews: readonly Review[]): Promise<Set<string>> {
  const scopes = await runAsync(db, scopesIn(accountId))
  const rows = await db.all<{
    fingerprint: Uint8Array
    store: 'apple' | 'google'
    app_id: string
    market: string
  }>(
    'select fingerprint, store, app_id, market from reviews where fingerprint = any($1::bytea[])',
    reviews.map(({ fingerprint }) => bytesOf(fingerprint)),
  )
  return new Set(
    rows
      .filter(({ store, app_id, market }) =>
        scopesWithin(scopes, { store, appId: app_id }).some(({ markets }) =>
          markets.reviews.includes(market),
        ),
      )
      .map(({ fingerprint }) => hexOf(fingerprint)),
  )
}
