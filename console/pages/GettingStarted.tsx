import { Card, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { DestinationLine } from '../../src/contract/console/destinations.ts'
import type { Overview } from '../../src/contract/console/overview.ts'
import { VerifyCard } from '../components/SecretOnce.tsx'
import { StepCard } from '../components/StepCard.tsx'
import { TestPanel } from '../components/TestPanel.tsx'
import { destinationQuery, destinationsQuery } from '../data/destinations.ts'
import { overviewQuery } from '../data/overview.ts'
import { useSession } from '../data/session.ts'
import { CopyValue } from '../ui/CopyValue.tsx'
import { AnchorLink, ButtonLink } from '../ui/links.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Failed, LoadingPage } from '../ui/States.tsx'

/** From an empty account to the first event. */
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
      <StepCard number={1} done={steps.app} title="Track an app">
        <Text size="sm">
          Find it by name or by its link in the App Store or Google Play. Its reviews and ratings show up in a
          moment.
        </Text>
        <ButtonLink to="/apps/add" variant={steps.app ? 'default' : 'filled'}>
          {steps.app ? 'Track another app' : 'Find your app'}
        </ButtonLink>
      </StepCard>
      <StepCard number={2} done={first !== undefined} title="Add a destination">
        <Text size="sm">
          A URL that accepts a POST with JSON. For a receiver on this machine, set{' '}
          <code>RADAR_ALLOW_TARGET_CIDRS</code> first. Zapier, Make and n8n create theirs through the API,
          with a token from your{' '}
          <AnchorLink to="/account" size="sm" underline="always">
            account page
          </AnchorLink>
          .
        </Text>
        <ButtonLink to="/destinations/new" variant={steps.app && first === undefined ? 'filled' : 'default'}>
          {first === undefined ? 'Add a destination' : 'Add another destination'}
        </ButtonLink>
      </StepCard>
      <StepCard number={3} done={steps.delivered} title="Receive an event">
        {first === undefined ? (
          <Text size="sm">
            Once you have a destination, send it a test event from here and see the request and the response.
          </Text>
        ) : (
          <FirstTest id={first.id} />
        )}
        <VerifyCard />
      </StepCard>
      <ApiExample />
    </Stack>
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

function ApiExample() {
  const { baseUrl } = useSession()
  const command = `curl -s ${baseUrl}/api/v1/hooks \\
  -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '{"target_url":"https://example.com/radar","store":"apple","app_id":"310633997","event_type":"review.created"}'`
  return (
    <Card withBorder component="section" aria-label="API example">
      <Title order={2} size="h4" mb="xs">
        Or use the API
      </Title>
      <CopyValue value={command} what="command" />
    </Card>
  )
}
