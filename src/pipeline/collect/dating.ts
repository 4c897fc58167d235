import type { Review } from '../../model/review.ts'
import type { LeasedFeed } from '../../storage/port/feeds.ts'
import type { AppStore, Pace, Trouble } from '../appstores/appstore.ts'

/** Requests for the history of edited reviews in one visit (chosen: as many as a page's share of edits, twice). */
const HISTORY_REQUESTS_MAX = 20

export type Dating = {
  /**
   * The review dated by its first version, or null when that is not known now: it is left unseen, so that the next
   * visit dates it.
   */
  readonly date: (review: Review) => Promise<Review | null>
  /** A review was left out that a later visit can date. */
  readonly incomplete: () => boolean
  /** The store told us to go away while we asked: nothing more is asked. */
  readonly blocked: () => Trouble | null
}

/**
 * Dates reviews that a feed has not seen before (DESIGN 5.2): an old review edited today is not a new one. Only one
 * that is marked as edited and shown since `forwardFromMs` is worth asking the store about.
 */
export function createDating(
  appStore: AppStore,
  feed: LeasedFeed,
  forwardFromMs: number,
  pace: Pace,
  signal: AbortSignal,
): Dating {
  let asked = 0
  let incomplete = false
  let blocked: Trouble | null = null
  return {
    incomplete: () => incomplete,
    blocked: () => blocked,
    async date(review) {
      if (review.edited !== true || review.shownAt.getTime() < forwardFromMs) return review
      if (asked >= HISTORY_REQUESTS_MAX || blocked !== null || signal.aborted) {
        incomplete = true
        return null
      }
      asked += 1
      const query = { appId: feed.appId, market: feed.market, reviewId: review.reviewId }
      const first = await appStore.firstPublishedAt(query, pace, signal)
      if (first === null) return review
      if (first instanceof Date) {
        // A first version later than the last would be a mistake of the store's.
        return { ...review, occurredAt: new Date(Math.min(first.getTime(), review.shownAt.getTime())) }
      }
      if (first.kind === 'blocked') blocked = first
      // A history we cannot read stays unreadable until we are mended: walking on for it would only burden the store.
      if (first.kind !== 'changed') incomplete = true
      return null
    },
  }
}
