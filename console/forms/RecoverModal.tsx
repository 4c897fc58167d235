import { Button, Checkbox, Group, List, Modal, NumberInput, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { DestinationPage } from '../../src/contract/console/destinations.ts'
import type { RecoverableView } from '../../src/contract/v1/hook-actions.ts'
import { REPLAY_RATE } from '../../src/model/input-limits.ts'
import { destinations, recoverableQuery } from '../data/destinations.ts'
import { commonTexts } from '../messages/common.ts'
import { recoveryTexts } from '../messages/destinations.tsx'
import { notifyDone } from '../ui/confirm.tsx'
import { DateTimeField } from '../ui/DateTimeField.tsx'
import { FormProblem } from '../ui/FormProblem.tsx'
import { useProblems } from './problems.ts'

const HOUR_MS = 3_600_000

/** Sends again the events that a destination lost since a time. Shows their number first. */
export function RecoverModal({
  page,
  onClose,
  onDone,
}: {
  readonly page: DestinationPage
  readonly onClose: () => void
  readonly onDone: () => Promise<void>
}) {
  const [since, setSince] = useState(
    () => page.health.failingSince ?? new Date(Date.now() - HOUR_MS).toISOString(),
  )
  const [delivered, setDelivered] = useState(false)
  const [rate, setRate] = useState<number | string>(REPLAY_RATE.default)
  const queryClient = useQueryClient()
  const count = useQuery(recoverableQuery(page.id, since))
  const recover = useMutation({
    mutationFn: () => destinations.recover(page.id, { since, delivered, rate_per_second: Number(rate) }),
    onSuccess: async () => {
      notifyDone(recoveryTexts.started)
      await queryClient.invalidateQueries({ queryKey: ['replays'] })
      await onDone()
      onClose()
    },
  })
  const problems = useProblems(recover.error ?? count.error, ['since', 'rate_per_second'])
  const replayed = count.data === undefined ? 0 : count.data.dead + (delivered ? count.data.delivered : 0)
  const total = replayed + (count.data?.pending ?? 0)
  const perSecond = Number(rate) > 0 ? Number(rate) : REPLAY_RATE.default
  return (
    <Modal opened onClose={onClose} title={recoveryTexts.title}>
      <Stack>
        <Text size="sm">{recoveryTexts.about}</Text>
        <FormProblem error={problems.beside} />
        <DateTimeField
          label={commonTexts.since}
          value={since}
          onChange={(instant) => {
            if (instant === undefined) return
            problems.edited('since')
            recover.reset()
            setSince(instant)
          }}
          error={problems.at('since')}
          width={240}
        />
        <Checkbox
          label={recoveryTexts.includeDelivered}
          description={recoveryTexts.includeDeliveredNote}
          checked={delivered}
          onChange={(event) => setDelivered(event.currentTarget.checked)}
        />
        {count.data !== undefined && <Consequences count={count.data} delivered={delivered} />}
        <NumberInput
          label={commonTexts.maxPerSecond}
          description={replayed > 0 ? recoveryTexts.takes((1000 * replayed) / perSecond) : undefined}
          min={REPLAY_RATE.min}
          max={REPLAY_RATE.max}
          value={rate}
          onChange={(value) => {
            problems.edited('rate_per_second')
            setRate(value)
          }}
          error={problems.at('rate_per_second')}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {commonTexts.cancel}
          </Button>
          <Button disabled={total === 0} loading={recover.isPending} onClick={() => recover.mutate()}>
            {total === 0 ? recoveryTexts.nothing : recoveryTexts.submit(total)}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

function Consequences({
  count,
  delivered,
}: {
  readonly count: RecoverableView
  readonly delivered: boolean
}) {
  return (
    <List size="sm" aria-live="polite">
      <List.Item>{recoveryTexts.pending(count.pending)}</List.Item>
      <List.Item>{recoveryTexts.dead(count.dead)}</List.Item>
      {delivered && <List.Item>{recoveryTexts.delivered(count.delivered)}</List.Item>}
    </List>
  )
}
