import type { Review } from '../../model/review.ts'
import type { Instant } from '../../runtime/instant.ts'

/** `known`: the account already sees the review, with the same content or from the store. */
export type ImportCounts = { readonly added: number; readonly replaced: number; readonly known: number }

/**
 * Reviews that an account imports. Only that account sees them, and they create no events. When a store returns one of
 * them in the same market, the review of the store replaces it (`FeedStorage.commitReviews`).
 */
export type ImportStorage = {
  /** The reviews have markets and fingerprints of the store. `queue`: queues them for enrichment, after all others. */
  readonly add: (
    accountId: string,
    reviews: readonly Review[],
    now: Instant,
    queue: boolean,
  ) => Promise<ImportCounts>
}
