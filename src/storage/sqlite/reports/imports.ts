import type { Review } from '../../../model/review.ts'
import { copiesOf, importPlanOf, privateOf } from '../../imports/import-plan.ts'
import type { ImportStorage } from '../../port/imports.ts'
import { scopesWithin } from '../../tables/reports/review-where.ts'
import { scopesIn } from '../../tables/reports/scope.ts'
import { hexOf, msOf } from '../../values.ts'
import { runSync } from '../../work.ts'
import type { Connection } from '../connect.ts'
import { contentHashesOf, upsertReviews } from '../feeds/reviews.ts'

export function importStorage(db: Connection): ImportStorage {
  return {
    add: async (accountId, reviews, now, queue) =>
      db.transaction(() => {
        const storedHashes = contentHashesOf(
          db,
          reviews.map((review) => privateOf(accountId, review).fingerprint),
        )
        const plan = importPlanOf(accountId, reviews, visibleOf(db, accountId, reviews), storedHashes)
        upsertReviews(db, plan.toStore, storedHashes, { polledAt: now }, { readyAt: now, enrich: queue })
        const markets = new Map(reviews.map((review) => [JSON.stringify(placeOf(review)), placeOf(review)]))
        for (const place of markets.values()) {
          db.run(
            `insert into imports (account_id, store, app_id, market, imported_at) values (?, ?, ?, ?, ?)
             on conflict (account_id, store, app_id, market) do update set imported_at = excluded.imported_at`,
            accountId,
            ...place,
            msOf(now),
          )
        }
        return plan.counts
      }),
  }
}

/** Deletes imported copies of reviews that the store now shows. */
export function deleteCopies(db: Connection, reviews: readonly Review[]): void {
  const [first] = reviews
  if (first === undefined) return
  const accountIds = db
    .all<{ account_id: string }>(
      'select account_id from imports where store = ? and app_id = ? and market = ?',
      ...placeOf(first),
    )
    .map(({ account_id }) => account_id)
  if (accountIds.length === 0) return
  db.run(
    'delete from reviews where fingerprint in (select unhex(value) from json_each(?))',
    JSON.stringify(copiesOf(accountIds, reviews)),
  )
}

function placeOf({ store, appId, market }: Review): [store: string, appId: string, market: string] {
  return [store, appId, market]
}

function visibleOf(db: Connection, accountId: string, reviews: readonly Review[]): Set<string> {
  const scopes = runSync(db, scopesIn(accountId))
  return new Set(
    db
      .all<{ fingerprint: Uint8Array; store: 'apple' | 'google'; app_id: string; market: string }>(
        `select fingerprint, store, app_id, market from reviews
         where fingerprint in (select unhex(value) from json_each(?))`,
        JSON.stringify(reviews.map(({ fingerprint }) => fingerprint)),
      )
      .filter(({ store, app_id, market }) =>
        scopesWithin(scopes, { store, appId: app_id }).some(({ markets }) =>
          markets.reviews.includes(market),
        ),
      )
      .map(({ fingerprint }) => hexOf(fingerprint)),
  )
}
