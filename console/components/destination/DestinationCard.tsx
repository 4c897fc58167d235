import { Badge, Group, Stack, Text } from '@mantine/core'
import type { DestinationLine } from '../../../src/contract/console/destinations.ts'
import { destinationTexts } from '../../messages/destinations.tsx'
import { Instant } from '../../ui/Instant.tsx'
import { AnchorLink } from '../../ui/links.tsx'
import { HealthSpark } from '../HealthSpark.tsx'
import { TargetBadge } from '../target/TargetBadge.tsx'
import { DestinationAbout } from './DestinationAbout.tsx'
import { DestinationState, SourceBadge } from './DestinationState.tsx'
import { destinationName } from './destination-name.ts'
import { Sentences } from './Sentences.tsx'

/** A destination in the list of a narrow screen. */
export function DestinationCard({ line }: { readonly line: DestinationLine }) {
  const { health } = line
  return (
    <article aria-label={destinationName(line)}>
      <Stack gap="md">
        <Stack gap={4}>
          <AnchorLink
            to="/destinations/$id"
            params={{ id: line.id }}
            fw={600}
            style={{ overflowWrap: 'anywhere' }}
          >
            {destinationName(line)}
          </AnchorLink>
          <Badges line={line} />
          <DestinationAbout line={line} />
          <Sentences line={line} />
        </Stack>
        <Stack gap={2}>
          <HealthSpark perHour={health.perHour} />
          <Text size="xs" c="dimmed">
            {destinationTexts.delivered24h(
              health.delivered24h,
              health.p95Ms !== null && destinationTexts.latencyNote(health.p95Ms),
            )}
          </Text>
          <Text size="xs" c="dimmed">
            {health.lastDeliveredAt === null
              ? destinationTexts.noDelivery
              : destinationTexts.lastDeliveryAt(<Instant at={health.lastDeliveredAt} />)}
          </Text>
        </Stack>
      </Stack>
    </article>
  )
}

function Badges({ line }: { readonly line: DestinationLine }) {
  const { health } = line
  return (
    <Group gap="xs">
      <TargetBadge type={line.targetType} />
      <DestinationState line={line} />
      {!line.editable && <SourceBadge line={line} />}
      {health.dead > 0 && (
        <Badge variant="light" color="red" tt="none">
          {destinationTexts.deadLetterCount(health.dead)}
        </Badge>
      )}
    </Group>
  )
}
