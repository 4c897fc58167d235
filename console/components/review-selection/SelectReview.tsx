import { Checkbox } from '@mantine/core'
import type { ReviewRow } from '../../../src/contract/v1/reviews.ts'
import { reviewTexts, selectionTexts } from '../../messages/reviews.tsx'
import { useMayChange } from '../MayChange.tsx'
import { useReviewSelection } from './selection.tsx'

/** Selects a review in a list with selection; nothing elsewhere. With Shift, all between it and the one before. */
export function SelectReview({ review }: { readonly review: ReviewRow }) {
  const selection = useReviewSelection()
  const mayChange = useMayChange()
  if (selection === null || !mayChange) return null
  return (
    <Checkbox
      size="sm"
      aria-label={selectionTexts.select(reviewTexts.author(review.author), review.title ?? review.body)}
      checked={selection.has(review.fingerprint)}
      onChange={(event) => {
        const { nativeEvent } = event
        selection.toggle(review, 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true)
      }}
    />
  )
}
