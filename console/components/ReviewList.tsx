import type { Ref } from 'react'
import type { ReviewRow } from '../../src/contract/v1/reviews.ts'
import type { ReviewSearch } from '../data/search.ts'
import { reviewTexts } from '../messages/reviews.tsx'
import { useVirtualRows } from '../ui/table/use-virtual-rows.ts'
import { ReviewCard } from './ReviewCard.tsx'

const CARD_HEIGHT_PX = 190

/** Review cards. Only those near the visible part of the page are in it. */
export function ReviewList({
  reviews,
  filters,
  complete,
  ref,
}: {
  readonly reviews: readonly ReviewRow[]
  /** Whether there are no further pages. */
  readonly complete: boolean
  readonly filters: ReviewSearch
  readonly ref: Ref<HTMLDivElement>
}) {
  const { start, items, before, after, measure } = useVirtualRows<HTMLDivElement>(
    reviews.length,
    CARD_HEIGHT_PX,
  )
  return (
    <div ref={ref} role="feed" aria-label={reviewTexts.title}>
      <div ref={start} style={{ paddingTop: before, paddingBottom: after }}>
        {items.map(({ index }) => {
          const review = reviews[index]
          return (
            review !== undefined && (
              <div key={review.fingerprint} ref={measure} data-index={index} style={{ paddingBottom: 16 }}>
                <ReviewCard
                  review={review}
                  within={filters}
                  // -1: the number of all reviews is unknown (WAI-ARIA 1.2, aria-setsize).
                  inFeed={{ position: index + 1, size: complete ? reviews.length : -1 }}
                />
              </div>
            )
          )
        })}
      </div>
    </div>
  )
}
