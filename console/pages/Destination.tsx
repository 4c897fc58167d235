import { Alert, Badge, Button, Card, Code, Grid, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { DestinationPage } from '../../src/contract/console/destinations.ts'
import { DestinationWatches } from '../components/DestinationWatches.tsx'
import { HealthSpark } from '../components/HealthSpark.tsx'
import { Notices } from '../components/Notices.tsx'
import { StatusBadge } from '../components/StatusBadge.tsx'
import { TestPanel } from '../components/TestPanel.tsx'
import { destinationQuery, destinations, useDestinationChanged } from '../data/destinations.ts'
import { AddressForm } from '../forms/AddressForm.tsx'
import { RotateModal } from '../forms/RotateModal.tsx'
import { confirmDestructive, tellDone, tellFailed } from '../ui/confirm.tsx'
import { Facts } from '../ui/Facts.tsx'
import { Instant } from '../ui/Instant.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Section } from '../ui/Section.tsx'
import { Failed, LoadingPage } from '../ui/States.tsx'
import { paths } from '../util/paths.ts'
import { duration } from '../util/time.ts'
import { counted, percent } from '../util/words.ts'

/** One destination: how it does, what it is sent, a test, and what can be changed. */
export function Destination() {
  const { id } = useParams({ from: '/signed-in/destinations/$id' })
  const destination = useQuery(destinationQuery(id))
  if (destination.isPending) return <LoadingPage />
  if (destination.isLoadingError)
    return <Failed error={destination.error} onRetry={() => destination.refetch()} />
  const page = destination.data
  return (
    <Stack gap="lg">
      {destination.isRefetchError && (
        <Failed error={destination.error} onRetry={() => destination.refetch()} />
      )}
      <PageHeader
        title={page.targetUrl}
        about={
          <Group gap="xs" component="span">
            <StatusBadge status={page.status} />
            <Badge variant="default" tt="none">
              {page.editable ? 'made here' : `made by ${page.source}`}
            </Badge>
            <Text span size="sm">
              <Instant at={page.createdAt} />
            </Text>
          </Group>
        }
        actions={<Actions page={page} />}
      />
      {page.status === 'gone' && (
        <Alert color="red" title="Its owner turned it off">
          The target answered 410, which for an automation platform means that its trigger was switched off.
          Resume sends to it again; what had become a dead letter can be replayed.
        </Alert>
      )}
      {!page.editable && (
        <Alert variant="light" color="gray">
          Managed by {page.source}
          {page.externalRef !== null && (
            <>
              {' '}
              as <Code>{page.externalRef}</Code>
            </>
          )}
          : what it is sent is changed there. Disconnect removes it here.
        </Alert>
      )}
      <Health page={page} />
      <Grid>
        <Grid.Col span={{ base: 12, lg: 6 }}>
          <DestinationWatches page={page} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 6 }}>
          <TestPanel page={page} />
        </Grid.Col>
      </Grid>
      {page.editable && <AddressForm page={page} />}
      {page.notices.length > 0 && (
        <Section title="Notices">
          <Notices notices={page.notices} linked={false} />
        </Section>
      )}
    </Stack>
  )
}

function Health({ page }: { readonly page: DestinationPage }) {
  const { health } = page
  const facts = [
    ['Success rate in 24 h', percent(health.successRate24h)],
    ['Delivered in 24 h', health.delivered24h],
    ['Failed attempts in 24 h', health.failedAttempts24h],
    ['Waiting', health.pending],
    ['Dead letters', health.dead],
    ['Half within', health.p50Ms === null ? '–' : duration(health.p50Ms)],
    ['95 % within', health.p95Ms === null ? '–' : duration(health.p95Ms)],
  ] as const
  return (
    <Card withBorder component="section" aria-label="How it does">
      <Group justify="space-between" align="flex-start">
        <Facts facts={facts} />
        <HealthSpark perHour={health.perHour} />
      </Group>
      {health.breakerOpenUntil !== null && (
        <Text size="sm" mt="sm">
          It failed too often and rests. No attempt is spent meanwhile; the next try is{' '}
          <Instant at={health.breakerOpenUntil} />
        </Text>
      )}
      <Group mt="sm" gap="xs">
        <Button
          size="xs"
          variant="default"
          component={Link}
          to={paths.deliveries()}
          search={{ destination: page.id } as never}
        >
          Its deliveries
        </Button>
        {health.dead > 0 && (
          <Button
            size="xs"
            variant="default"
            component={Link}
            to={paths.deadLetters()}
            search={{ destination: page.id } as never}
          >
            Its dead letters
          </Button>
        )}
      </Group>
    </Card>
  )
}

function Actions({ page }: { readonly page: DestinationPage }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [rotating, setRotating] = useState(false)
  const refresh = useDestinationChanged(page.id)
  const pausing = useMutation({
    mutationFn: () => (page.status === 'active' ? destinations.pause(page.id) : destinations.resume(page.id)),
    onSuccess: async () => {
      tellDone(
        page.status === 'active'
          ? 'Paused. What comes meanwhile is held.'
          : 'Resumed. What was held is sent now.',
      )
      await refresh()
    },
    onError: tellFailed,
  })
  const remove = async () => {
    try {
      await destinations.remove(page.id)
      queryClient.removeQueries({ queryKey: ['destination', page.id] })
      await queryClient.invalidateQueries({ queryKey: ['destinations'] })
      await navigate({ to: paths.destinations() })
      tellDone(page.editable ? 'Deleted.' : 'Disconnected.')
    } catch (error) {
      tellFailed(error)
    }
  }
  const verb = page.editable ? 'Delete' : 'Disconnect'
  const askToRemove = () =>
    confirmDestructive({
      title: `${verb} this destination?`,
      consequence: (
        <>
          Nothing more is sent to <b style={{ overflowWrap: 'anywhere' }}>{page.targetUrl}</b>.{' '}
          {page.health.pending > 0 && `${counted(page.health.pending, 'waiting event')} will not be sent. `}
          This cannot be taken back
          {page.editable
            ? '.'
            : `; ${page.source} may still believe it is connected, so turn its trigger off there too.`}
        </>
      ),
      verb,
      onConfirm: remove,
    })
  return (
    <>
      <Button variant="default" loading={pausing.isPending} onClick={() => pausing.mutate()}>
        {page.status === 'active' ? 'Pause' : 'Resume'}
      </Button>
      {page.editable && (
        <Button variant="default" onClick={() => setRotating(true)}>
          Rotate secret
        </Button>
      )}
      <Button color="red" variant="light" onClick={askToRemove}>
        {verb}
      </Button>
      {rotating && <RotateModal page={page} onClose={() => setRotating(false)} onDone={refresh} />}
    </>
  )
}
