import { Button, Card } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { DeliveryLine } from '../../../src/contract/console/deliveries.ts'
import { deadLetters } from '../../data/deliveries.ts'
import { confirmDestructive, notifyDone, notifyFailed } from '../../ui/confirm.tsx'
import { BulkBar } from '../../ui/table/BulkBar.tsx'
import { selectedIn, useSelection } from '../../ui/table/selection.ts'
import { counted } from '../../util/numbers.ts'
import { DeliveryTable } from '../DeliveryTable.tsx'

type Action = { readonly verb: 'replay' | 'discard'; readonly eventIds: readonly string[] }

/** The shown dead letters, with actions on the selected ones. */
export function DeadLetterList({ lines }: { readonly lines: readonly DeliveryLine[] }) {
  const selection = useSelection()
  const queryClient = useQueryClient()
  const act = useMutation({
    mutationFn: ({ verb, eventIds }: Action) => deadLetters[verb](eventIds),
    onSuccess: async ({ changed }, { verb }) => {
      selection.set(new Set())
      notifyDone(`${counted(changed, 'dead letter')} ${verb === 'replay' ? 'queued again' : 'discarded'}.`)
      await queryClient.invalidateQueries({ queryKey: ['dead'] })
    },
    onError: notifyFailed,
  })
  // A selected line may no longer be in the list.
  const eventIds = selectedIn(lines, ({ eventId }) => eventId, selection)
  return (
    <Card withBorder padding="xs">
      <BulkBar
        count={eventIds.length}
        hint="Select dead letters to replay or discard"
        onClear={() => selection.set(new Set())}
      >
        <Button
          size="compact-sm"
          loading={act.isPending}
          onClick={() => act.mutate({ verb: 'replay', eventIds })}
        >
          Replay
        </Button>
        <Button
          size="compact-sm"
          color="red"
          variant="light"
          onClick={() => confirmDiscard(eventIds.length, () => act.mutate({ verb: 'discard', eventIds }))}
        >
          Discard
        </Button>
      </BulkBar>
      <DeliveryTable lines={lines} selection={selection} />
    </Card>
  )
}

function confirmDiscard(count: number, onConfirm: () => void): void {
  confirmDestructive({
    title: `Discard ${counted(count, 'dead letter')}?`,
    consequence:
      'They are removed from this list without being sent, and deleted after the retention period.',
    verb: 'Discard',
    onConfirm,
  })
}
