import type { Ref } from 'react'
import type { ReviewLine } from '../../src/contract/console/reviews.ts'
import type { ReviewSearch } from '../data/search.ts'
import { useVirtualRows } from '../ui/table/use-virtual-rows.ts'
import { ReviewCard } from './ReviewCard.tsx'

const CARD_HEIGHT_PX = 190

/** Review cards. Only those near the visible part of the page are in it. */
export function ReviewList({
  reviews,
  filters,
  ref,
}: {
  readonly reviews: readonly ReviewLine[]
  readonly filters: ReviewSearch
  readonly ref: Ref<HTMLDivElement>
}) {
  const { start, items, before, after, measure } = useVirtualRows<HTMLDivElement>(
    reviews.length,
    CARD_HEIGHT_PX,
  )
  return (
    <div ref={ref}>
      <div ref={start} style={{ paddingTop: before, paddingBottom: after }}>
        {items.map(({ index }) => {
          const review = reviews[index]
          return (
            review !== undefined && (
              <div key={review.fingerprint} ref={measure} data-index={index} style={{ paddingBottom: 16 }}>
                <ReviewCard review={review} within={filters} />
              </div>
            )
          )
        })}
      </div>
    </div>
  )
}
