import type { Ref } from 'react'
import type { ReviewRow } from '../../src/contract/v1/reviews.ts'
import type { ReviewSearch } from '../data/search.ts'
import { reviewTexts } from '../messages/reviews.tsx'
import { useVirtualRows } from '../ui/table/use-virtual-rows.ts'
import { CompactReview, ReviewCard } from './ReviewCard.tsx'
import { AnswerBadge } from './reply/AnswerBadge.tsx'
import { AnswerInCard } from './reply/AnswerInCard.tsx'
import { SelectReview } from './review-selection/SelectReview.tsx'
import { ReviewTriage } from './triage/ReviewTriage.tsx'

export type RowSize = 'full' | 'compact'

const HEIGHTS_PX = { full: 190, compact: 45 } as const
const GAPS_PX = { full: 16, compact: 0 } as const

/** Reviews as cards or as lines. Only those near the visible part of the page are in it. A change of `rowSize` needs another `key`. */
export function ReviewList({
  reviews,
  filters,
  complete,
  rowSize,
  openReview,
  onOpen,
  ref,
}: {
  readonly reviews: readonly ReviewRow[]
  /** Whether there are no further pages. */
  readonly complete: boolean
  readonly filters: ReviewSearch
  readonly rowSize: RowSize
  /** The fingerprint of the review that is shown beside the list. */
  readonly openReview: string | undefined
  readonly onOpen: (fingerprint: string) => void
  readonly ref: Ref<HTMLDivElement>
}) {
  const { start, items, before, after, measure } = useVirtualRows<HTMLDivElement>(
    reviews.length,
    HEIGHTS_PX[rowSize],
  )
  const Review = rowSize === 'full' ? ReviewCard : CompactReview
  return (
    <div ref={ref} role="feed" aria-label={reviewTexts.title} data-rows={rowSize}>
      <div ref={start} style={{ paddingTop: before, paddingBottom: after }}>
        {items.map(({ index }) => {
          const review = reviews[index]
          return (
            review !== undefined && (
              <div
                key={review.fingerprint}
                ref={measure}
                data-index={index}
                style={{ paddingBottom: GAPS_PX[rowSize] }}
              >
                <Review
                  review={review}
                  within={filters}
                  lead={<SelectReview review={review} />}
                  badges={
                    <>
                      <ReviewTriage review={review} />
                      <AnswerBadge state={review.answer_state} />
                    </>
                  }
                  inFeed={{
                    position: index + 1,
                    // -1: the number of all reviews is unknown (WAI-ARIA 1.2, aria-setsize).
                    size: complete ? reviews.length : -1,
                    isOpen: review.fingerprint === openReview,
                    onOpen: () => onOpen(review.fingerprint),
                  }}
                >
                  {/* The open review has its editor beside the list. */}
                  {rowSize === 'full' && review.fingerprint !== openReview && (
                    <AnswerInCard review={review} />
                  )}
                </Review>
              </div>
            )
          )
        })}
      </div>
    </div>
  )
}
