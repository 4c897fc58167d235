import { Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { destinationsQuery } from '../../data/destinations.ts'
import { overviewTexts } from '../../messages/overview.tsx'
import { AnchorLink } from '../../ui/links.tsx'
import { Section } from '../../ui/Section.tsx'
import { destinationName } from '../../util/destination-name.ts'
import { DestinationState } from '../destination/DestinationState.tsx'

/** The active destinations whose attempts fail. Hidden if there are none. */
export function FailingDestinations() {
  const destinations = useQuery(destinationsQuery)
  const failing = destinations.data?.filter(
    ({ status, health }) => status === 'active' && health.failingSince !== null,
  )
  if (failing === undefined || failing.length === 0) return null
  return (
    <Section title={overviewTexts.failingDestinations}>
      <Stack gap="xs">
        {failing.map((line) => (
          <Group key={line.id} gap="xs">
            <DestinationState line={line} />
            <AnchorLink to="/destinations/$id" params={{ id: line.id }} style={{ overflowWrap: 'anywhere' }}>
              {destinationName(line)}
            </AnchorLink>
            <Text size="sm" c="dimmed">
              {overviewTexts.pendingEvents(line.health.pending)}
            </Text>
          </Group>
        ))}
      </Stack>
    </Section>
  )
}
