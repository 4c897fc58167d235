import { Button, Card, Group, Progress, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReplayView } from '../../src/contract/v1/dead-letters.ts'
import { deadLetters, replaysQuery } from '../data/deliveries.ts'
import { commonTexts } from '../messages/common.ts'
import { replayTexts } from '../messages/deliveries.tsx'
import { notifyFailed } from '../ui/confirm.tsx'
import { Instant } from '../ui/Instant.tsx'
import { useNow } from '../ui/use-now.ts'
import { useMayChange } from './MayChange.tsx'
import { StatusBadge } from './StatusBadge.tsx'

/** Finished replays stay listed this long. */
const ENDED_SHOWN_MS = 15 * 60_000

/** Running, paused and recently finished bulk replays. With `recoveryOf`, only recoveries of that destination. */
export function Replays({ recoveryOf }: { readonly recoveryOf?: string }) {
  const replays = useQuery(replaysQuery)
  const now = useNow()
  const shown = (replays.data ?? []).filter(
    (replay) =>
      (recoveryOf === undefined || replay.recovery_of === recoveryOf) &&
      (replay.finished_at === null ||
        now.getTime() - new Date(replay.finished_at).getTime() < ENDED_SHOWN_MS),
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
  const mayChange = useMayChange()
  const queryClient = useQueryClient()
  const set = useMutation({
    mutationFn: (status: 'running' | 'paused' | 'cancelled') => deadLetters.setReplay(replay.id, status),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['replays'] }),
    onError: notifyFailed,
  })
  const share = (count: number) => (100 * count) / Math.max(1, replay.total)
  const inFlight = Math.max(0, replay.queued - replay.delivered - replay.dead_again)
  const open = replay.status === 'running' || replay.status === 'paused'
  return (
    <Card withBorder padding="sm" component="section" aria-label={replayTexts.label}>
      <Group justify="space-between" mb={6}>
        <Group gap="xs">
          <StatusBadge status={replay.status} />
          <Text size="sm">
            {replayTexts.line(
              replay.recovery_of === null
                ? replayTexts.replayOf(replay.total)
                : replayTexts.recoveryOf(replay.total),
              <Instant at={replay.created_at} />,
              replay.delivered,
              inFlight > 0 && replayTexts.inFlight(inFlight),
              replay.dead_again > 0 && replayTexts.failedAgain(replay.dead_again),
            )}
          </Text>
        </Group>
        {open && mayChange && (
          <Group gap={4}>
            <Button
              size="compact-sm"
              variant="subtle"
              onClick={() => set.mutate(replay.status === 'running' ? 'paused' : 'running')}
            >
              {replay.status === 'running' ? commonTexts.pause : commonTexts.resume}
            </Button>
            <Button size="compact-sm" variant="subtle" color="red" onClick={() => set.mutate('cancelled')}>
              {commonTexts.cancel}
            </Button>
          </Group>
        )}
      </Group>
      <Progress.Root size="md">
        <Progress.Section
          value={share(replay.delivered)}
          color="teal"
          aria-label={replayTexts.deliveredPart(replay.delivered)}
        />
        <Progress.Section
          value={share(replay.dead_again)}
          color="red"
          aria-label={replayTexts.failedPart(replay.dead_again)}
        />
        <Progress.Section
          value={share(inFlight)}
          color="blue"
          aria-label={replayTexts.inFlightPart(inFlight)}
        />
      </Progress.Root>
    </Card>
  )
}
