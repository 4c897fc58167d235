import { Group, Stack, Text } from '@mantine/core'
import type { Overview } from '../../../src/contract/console/overview.ts'
import { overviewTexts } from '../../messages/overview.tsx'
import { AnchorLink } from '../../ui/links.tsx'
import { Section } from '../../ui/Section.tsx'
import { FailingSince } from '../destination/DestinationState.tsx'
import { destinationName } from '../destination/destination-name.ts'

/** The active destinations whose attempts fail, the longest first. Hidden if there are none. */
export function FailingDestinations({ failing }: { readonly failing: Overview['failingDestinations'] }) {
  const { total, longest } = failing
  if (total === 0) return null
  return (
    <Section title={overviewTexts.failingDestinations}>
      <Stack gap="xs">
        {longest.map((line) => (
          <Group key={line.id} gap="xs">
            <FailingSince at={line.failingSince} />
            <AnchorLink to="/destinations/$id" params={{ id: line.id }} style={{ overflowWrap: 'anywhere' }}>
              {destinationName(line)}
            </AnchorLink>
            <Text size="sm" c="dimmed">
              {overviewTexts.pendingEvents(line.pending)}
            </Text>
          </Group>
        ))}
        {total > longest.length && (
          <AnchorLink to="/destinations" search={{ state: 'failing' }} size="sm">
            {overviewTexts.moreFailing(total - longest.length)}
          </AnchorLink>
        )}
      </Stack>
    </Section>
  )
}
