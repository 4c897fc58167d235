import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { destinations } from '../../data/destinations.ts'
import { inboxTexts } from '../../messages/start.tsx'
import { notifyDone, notifyFailed } from '../../ui/confirm.tsx'

/** Sends a test event to a destination. `onSent` runs after the attempt, whether accepted or not. */
export function TestButton({
  destinationId,
  onSent,
}: {
  readonly destinationId: string
  readonly onSent?: () => Promise<void>
}) {
  const queryClient = useQueryClient()
  const test = useMutation({
    mutationFn: () => destinations.test(destinationId, 'review.created'),
    onSuccess: async () => {
      for (const key of ['inbox', 'destination', 'overview']) {
        await queryClient.invalidateQueries({ queryKey: [key] })
      }
      notifyDone(inboxTexts.testSent)
      await onSent?.()
    },
    onError: notifyFailed,
  })
  return (
    <Button loading={test.isPending} onClick={() => test.mutate()}>
      {inboxTexts.sendTest}
    </Button>
  )
}
