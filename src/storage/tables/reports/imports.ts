import { privateMarketOf } from '../../../model/market.ts'
import { importFingerprintOf, type Review } from '../../../model/review.ts'
import type { Store } from '../../../model/vocabulary.ts'
import { columns, instant, sha256, text, word } from '../../columns.ts'
import type { ImportCounts, ImportStorage } from '../../port/imports.ts'
import { bytesOf } from '../../values.ts'
import { all, type Db, run, sql, type Work } from '../../work.ts'
import { erasedAmong } from '../feeds/erasures.ts'
import { contentHashesOf, upsertReviews } from '../feeds/reviews.ts'
import { scopesWithin } from './review-where.ts'
import { scopesIn } from './scope.ts'

export function importStorage(db: Db): ImportStorage {
  return {
    add: (accountId, reviews, now, enrich) =>
      db.transaction(function* () {
        const own = reviews.map((review) => privateOf(accountId, review))
        const held = yield* contentHashesOf(own.map(({ fingerprint }) => fingerprint))
        const visible = yield* visibleOf(accountId, reviews)
        const plan = planOf(accountId, reviews, visible, held, yield* erasedAmong(own))
        yield* upsertReviews(plan.toStore, held, { polledAt: now }, { readyAt: now, enrich })
        yield* insertImports(accountId, reviews, now, 'update set imported_at = excluded.imported_at')
        return plan.counts
      }),
  }
}

const IMPORT = columns({
  accountId: text,
  store: word<Store>(),
  appId: text,
  market: text,
  importedAt: instant,
})

/** The markets in which an account has reviews of its own. `otherwise` follows `on conflict … do`. */
export function insertImports(
  accountId: string,
  reviews: readonly Pick<Review, 'store' | 'appId' | 'market'>[],
  importedAt: Date,
  otherwise: string,
): Work<number> {
  const rows = reviews.map(({ store, appId, market }) => ({ accountId, store, appId, market, importedAt }))
  const distinct = new Map(rows.map((row) => [`${row.store} ${row.appId} ${row.market}`, row]))
  return IMPORT.insertAll(
    'imports',
    [...distinct.values()],
    `on conflict (account_id, store, app_id, market) do ${otherwise}`,
  )
}

const DELETE = sql((d) => `delete from reviews where fingerprint ${d.among('?1', 'bytea')}`)

/** Deletes imported copies of reviews that the store now shows. */
export function* deleteCopies(reviews: readonly Review[]): Work<void> {
  const [first] = reviews
  if (first === undefined) return
  const accounts = yield* all<{ account_id: string }>(
    'select account_id from imports where store = ?1 and app_id = ?2 and market = ?3',
    ...[first.store, first.appId, first.market],
  )
  const copies = accounts.flatMap(({ account_id }) =>
    reviews.map(({ store, appId, reviewId }) => importFingerprintOf(account_id, store, appId, reviewId)),
  )
  if (copies.length > 0) yield* run(DELETE, copies.sort().map(bytesOf))
}

function privateOf(accountId: string, review: Review): Review {
  return {
    ...review,
    market: privateMarketOf(review.market, accountId),
    fingerprint: importFingerprintOf(accountId, review.store, review.appId, review.reviewId),
  }
}

/**
 * The reviews to store, with the private market and fingerprint. `visible`: fingerprints of the store's reviews that the account sees.
 * `held`: content hashes of its private reviews. `erased`: private fingerprints of erased reviews, which count as known.
 */
function planOf(
  accountId: string,
  reviews: readonly Review[],
  visible: ReadonlySet<string>,
  held: ReadonlyMap<string, string>,
  erased: ReadonlySet<string>,
): { readonly toStore: readonly Review[]; readonly counts: ImportCounts } {
  const unseen = reviews.filter(({ fingerprint }) => !visible.has(fingerprint))
  const own = [
    ...new Map(unseen.map((review) => [review.fingerprint, privateOf(accountId, review)])).values(),
  ]
  const toStore = own.filter(
    ({ fingerprint, contentHash }) => !erased.has(fingerprint) && held.get(fingerprint) !== contentHash,
  )
  const replaced = toStore.filter(({ fingerprint }) => held.has(fingerprint)).length
  const added = toStore.length - replaced
  return { toStore, counts: { added, replaced, known: reviews.length - toStore.length } }
}

const STORED = columns({ fingerprint: sha256, store: word<Store>(), appId: text, market: text })
const STORED_AMONG = sql((d) => `from reviews where fingerprint ${d.among('?1', 'bytea')}`)

function* visibleOf(accountId: string, reviews: readonly Review[]): Work<Set<string>> {
  const scopes = yield* scopesIn(accountId)
  const stored = yield* STORED.all(
    STORED_AMONG,
    reviews.map(({ fingerprint }) => bytesOf(fingerprint)),
  )
  const visible = stored.filter(({ store, appId, market }) =>
    scopesWithin(scopes, { store, appId }).some(({ markets }) => markets.reviews.includes(market)),
  )
  return new Set(visible.map(({ fingerprint }) => fingerprint))
}
