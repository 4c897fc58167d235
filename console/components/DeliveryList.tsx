import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { DeliveryRow } from '../../src/contract/v1/deliveries.ts'
import { deliveries } from '../data/deliveries.ts'
import { bulkTexts } from '../messages/common.ts'
import { deliveryTexts } from '../messages/deliveries.tsx'
import { notifyDone, notifyFailed } from '../ui/confirm.tsx'
import { BulkBar } from '../ui/table/BulkBar.tsx'
import { selectedIn, useSelection } from '../ui/table/selection.ts'
import type { Sort } from '../ui/table/sort.ts'
import { bulkSummary } from './bulk-summary.ts'
import { DeliveryTable } from './DeliveryTable.tsx'
import { useMayChange } from './MayChange.tsx'

/** The shown deliveries. The selected ones can be retried. */
export function DeliveryList({
  lines,
  ...sorting
}: {
  readonly lines: readonly DeliveryRow[]
  readonly sort: Sort
  readonly onSort: (sort: Sort | undefined) => void
}) {
  const mayChange = useMayChange()
  const selection = useSelection()
  const queryClient = useQueryClient()
  const eventIds = selectedIn(lines, ({ event_id }) => event_id, selection)
  const retry = useMutation({
    mutationFn: () => deliveries.retryEach(eventIds),
    onSuccess: async (result) => {
      notifyDone(bulkSummary(result, eventIds.length, bulkTexts.retried))
      selection.set(new Set())
      await queryClient.invalidateQueries({ queryKey: ['deliveries'] })
    },
    onError: notifyFailed,
  })
  return (
    <>
      {mayChange && (
        <BulkBar
          count={eventIds.length}
          hint={deliveryTexts.bulkHint}
          onClear={() => selection.set(new Set())}
        >
          <Button size="compact-sm" loading={retry.isPending} onClick={() => retry.mutate()}>
            {deliveryTexts.retryNow}
          </Button>
        </BulkBar>
      )}
      <DeliveryTable lines={lines} {...(mayChange && { selection })} {...sorting} />
    </>
  )
}
