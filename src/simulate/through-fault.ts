import type { Fault } from './fault.ts'
import { shownAtOf, type WorldReview } from './world.ts'

/** The reviews as a store with this fault shows them. */
export function throughFault(reviews: readonly WorldReview[], fault: Fault | null): readonly WorldReview[] {
  switch (fault?.kind) {
    case 'malformed_rows':
      return reviews.map((review) =>
        fault.reviewIds.includes(review.id) ? { ...review, rating: 0 } : review,
      )
    case 'frozen':
      return reviews.filter((review) => shownAtOf(review) <= fault.at)
    case 'unsorted':
      return [...reviews].reverse()
    default:
      return reviews
  }
}
