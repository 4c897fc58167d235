import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReviewDetail } from '../../../src/contract/v1/reviews.ts'
import { dropReview, eraseReview } from '../../data/reviews.ts'
import { useSession } from '../../data/session.ts'
import { reviewTexts } from '../../messages/reviews.tsx'
import { confirmDestructive, notifyDone, notifyFailed } from '../../ui/confirm.tsx'
import { useReviewSelection } from '../review-selection/selection.tsx'

/** The operator erases any review, an owner of an account its own copies. */
export function EraseReview({
  review,
  onErased,
}: {
  readonly review: ReviewDetail
  /** Leaves the review, which can no longer be read. */
  readonly onErased: () => void | Promise<void>
}) {
  const { role, operator } = useSession()
  const queryClient = useQueryClient()
  const selection = useReviewSelection()
  const erase = useMutation({
    mutationFn: () => eraseReview(review.fingerprint),
    onSuccess: async () => {
      notifyDone(reviewTexts.erased)
      selection?.drop(review.fingerprint)
      await onErased()
      dropReview(queryClient, review.fingerprint)
    },
    onError: notifyFailed,
  })
  if (role !== 'owner' || (review.source === 'public' && !operator)) return null
  const ask = () =>
    confirmDestructive({
      title: reviewTexts.eraseTitle,
      consequence: reviewTexts.eraseNote,
      verb: reviewTexts.erase,
      onConfirm: () => erase.mutate(),
    })
  return (
    <Button variant="default" size="xs" loading={erase.isPending} onClick={ask}>
      {reviewTexts.erase}
    </Button>
  )
}
