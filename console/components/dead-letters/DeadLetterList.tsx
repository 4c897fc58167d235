import { Button, Card } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { DeliveryRow } from '../../../src/contract/v1/deliveries.ts'
import { deadLetters } from '../../data/deliveries.ts'
import { deadLetterTexts } from '../../messages/deliveries.tsx'
import { confirmDestructive, notifyDone, notifyFailed } from '../../ui/confirm.tsx'
import { BulkBar } from '../../ui/table/BulkBar.tsx'
import { selectedIn, useSelection } from '../../ui/table/selection.ts'
import { DeliveryTable } from '../DeliveryTable.tsx'
import { useMayChange } from '../MayChange.tsx'

type Action = { readonly verb: 'replay' | 'discard'; readonly eventIds: readonly string[] }

/** The shown dead letters, with actions on the selected ones. */
export function DeadLetterList({ lines }: { readonly lines: readonly DeliveryRow[] }) {
  const mayChange = useMayChange()
  const selection = useSelection()
  const queryClient = useQueryClient()
  const act = useMutation({
    mutationFn: ({ verb, eventIds }: Action) => deadLetters[verb](eventIds),
    onSuccess: async (changed, { verb }) => {
      selection.set(new Set())
      notifyDone(verb === 'replay' ? deadLetterTexts.replayed(changed) : deadLetterTexts.discarded(changed))
      await queryClient.invalidateQueries({ queryKey: ['dead'] })
    },
    onError: notifyFailed,
  })
  // A selected line may no longer be in the list.
  const eventIds = selectedIn(lines, ({ event_id }) => event_id, selection)
  return (
    <Card withBorder padding="xs">
      {mayChange && (
        <BulkBar
          count={eventIds.length}
          hint={deadLetterTexts.bulkHint}
          onClear={() => selection.set(new Set())}
        >
          <Button
            size="compact-sm"
            loading={act.isPending}
            onClick={() => act.mutate({ verb: 'replay', eventIds })}
          >
            {deadLetterTexts.replay}
          </Button>
          <Button
            size="compact-sm"
            color="red"
            variant="light"
            onClick={() => confirmDiscard(eventIds.length, () => act.mutate({ verb: 'discard', eventIds }))}
          >
            {deadLetterTexts.discard}
          </Button>
        </BulkBar>
      )}
      <DeliveryTable lines={lines} {...(mayChange && { selection })} />
    </Card>
  )
}

function confirmDiscard(count: number, onConfirm: () => void): void {
  confirmDestructive({
    title: deadLetterTexts.discardTitle(count),
    consequence: deadLetterTexts.discardNote,
    verb: deadLetterTexts.discard,
    onConfirm,
  })
}
