import type { Review } from '../../model/review.ts'
import type { LeasedFeed } from '../../storage/port/feeds.ts'
import type { AppStore, Pace, StoreFailure } from '../appstores/appstore.ts'

/** History requests for edited reviews in one poll: twice the usual number of edited reviews on a page. */
const HISTORY_REQUESTS_MAX = 20

export type ReviewDating = ReturnType<typeof createReviewDating>

/**
 * Dates reviews that a feed has not seen before: an old review edited today is not new (docs/contract.md,
 * Forward-looking). Requests the history only of a review that is marked as edited and dated since `forwardFromMs`.
 */
export function createReviewDating(
  appStore: AppStore,
  feed: LeasedFeed,
  forwardFromMs: number,
  pace: Pace,
  signal: AbortSignal,
) {
  let requests = 0
  let incomplete = false
  let blocked: StoreFailure | null = null
  return {
    /** Whether a review was left out that a later poll can date. */
    incomplete: (): boolean => incomplete,
    /** The failure when the store blocked a request. No further requests are made. */
    blocked: (): StoreFailure | null => blocked,
    /**
     * The review dated by its first version. Null when that is unknown: the review stays unseen, so that the next poll
     * retries.
     */
    async date(review: Review): Promise<Review | null> {
      if (review.edited !== true || review.shownAt.getTime() < forwardFromMs) return review
      if (requests >= HISTORY_REQUESTS_MAX || blocked !== null || signal.aborted) {
        incomplete = true
        return null
      }
      requests += 1
      const query = { appId: feed.appId, market: feed.market, reviewId: review.reviewId }
      const first = await appStore.firstPublishedAt(query, pace, signal)
      if (first === null) return review
      if (first instanceof Date) {
        // Never later than the last version.
        return { ...review, occurredAt: new Date(Math.min(first.getTime(), review.shownAt.getTime())) }
      }
      if (first.kind === 'blocked') blocked = first
      // An unreadable history stays unreadable until the parser is fixed, so reading more pages would not help.
      if (first.kind !== 'changed') incomplete = true
      return null
    },
  }
}
