import { Button, Card, Group, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { DeliveryLine } from '../../../src/contract/console/deliveries.ts'
import { deadLetters } from '../../data/deliveries.ts'
import { confirmDestructive, notifyDone, notifyFailed } from '../../ui/confirm.tsx'
import { counted, number } from '../../util/numbers.ts'
import { DeliveryTable } from '../DeliveryTable.tsx'

type Action = { readonly verb: 'replay' | 'discard'; readonly eventIds: readonly string[] }

/** The shown dead letters, with actions on the selected ones. */
export function DeadLetterList({ lines }: { readonly lines: readonly DeliveryLine[] }) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const queryClient = useQueryClient()
  const act = useMutation({
    mutationFn: ({ verb, eventIds }: Action) => deadLetters[verb](eventIds),
    onSuccess: async ({ changed }, { verb }) => {
      setSelected(new Set())
      notifyDone(`${counted(changed, 'dead letter')} ${verb === 'replay' ? 'queued again' : 'discarded'}.`)
      await queryClient.invalidateQueries({ queryKey: ['dead'] })
    },
    onError: notifyFailed,
  })
  // A selected line may no longer be in the list.
  const eventIds = lines.filter((line) => selected.has(line.eventId)).map((line) => line.eventId)
  return (
    <Card withBorder padding="xs">
      <Group gap="xs" mih={36}>
        <Text size="sm">
          {eventIds.length === 0
            ? 'Select dead letters to replay or discard'
            : `${number(eventIds.length)} selected`}
        </Text>
        {eventIds.length > 0 && (
          <>
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
          </>
        )}
      </Group>
      <DeliveryTable
        lines={lines}
        selection={{
          selected,
          toggle: (eventId) => setSelected((before) => toggled(before, eventId)),
          toggleAll: () =>
            setSelected(
              eventIds.length === lines.length ? new Set() : new Set(lines.map((line) => line.eventId)),
            ),
        }}
      />
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

function toggled(before: ReadonlySet<string>, eventId: string): ReadonlySet<string> {
  const after = new Set(before)
  if (!after.delete(eventId)) after.add(eventId)
  return after
}
