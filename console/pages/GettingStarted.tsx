import { Card, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { FirstSteps } from '../components/first-steps/FirstSteps.tsx'
import { VerifyCard } from '../components/NewSecret.tsx'
import { overviewQuery } from '../data/overview.ts'
import { useSession } from '../data/session.ts'
import { CopyValue } from '../ui/CopyValue.tsx'
import { AnchorLink, ButtonLink } from '../ui/links.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Failed, LoadingPage } from '../ui/States.tsx'

/** Guides to the first event, then to a receiver. */
export function GettingStarted() {
  const overview = useQuery(overviewQuery('24h'))
  return (
    <>
      <PageHeader title="Getting started" about="A few clicks to your first event" />
      {overview.isPending && <LoadingPage />}
      {overview.isError && <Failed error={overview.error} onRetry={() => overview.refetch()} />}
      {overview.data !== undefined && (
        <Stack maw={820} gap="lg">
          <FirstSteps steps={overview.data.steps} />
          <OwnProgram />
          <VerifyCard />
        </Stack>
      )}
    </>
  )
}

function OwnProgram() {
  const { baseUrl } = useSession()
  const command = `curl -s ${baseUrl}/api/v1/hooks \\
  -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '{"target_url":"https://example.com/radar","store":"apple","app_id":"310633997","event_type":"review.created"}'`
  return (
    <Card withBorder component="section" aria-label="Send events to your program">
      <Stack align="flex-start" gap="sm">
        <Title order={2} size="h4">
          Send events to your program
        </Title>
        <Text size="sm">
          A destination is a URL that accepts a POST with JSON. For a receiver on this host, set{' '}
          <code>RADAR_ALLOW_TARGET_CIDRS</code> first.
        </Text>
        <ButtonLink variant="default" to="/destinations/new">
          Add a destination
        </ButtonLink>
        <Text size="sm">
          Or create it through the API, as Zapier, Make and n8n do, with a token from your{' '}
          <AnchorLink to="/account" size="sm" underline="always">
            account page
          </AnchorLink>
          .
        </Text>
        <CopyValue value={command} what="command" />
      </Stack>
    </Card>
  )
}
