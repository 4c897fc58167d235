import { Card, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { FirstSteps } from '../components/first-steps/FirstSteps.tsx'
import { MayChange } from '../components/MayChange.tsx'
import { VerifyCard } from '../components/NewSecret.tsx'
import { overviewQuery } from '../data/overview.ts'
import { useSession } from '../data/session.ts'
import { startTexts } from '../messages/start.tsx'
import { CopyValue } from '../ui/CopyValue.tsx'
import { AnchorLink, ButtonLink } from '../ui/links.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Failed, LoadingPage } from '../ui/States.tsx'
import { listenCommand, subscribeCommand } from '../util/curl.ts'

/** Guides to the first event, then to a receiver. */
export function GettingStarted() {
  const overview = useQuery(overviewQuery('24h'))
  return (
    <>
      <PageHeader title={startTexts.title} about={startTexts.about} />
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
  const { baseUrl, role } = useSession()
  const tokenSource =
    role === 'owner' ? (
      <AnchorLink to="/account/$section" params={{ section: 'tokens' }} size="sm" underline="always">
        {startTexts.accountPage}
      </AnchorLink>
    ) : (
      startTexts.anOwner
    )
  return (
    <Card withBorder component="section" aria-label={startTexts.ownProgram}>
      <Stack align="flex-start" gap="sm">
        <Title order={2} size="h4">
          {startTexts.ownProgram}
        </Title>
        <Text size="sm">{startTexts.ownProgramNote}</Text>
        <MayChange>
          <ButtonLink variant="default" to="/destinations/new">
            {startTexts.addDestination}
          </ButtonLink>
          <Text size="sm">{startTexts.apiNote(tokenSource)}</Text>
          <CopyValue value={subscribeCommand(baseUrl)} what={startTexts.command} />
        </MayChange>
        <Text size="sm">{startTexts.localNote(tokenSource)}</Text>
        <CopyValue value={listenCommand(baseUrl)} what={startTexts.listenCommand} />
      </Stack>
    </Card>
  )
}
