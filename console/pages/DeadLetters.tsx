import { Badge, Button, Card, Group, Stack, Text } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { DeliveryFilters } from '../components/DeliveryFilters.tsx'
import { DeliveryTable } from '../components/DeliveryTable.tsx'
import { Replays } from '../components/Replays.tsx'
import { deadCountQuery, deadLetters, deliveriesQuery } from '../data/deliveries.ts'
import { useFilters } from '../data/filters.ts'
import { ReplayModal } from '../forms/ReplayModal.tsx'
import { confirmDestructive, tellDone, tellFailed } from '../ui/confirm.tsx'
import { ListStates, MoreOf } from '../ui/ListStates.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Empty } from '../ui/States.tsx'
import { counted, inWords } from '../util/words.ts'

/** What could not be delivered: by reason, to be sent again or let go. Nothing here is lost until somebody says so. */
export function DeadLetters() {
  const list = useFilters()
  const dead = useInfiniteQuery(deliveriesQuery(list.filters, 'dead'))
  const count = useQuery(deadCountQuery(list.filters))
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [replaying, setReplaying] = useState(false)
  const lines = dead.data?.pages.flatMap((page) => page.deliveries) ?? []
  const queryClient = useQueryClient()
  const act = useMutation({
    mutationFn: ({ verb, eventIds }: { verb: 'replay' | 'discard'; eventIds: readonly string[] }) =>
      deadLetters[verb](eventIds),
    onSuccess: async ({ changed }, { verb }) => {
      setSelected(new Set())
      tellDone(verb === 'replay' ? `${changed} put back on the queue.` : `${changed} discarded.`)
      await queryClient.invalidateQueries({ queryKey: ['dead'] })
    },
    onError: tellFailed,
  })
  const chosen = lines.filter((line) => selected.has(line.eventId)).map((line) => line.eventId)
  const discard = () =>
    confirmDestructive({
      title: `Discard ${counted(chosen.length, 'dead letter')}?`,
      consequence:
        'They are marked as resolved without being sent and leave this list. Retention may then delete them.',
      verb: 'Discard',
      onConfirm: () => act.mutate({ verb: 'discard', eventIds: chosen }),
    })
  const total = count.data?.count ?? 0
  return (
    <>
      <PageHeader
        title="Dead letters"
        about="Deliveries we stopped trying. They stay until you send them again or discard them"
        actions={
          <>
            <Button
              variant="default"
              component="a"
              href={deadLetters.exportUrl(list.filters)}
              download
              disabled={total === 0}
            >
              Export
            </Button>
            <Button disabled={total === 0} onClick={() => setReplaying(true)}>
              {list.any ? `Replay these ${total}` : `Replay all ${total}`}
            </Button>
          </>
        }
      />
      <Stack>
        <Replays />
        <DeliveryFilters {...list} dead />
        {count.data !== undefined && count.data.byReason.length > 0 && (
          <Group gap="xs" aria-label="By reason" role="group">
            {count.data.byReason.map(({ reason, count: number }) => (
              <Badge
                key={reason}
                component="button"
                variant={list.filters.reason === reason ? 'filled' : 'light'}
                color="red"
                tt="none"
                style={{ cursor: 'pointer' }}
                onClick={() => list.setFilter('reason', list.filters.reason === reason ? null : reason)}
              >
                {inWords(reason)}: {number}
              </Badge>
            ))}
          </Group>
        )}
        <ListStates list={dead} empty={lines.length === 0} what="dead letters" filters={list}>
          <Empty title="No dead letters">Everything was delivered, or is still being tried.</Empty>
        </ListStates>
        {lines.length > 0 && (
          <Card withBorder padding="xs">
            <Group gap="xs" mih={36}>
              <Text size="sm">
                {chosen.length === 0 ? 'Select to replay or discard' : `${chosen.length} selected`}
              </Text>
              {chosen.length > 0 && (
                <>
                  <Button
                    size="compact-sm"
                    loading={act.isPending}
                    onClick={() => act.mutate({ verb: 'replay', eventIds: chosen })}
                  >
                    Replay
                  </Button>
                  <Button size="compact-sm" color="red" variant="light" onClick={discard}>
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
                    chosen.length === lines.length ? new Set() : new Set(lines.map((line) => line.eventId)),
                  ),
              }}
            />
          </Card>
        )}
        <MoreOf list={dead} what="dead letters" />
      </Stack>
      {replaying && <ReplayModal filters={list.filters} onClose={() => setReplaying(false)} />}
    </>
  )
}

function toggled(before: ReadonlySet<string>, eventId: string): ReadonlySet<string> {
  const after = new Set(before)
  if (!after.delete(eventId)) after.add(eventId)
  return after
}
