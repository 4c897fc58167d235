import { Anchor, Button, Card, Group, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { DestinationLine } from '../../src/contract/console/destinations.ts'
import type { Overview } from '../../src/contract/console/overview.ts'
import { VerifyCard } from '../components/SecretOnce.tsx'
import { TestPanel } from '../components/TestPanel.tsx'
import { destinationQuery, destinationsQuery } from '../data/destinations.ts'
import { overviewQuery } from '../data/overview.ts'
import { useSession } from '../data/session.ts'
import { CopyValue } from '../ui/CopyValue.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Failed, LoadingPage } from '../ui/States.tsx'
import { paths } from '../util/paths.ts'

/** From an empty account to a first signed sample that arrived. */
export function GettingStarted() {
  const overview = useQuery(overviewQuery('24h'))
  const destinations = useQuery(destinationsQuery)
  const failed = [overview, destinations].find(({ isError }) => isError)
  const loaded = overview.data !== undefined && destinations.data !== undefined
  return (
    <>
      <PageHeader title="Getting started" about="Three steps, about five minutes" />
      {failed?.error != null && <Failed error={failed.error} onRetry={() => failed.refetch()} />}
      {failed === undefined && !loaded && <LoadingPage />}
      {loaded && <ThreeSteps steps={overview.data.steps} first={destinations.data[0]} />}
    </>
  )
}

function ThreeSteps({
  steps,
  first,
}: {
  readonly steps: Overview['steps']
  readonly first: DestinationLine | undefined
}) {
  return (
    <Stack maw={820}>
      <Step number={1} done={steps.app} title="Watch an app">
        <Text size="sm">
          By name, or with its link in the App Store or Google Play. Its reviews and ratings show up here a
          moment later.
        </Text>
        <Button component={Link} to={paths.addApp()} variant={steps.app ? 'default' : 'filled'}>
          {steps.app ? 'Watch another' : 'Find your app'}
        </Button>
      </Step>
      <Step number={2} done={first !== undefined} title="Add a destination">
        <Text size="sm">
          An address of yours that takes a POST with JSON. On this machine alone, allow its own addresses
          first with <code>RADAR_ALLOW_TARGET_CIDRS</code>. Zapier, Make and n8n make theirs through the API,
          with a token from your{' '}
          <Anchor component={Link} to={paths.account()} size="sm" underline="always">
            account page
          </Anchor>
          .
        </Text>
        <Button
          component={Link}
          to={paths.newDestination()}
          variant={steps.app && first === undefined ? 'filled' : 'default'}
        >
          {first === undefined ? 'Add a destination' : 'Add another'}
        </Button>
      </Step>
      <Step number={3} done={steps.delivered} title="See a signed sample arrive">
        {first === undefined ? (
          <Text size="sm">
            Once there is a destination, send it a sample from here and see the whole exchange.
          </Text>
        ) : (
          <FirstTest id={first.id} />
        )}
        <VerifyCard />
      </Step>
      <ByProgram />
    </Stack>
  )
}

function Step(props: {
  readonly number: number
  readonly done: boolean
  readonly title: string
  readonly children: ReactNode
}) {
  return (
    <Card withBorder component="section" aria-label={props.title}>
      <Group wrap="nowrap" align="flex-start">
        <ThemeIcon radius="xl" color={props.done ? 'teal' : 'gray'} variant={props.done ? 'filled' : 'light'}>
          {props.done ? <IconCheck size={16} aria-label="done" /> : props.number}
        </ThemeIcon>
        <Stack gap="sm" align="flex-start" style={{ flex: 1, minWidth: 0 }}>
          <Title order={2} size="h4">
            {props.title}
          </Title>
          {props.children}
        </Stack>
      </Group>
    </Card>
  )
}

function FirstTest({ id }: { readonly id: string }) {
  const destination = useQuery(destinationQuery(id))
  if (destination.isPending) return <LoadingPage />
  if (destination.isError) return <Failed error={destination.error} onRetry={() => destination.refetch()} />
  return (
    <div style={{ width: '100%' }}>
      <TestPanel page={destination.data} />
    </div>
  )
}

function ByProgram() {
  const { baseUrl } = useSession()
  const command = `curl -s ${baseUrl}/api/v1/hooks \\
  -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '{"target_url":"https://example.com/radar","store":"apple","app_id":"310633997","event_type":"review.created"}'`
  return (
    <Card withBorder component="section" aria-label="By program">
      <Title order={2} size="h4" mb="xs">
        The same from a program
      </Title>
      <CopyValue value={command} what="command" />
    </Card>
  )
}
