import { Button, Group, List, Modal, NumberInput, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { deadCountQuery, deadLetters } from '../data/deliveries.ts'
import type { Filters } from '../data/filters.ts'
import { tellDone } from '../ui/confirm.tsx'
import { FormProblem } from '../ui/FormProblem.tsx'
import { duration } from '../util/time.ts'
import { counted, inWords } from '../util/words.ts'

/** How fast a replay goes unless somebody says otherwise: fast enough to catch up, slow enough for a receiver that was down. */
const RATE_PER_SECOND = 10

/** A bulk replay: how many it would send, how fast; then it runs in the service, not in this page. */
export function ReplayModal({
  filters,
  onClose,
}: {
  readonly filters: Filters
  readonly onClose: () => void
}) {
  const [rate, setRate] = useState<number | string>(RATE_PER_SECOND)
  const count = useQuery(deadCountQuery(filters))
  const queryClient = useQueryClient()
  const start = useMutation({
    mutationFn: () => deadLetters.replayAll(filters, Number(rate)),
    onSuccess: async () => {
      tellDone('The replay runs. You can leave this page.')
      await queryClient.invalidateQueries({ queryKey: ['replays'] })
      await queryClient.invalidateQueries({ queryKey: ['dead'] })
      onClose()
    },
  })
  const total = count.data?.count ?? 0
  const perSecond = Number(rate) > 0 ? Number(rate) : RATE_PER_SECOND
  return (
    <Modal opened onClose={onClose} title="Replay dead letters">
      <Stack>
        <FormProblem error={start.error ?? count.error} />
        <Text size="sm">
          <b>{counted(total, 'dead letter')}</b> in this view. Each is sent again with the same event id and
          the same bytes, on a fresh schedule; what fails again comes back here.
        </Text>
        {count.data !== undefined && (
          <List size="sm">
            {count.data.byReason.map(({ reason, count: number }) => (
              <List.Item key={reason}>
                {inWords(reason)}: {number}
              </List.Item>
            ))}
          </List>
        )}
        <NumberInput label="A second, at most" min={0.1} max={1000} value={rate} onChange={setRate} />
        <Text size="sm" c="dimmed">
          At that rate it takes about {duration((1000 * total) / perSecond)}.
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button disabled={total === 0} loading={start.isPending} onClick={() => start.mutate()}>
            Replay {total}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
