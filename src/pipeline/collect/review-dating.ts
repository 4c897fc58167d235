import type { Review } from '../../model/review.ts'
import type { LeasedFeed } from '../../storage/port/feeds.ts'
import type { AppStore, Pace, StoreFailure } from '../appstores/appstore.ts'

/** Requests for the history of edited reviews in one poll (chosen: as many as a page's share of edits, twice). */
const HISTORY_REQUESTS_MAX = 20

export type ReviewDating = {
  /**
   * The review dated by its first version, or null when that is unknown: it stays unseen, so that the next poll dates it.
   */
  readonly date: (review: Review) => Promise<Review | null>
  /** Whether a review was left out that a later poll can date. */
  readonly incomplete: () => boolean
  /** The failure when the store blocked a request; no further requests are made. */
  readonly blocked: () => StoreFailure | null
}

/**
 * Dates reviews that a feed has not seen before (docs/contract.md, Forward-looking): an old review edited today is not a new one. A
 * request is made only for a review that is marked as edited and shown since `forwardFromMs`.
 */
export function createReviewDating(
  appStore: AppStore,
  feed: LeasedFeed,
  forwardFromMs: number,
  pace: Pace,
  signal: AbortSignal,
): ReviewDating {
  let requests = 0
  let incomplete = false
  let blocked: StoreFailure | null = null
  return {
    incomplete: () => incomplete,
    blocked: () => blocked,
    async date(review) {
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
        // Never later than the last version, whatever the store says.
        return { ...review, occurredAt: new Date(Math.min(first.getTime(), review.shownAt.getTime())) }
      }
      if (first.kind === 'blocked') blocked = first
      // An unreadable history stays unreadable until the parser is fixed: longer walks would not help.
      if (first.kind !== 'changed') incomplete = true
      return null
    },
  }
}
