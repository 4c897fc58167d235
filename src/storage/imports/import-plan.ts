import { privateMarketOf } from '../../model/market.ts'
import { importFingerprintOf, type Review } from '../../model/review.ts'
import type { ImportCounts } from '../port/imports.ts'

/** The rows of an import, the same on both engines. */
export type ImportPlan = {
  /** The stored form, with the private market and fingerprint. */
  readonly toStore: readonly Review[]
  readonly counts: ImportCounts
}

export function privateOf(accountId: string, review: Review): Review {
  return {
    ...review,
    market: privateMarketOf(review.market, accountId),
    fingerprint: importFingerprintOf(accountId, review.store, review.appId, review.reviewId),
  }
}

/**
 * `visible`: fingerprints of the store's reviews that the account sees. `held`: content hashes of its private reviews.
 */
export function importPlanOf(
  accountId: string,
  reviews: readonly Review[],
  visible: ReadonlySet<string>,
  held: ReadonlyMap<string, string>,
): ImportPlan {
  const unseen = reviews.filter(({ fingerprint }) => !visible.has(fingerprint))
  const own = [
    ...new Map(unseen.map((review) => [review.fingerprint, privateOf(accountId, review)])).values(),
  ]
  const toStore = own.filter(({ fingerprint, contentHash }) => held.get(fingerprint) !== contentHash)
  const replaced = toStore.filter(({ fingerprint }) => held.has(fingerprint)).length
  const added = toStore.length - replaced
  return { toStore, counts: { added, replaced, known: reviews.length - toStore.length } }
}

/** Private copies of a store's reviews, of these accounts with imports in the market. */
export function copiesOf(accountIds: readonly string[], reviews: readonly Review[]): string[] {
  return accountIds.flatMap((accountId) =>
    reviews.map(({ store, appId, reviewId }) => importFingerprintOf(accountId, store, appId, reviewId)),
  )
}
