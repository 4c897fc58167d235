import { Button, Group, List, Modal, NumberInput, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { displayName, REASON_NAMES } from '../../src/contract/console/display-names.ts'
import { deadCountQuery, deadLetters } from '../data/deliveries.ts'
import type { DeadSearch } from '../data/search.ts'
import { notifyDone } from '../ui/confirm.tsx'
import { FormProblem } from '../ui/FormProblem.tsx'
import { counted, number } from '../util/numbers.ts'
import { duration } from '../util/time.ts'
import { useProblems } from './problems.ts'

/** The default catches up quickly without overloading a receiver that was down. */
const RATE_PER_SECOND = 10

/** Starts a bulk replay, which runs in the service. */
export function ReplayModal({
  filters,
  onClose,
}: {
  readonly filters: DeadSearch
  readonly onClose: () => void
}) {
  const [rate, setRate] = useState<number | string>(RATE_PER_SECOND)
  const count = useQuery(deadCountQuery(filters))
  const queryClient = useQueryClient()
  const start = useMutation({
    mutationFn: () => deadLetters.replayAll(filters, Number(rate)),
    onSuccess: async () => {
      notifyDone('Replay started. You can leave this page.')
      await queryClient.invalidateQueries({ queryKey: ['replays'] })
      await queryClient.invalidateQueries({ queryKey: ['dead'] })
      onClose()
    },
  })
  const problems = useProblems(start.error ?? count.error, ['ratePerSecond'])
  const total = count.data?.count ?? 0
  const perSecond = Number(rate) > 0 ? Number(rate) : RATE_PER_SECOND
  return (
    <Modal opened onClose={onClose} title="Replay dead letters">
      <Stack>
        <FormProblem error={problems.beside} />
        <Text size="sm">
          <b>{counted(total, 'dead letter')}</b> in this view. Each is sent again with the same event ID and
          body, with all retries. Deliveries that fail again return to this list.
        </Text>
        {count.data !== undefined && (
          <List size="sm">
            {count.data.byReason.map(({ reason, count: reasonCount }) => (
              <List.Item key={reason}>
                {displayName(REASON_NAMES, reason)}: {number(reasonCount)}
              </List.Item>
            ))}
          </List>
        )}
        <NumberInput
          label="Max. per second"
          min={0.1}
          max={1000}
          value={rate}
          onChange={(value) => {
            problems.edited('ratePerSecond')
            setRate(value)
          }}
          error={problems.at('ratePerSecond')}
        />
        <Text size="sm" c="dimmed">
          Takes about {duration((1000 * total) / perSecond)} at this rate.
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button disabled={total === 0} loading={start.isPending} onClick={() => start.mutate()}>
            Replay {number(total)}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
