import { Anchor, Button, Card, Group, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { VerifyCard } from '../components/SecretOnce.tsx'
import { TestPanel } from '../components/TestPanel.tsx'
import { appsQuery } from '../data/apps.ts'
import { destinationQuery, destinationsQuery } from '../data/destinations.ts'
import { useSession } from '../data/session.ts'
import { CopyValue } from '../ui/CopyValue.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { paths } from '../util/paths.ts'

/** From an empty account to a first signed sample that arrived. */
export function GettingStarted() {
  const apps = useQuery(appsQuery)
  const destinations = useQuery(destinationsQuery)
  const first = destinations.data?.[0]
  const hasApp = (apps.data?.length ?? 0) > 0
  return (
    <>
      <PageHeader title="Getting started" about="Three steps, about five minutes" />
      <Stack maw={820}>
        <Step number={1} done={hasApp} title="Watch an app">
          <Text size="sm">
            By name, or with its link in the App Store or Google Play. Its reviews and ratings show up here a
            moment later.
          </Text>
          <Button component={Link} to={paths.addApp()} variant={hasApp ? 'default' : 'filled'}>
            {hasApp ? 'Watch another' : 'Find your app'}
          </Button>
        </Step>
        <Step number={2} done={first !== undefined} title="Add a destination">
          <Text size="sm">
            An address of yours that takes a POST with JSON. On this machine alone, allow its own addresses
            first with <code>RADAR_ALLOW_TARGET_CIDRS</code>. Zapier, Make and n8n make theirs through the
            API, with a token from your{' '}
            <Anchor component={Link} to={paths.account()} size="sm" underline="always">
              account page
            </Anchor>
            .
          </Text>
          <Button
            component={Link}
            to={paths.newDestination()}
            variant={hasApp && first === undefined ? 'filled' : 'default'}
          >
            {first === undefined ? 'Add a destination' : 'Add another'}
          </Button>
        </Step>
        <Step number={3} done={false} title="See a signed sample arrive">
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
    </>
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
  return destination.data === undefined ? null : (
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
