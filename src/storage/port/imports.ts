import type { Review } from '../../model/review.ts'

/** `known`: the account sees the review already, with the same content or from the store. */
export type ImportCounts = { readonly added: number; readonly replaced: number; readonly known: number }

/**
 * Reviews that an account brings itself. Only that account sees them, and no event is made of them. When a store shows one of
 * them in the same market, the store's takes its place (`FeedStorage.commitReviews`).
 */
export type ImportStorage = {
  /** Reviews with the store's markets and fingerprints; `queue`: they wait for enrichment after all others. */
  readonly add: (
    accountId: string,
    reviews: readonly Review[],
    now: Date,
    queue: boolean,
  ) => Promise<ImportCounts>
}
