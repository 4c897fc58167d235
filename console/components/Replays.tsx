import { Button, Card, Group, Progress, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReplayView } from '../../src/contract/console/deliveries.ts'
import { deadLetters, replaysQuery } from '../data/deliveries.ts'
import { tellFailed } from '../ui/confirm.tsx'
import { Instant } from '../ui/Instant.tsx'
import { useNow } from '../ui/use-now.ts'
import { StatusBadge } from './StatusBadge.tsx'

/** Ended replays stay in view this long. */
const ENDED_SHOWN_MS = 15 * 60_000

/** Bulk replays under way, and those that ended a moment ago. */
export function Replays() {
  const replays = useQuery(replaysQuery)
  const now = useNow()
  const shown = (replays.data ?? []).filter(
    ({ finishedAt }) =>
      finishedAt === null || now.getTime() - new Date(finishedAt).getTime() < ENDED_SHOWN_MS,
  )
  if (shown.length === 0) return null
  return (
    <Stack gap="xs" aria-live="polite">
      {shown.map((replay) => (
        <ReplayLine key={replay.id} replay={replay} />
      ))}
    </Stack>
  )
}

function ReplayLine({ replay }: { readonly replay: ReplayView }) {
  const queryClient = useQueryClient()
  const set = useMutation({
    mutationFn: (status: 'running' | 'paused' | 'cancelled') => deadLetters.setReplay(replay.id, status),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['replays'] }),
    onError: tellFailed,
  })
  const share = (count: number) => (100 * count) / Math.max(1, replay.total)
  const waiting = Math.max(0, replay.queued - replay.delivered - replay.deadAgain)
  const open = replay.status === 'running' || replay.status === 'paused'
  return (
    <Card withBorder padding="sm" component="section" aria-label="Replay">
      <Group justify="space-between" mb={6}>
        <Group gap="xs">
          <StatusBadge status={replay.status} />
          <Text size="sm">
            Replay of {replay.total}, started <Instant at={replay.createdAt} />: {replay.delivered} delivered
            {waiting > 0 && `, ${waiting} on their way`}
            {replay.deadAgain > 0 && `, ${replay.deadAgain} failed again`}
          </Text>
        </Group>
        {open && (
          <Group gap={4}>
            <Button
              size="compact-sm"
              variant="subtle"
              onClick={() => set.mutate(replay.status === 'running' ? 'paused' : 'running')}
            >
              {replay.status === 'running' ? 'Pause' : 'Go on'}
            </Button>
            <Button size="compact-sm" variant="subtle" color="red" onClick={() => set.mutate('cancelled')}>
              Cancel
            </Button>
          </Group>
        )}
      </Group>
      <Progress.Root size="md">
        <Progress.Section
          value={share(replay.delivered)}
          color="teal"
          aria-label={`${replay.delivered} delivered`}
        />
        <Progress.Section
          value={share(replay.deadAgain)}
          color="red"
          aria-label={`${replay.deadAgain} failed again`}
        />
        <Progress.Section value={share(waiting)} color="blue" aria-label={`${waiting} on their way`} />
      </Progress.Root>
    </Card>
  )
}
