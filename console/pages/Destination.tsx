import { Grid, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { DestinationPage } from '../../src/contract/console/destinations.ts'
import { DestinationAbout } from '../components/destination/DestinationAbout.tsx'
import { DestinationActions } from '../components/destination/DestinationActions.tsx'
import { DestinationHealth } from '../components/destination/DestinationHealth.tsx'
import { DestinationHints } from '../components/destination/DestinationHints.tsx'
import { DestinationState, SourceBadge } from '../components/destination/DestinationState.tsx'
import { destinationName } from '../components/destination/destination-name.ts'
import { Recipients } from '../components/destination/Recipients.tsx'
import { RotationHint } from '../components/destination/RotationHint.tsx'
import { Subscriptions } from '../components/destination/Subscriptions.tsx'
import { MayChange, useMayChange } from '../components/MayChange.tsx'
import { Notices } from '../components/Notices.tsx'
import { PageQuery } from '../components/PageQuery.tsx'
import { Replays } from '../components/Replays.tsx'
import { TestPanel } from '../components/TestPanel.tsx'
import { TargetBadge } from '../components/target/TargetBadge.tsx'
import { destinationQuery } from '../data/destinations.ts'
import { DestinationForm } from '../forms/DestinationForm.tsx'
import { commonTexts } from '../messages/common.ts'
import { destinationTexts } from '../messages/destinations.tsx'
import { Instant } from '../ui/Instant.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Section } from '../ui/Section.tsx'

const route = getRouteApi('/signed-in/destinations/$id')

/** One destination: its health, its subscriptions, a test and its settings. */
export function Destination() {
  const { id } = route.useParams()
  const destination = useQuery(destinationQuery(id))
  return (
    <Stack gap="lg">
      <PageQuery
        query={destination}
        what={destinationTexts.item}
        back={{ to: '/destinations', label: destinationTexts.back }}
      >
        {(page) => <Sections page={page} />}
      </PageQuery>
    </Stack>
  )
}

function Sections({ page }: { readonly page: DestinationPage }) {
  const mayChange = useMayChange()
  return (
    <>
      <PageHeader
        title={destinationName(page)}
        about={
          <Stack gap={4}>
            <Group gap="xs">
              <TargetBadge type={page.targetType} />
              <DestinationState line={page} />
              <SourceBadge line={page} />
              <Text span size="sm">
                <Instant at={page.createdAt} />
              </Text>
            </Group>
            <DestinationAbout line={page} />
          </Stack>
        }
        actions={
          <MayChange>
            <DestinationActions page={page} />
          </MayChange>
        }
      />
      <DestinationHints page={page} />
      <RotationHint page={page} />
      <DestinationHealth page={page} />
      <Replays recoveryOf={page.id} />
      <Grid>
        <Grid.Col span={{ base: 12, lg: 6 }}>
          <Subscriptions page={page} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 6 }}>
          <TestPanel page={page} />
        </Grid.Col>
      </Grid>
      {page.recipients.length > 0 && <Recipients page={page} />}
      <DestinationForm page={page} isReadOnly={!mayChange} />
      {page.notices.length > 0 && (
        <Section title={commonTexts.notices}>
          <Notices notices={page.notices} linked={false} />
        </Section>
      )}
    </>
  )
}
