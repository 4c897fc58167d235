import { Anchor, Badge, Button, Card, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { DestinationLine } from '../../src/contract/console/destinations.ts'
import { HealthSpark } from '../components/HealthSpark.tsx'
import { StatusBadge } from '../components/StatusBadge.tsx'
import { destinationsQuery } from '../data/destinations.ts'
import { useFilters } from '../data/filters.ts'
import { Instant } from '../ui/Instant.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Empty, Failed, LoadingLines, NoMatch } from '../ui/States.tsx'
import { paths } from '../util/paths.ts'
import { duration } from '../util/time.ts'
import { counted } from '../util/words.ts'

/** Where events are sent: made here, or by a program through the API. */
export function Destinations() {
  const list = useQuery(destinationsQuery)
  const { filters, setFilter, clear } = useFilters()
  const wanted = (filters.text ?? '').toLowerCase()
  const shown = list.data?.filter((line) =>
    `${line.targetUrl} ${line.source} ${line.externalRef ?? ''} ${line.watches.map((watch) => watch.sentence).join(' ')}`
      .toLowerCase()
      .includes(wanted),
  )
  const add = (
    <Button component={Link} to={paths.newDestination()} leftSection={<IconPlus size={16} aria-hidden />}>
      Add a destination
    </Button>
  )
  return (
    <>
      <PageHeader title="Destinations" about="Where events are sent, and how that goes" actions={add} />
      {list.isPending && <LoadingLines />}
      {list.isError && <Failed error={list.error} onRetry={() => list.refetch()} />}
      {list.data?.length === 0 && (
        <Empty title="No destinations yet" action={add}>
          A destination is an address of yours that gets a signed request for each new review or rating drop.
          Programs such as Zapier, Make or n8n make their own through the API; those appear here too.
        </Empty>
      )}
      {list.data !== undefined && list.data.length > 0 && (
        <Stack>
          <TextInput
            aria-label="Search destinations"
            placeholder="Search destinations"
            leftSection={<IconSearch size={16} aria-hidden />}
            value={filters.text ?? ''}
            onChange={(event) => setFilter('text', event.currentTarget.value)}
            maw={360}
          />
          {shown?.length === 0 && <NoMatch what="destinations" onClear={clear} />}
          {shown?.map((line) => (
            <DestinationCard key={line.id} line={line} />
          ))}
        </Stack>
      )}
    </>
  )
}

function DestinationCard({ line }: { readonly line: DestinationLine }) {
  const { health } = line
  return (
    <Card withBorder component="article" aria-label={line.targetUrl}>
      <Group justify="space-between" align="flex-start" gap="md">
        <Stack gap={4} style={{ flex: '1 1 280px', minWidth: 0 }}>
          <Anchor
            component={Link}
            to={paths.destination(line.id)}
            fw={600}
            style={{ overflowWrap: 'anywhere' }}
          >
            {line.targetUrl}
          </Anchor>
          <Group gap="xs">
            <StatusBadge status={line.status} />
            {!line.editable && (
              <Badge variant="default" tt="none">
                made by {line.source}
              </Badge>
            )}
            {health.breakerOpenUntil !== null && (
              <Badge variant="light" color="orange" tt="none">
                resting after failures
              </Badge>
            )}
            {health.dead > 0 && (
              <Badge variant="light" color="red" tt="none">
                {counted(health.dead, 'dead letter')}
              </Badge>
            )}
          </Group>
          {line.watches.map((watch) => (
            <Text key={watch.id} size="sm">
              {watch.sentence}
            </Text>
          ))}
          {line.watches.length === 0 && (
            <Text size="sm" c="dimmed">
              Nothing is sent: it has no watch yet.
            </Text>
          )}
        </Stack>
        <Stack gap={2} align="flex-end">
          <HealthSpark perHour={health.perHour} />
          <Text size="xs" c="dimmed">
            {health.delivered24h} delivered in 24 h
            {health.p95Ms !== null && `, 95 % within ${duration(health.p95Ms)}`}
          </Text>
          <Text size="xs" c="dimmed">
            last <Instant at={health.lastDeliveredAt} />
          </Text>
        </Stack>
      </Group>
    </Card>
  )
}
