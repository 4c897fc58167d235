import { Button, Group, List, Modal, NumberInput, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { displayName, REASON_NAMES } from '../../src/contract/console/display-names.ts'
import { REPLAY_RATE } from '../../src/model/input-limits.ts'
import { deadCountQuery, deadLetters } from '../data/deliveries.ts'
import type { DeadSearch } from '../data/search.ts'
import { commonTexts } from '../messages/common.ts'
import { replayTexts } from '../messages/deliveries.tsx'
import { notifyDone } from '../ui/confirm.tsx'
import { FormProblem } from '../ui/FormProblem.tsx'
import { number } from '../util/numbers.ts'
import { useProblems } from './problems.ts'

/** Starts a bulk replay, which runs in the service. */
export function ReplayModal({
  filters,
  onClose,
}: {
  readonly filters: DeadSearch
  readonly onClose: () => void
}) {
  const [rate, setRate] = useState<number | string>(REPLAY_RATE.default)
  const count = useQuery(deadCountQuery(filters))
  const queryClient = useQueryClient()
  const start = useMutation({
    mutationFn: () => deadLetters.replayAll(filters, Number(rate)),
    onSuccess: async () => {
      notifyDone(replayTexts.started)
      await queryClient.invalidateQueries({ queryKey: ['replays'] })
      await queryClient.invalidateQueries({ queryKey: ['dead'] })
      onClose()
    },
  })
  const problems = useProblems(start.error ?? count.error, ['rate_per_second'])
  const total = count.data?.count ?? 0
  const perSecond = Number(rate) > 0 ? Number(rate) : REPLAY_RATE.default
  return (
    <Modal opened onClose={onClose} title={replayTexts.title}>
      <Stack>
        <FormProblem error={problems.beside} />
        <Text size="sm">{replayTexts.note(<b>{replayTexts.deadLetters(total)}</b>)}</Text>
        {count.data !== undefined && (
          <List size="sm">
            {count.data.by_reason.map(({ reason, count: reasonCount }) => (
              <List.Item key={reason}>
                {displayName(REASON_NAMES, reason)}: {number(reasonCount)}
              </List.Item>
            ))}
          </List>
        )}
        <NumberInput
          label={commonTexts.maxPerSecond}
          min={REPLAY_RATE.min}
          max={REPLAY_RATE.max}
          value={rate}
          onChange={(value) => {
            problems.edited('rate_per_second')
            setRate(value)
          }}
          error={problems.at('rate_per_second')}
        />
        <Text size="sm" c="dimmed">
          {replayTexts.takes((1000 * total) / perSecond)}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {commonTexts.cancel}
          </Button>
          <Button disabled={total === 0} loading={start.isPending} onClick={() => start.mutate()}>
            {replayTexts.submit(total)}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
