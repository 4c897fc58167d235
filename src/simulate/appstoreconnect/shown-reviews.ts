import type { Fault } from '../fault.ts'
import { throughFault } from '../through-fault.ts'
import { shownAtOf, type World, type WorldReview } from '../world.ts'
import { ascIdOf } from './review-id.ts'
import { territoryOf } from './territories.ts'

/** A review with what App Store Connect shows of it. */
export type ShownReview = {
  readonly id: string
  readonly appId: string
  readonly publicId: string
  readonly territory: string
  readonly createdAt: Date
  readonly review: WorldReview
}

export function shownReviews(world: World, appId: string, fault: Fault | null): ShownReview[] {
  const { editMovesCreatedDate } = world.official.settings()
  return world.reviewsOfApp({ store: 'apple', appId }).flatMap(({ market, reviews }) =>
    throughFault(reviews, fault)
      // Ratings without a text are not in this API.
      .filter(({ body, title }) => body !== '' || title !== null)
      .map((review) => ({
        id: ascIdOf(appId, review.id),
        appId,
        publicId: review.id,
        territory: territoryOf(market),
        createdAt: editMovesCreatedDate ? shownAtOf(review) : review.publishedAt,
        review,
      })),
  )
}
