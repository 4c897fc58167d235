import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type BulkAction, destinations } from '../../data/destinations.ts'
import { bulkTexts, commonTexts } from '../../messages/common.ts'
import { destinationTexts } from '../../messages/destinations.tsx'
import { notifyDone, notifyFailed } from '../../ui/confirm.tsx'
import { BulkBar } from '../../ui/table/BulkBar.tsx'
import { bulkSummary } from '../bulk-summary.ts'

const DONE: Readonly<Record<BulkAction, string>> = {
  pause: bulkTexts.paused,
  resume: bulkTexts.resumed,
  retry: bulkTexts.retried,
}

/** Pauses, resumes or retries the selected destinations. */
export function DestinationBulk({
  ids,
  onClear,
}: {
  readonly ids: readonly string[]
  readonly onClear: () => void
}) {
  const queryClient = useQueryClient()
  const act = useMutation({
    mutationFn: (action: BulkAction) => destinations.bulk(ids, action),
    onSuccess: async (result, action) => {
      notifyDone(bulkSummary(result, ids.length, DONE[action]))
      onClear()
      await queryClient.invalidateQueries({ queryKey: ['destinations'] })
      await queryClient.invalidateQueries({ queryKey: ['overview'] })
    },
    onError: notifyFailed,
  })
  const button = (action: BulkAction, label: string) => (
    <Button
      size="compact-sm"
      variant="default"
      loading={act.isPending && act.variables === action}
      disabled={act.isPending}
      onClick={() => act.mutate(action)}
    >
      {label}
    </Button>
  )
  return (
    <BulkBar count={ids.length} hint={destinationTexts.bulkHint} onClear={onClear}>
      {button('pause', commonTexts.pause)}
      {button('resume', commonTexts.resume)}
      {button('retry', destinationTexts.retryPending)}
    </BulkBar>
  )
}
