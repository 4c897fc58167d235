import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReviewDetail } from '../../../src/contract/v1/reviews.ts'
import { eraseReview } from '../../data/reviews.ts'
import { useSession } from '../../data/session.ts'
import { reviewTexts } from '../../messages/reviews.tsx'
import { confirmDestructive, notifyDone, notifyFailed } from '../../ui/confirm.tsx'

/** The operator erases any review, an owner of an account its own copies. */
export function EraseReview({ review }: { readonly review: ReviewDetail }) {
  const { role, operator } = useSession()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const erase = useMutation({
    mutationFn: () => eraseReview(review.fingerprint),
    onSuccess: async () => {
      notifyDone(reviewTexts.erased)
      await navigate({ to: '/reviews' })
      queryClient.removeQueries({ queryKey: ['review', review.fingerprint] })
      await queryClient.invalidateQueries()
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
