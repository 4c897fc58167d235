import type { StoreReview } from './review.ts'

/** With fewer reviews the order proves nothing: 15 in an arbitrary order pass by chance once in 40 million times. */
export const ORDERED_REVIEWS_MIN = 15
/** Reviews can move while the store builds the page. */
const RISING_SHARE_MAX = 0.1

/**
 * Null when the page is newest first, as all recorded ones are that were asked for so (2018 to 2026); otherwise a sentence. Stopping at a
 * page of known reviews requires that order.
 */
export function orderProblem(reviews: readonly Pick<StoreReview, 'shownAt'>[]): string | null {
  if (reviews.length < ORDERED_REVIEWS_MIN) return null
  const rising = reviews.filter((review, index) => {
    const before = reviews[index - 1]
    return before !== undefined && review.shownAt.getTime() > before.shownAt.getTime()
  })
  return rising.length > reviews.length * RISING_SHARE_MAX ? 'the reviews are not newest first' : null
}
