import { Badge, Group, Stack, Text } from '@mantine/core'
import type { DestinationLine } from '../../../src/contract/console/destinations.ts'
import { Instant } from '../../ui/Instant.tsx'
import { AnchorLink } from '../../ui/links.tsx'
import { destinationName } from '../../util/destination-name.ts'
import { counted, number } from '../../util/numbers.ts'
import { subscriptionsOf } from '../../util/subscriptions.ts'
import { duration } from '../../util/time.ts'
import { HealthSpark } from '../HealthSpark.tsx'
import { TargetBadge } from '../target/TargetBadge.tsx'
import { DestinationAbout } from './DestinationAbout.tsx'
import { DestinationBadges, SourceBadge } from './DestinationState.tsx'

/** A destination in the list of a narrow screen. */
export function DestinationCard({ line }: { readonly line: DestinationLine }) {
  const { health } = line
  const subscriptions = subscriptionsOf(line)
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
          {subscriptions.map((watch) => (
            <Text key={watch.id} size="sm">
              {watch.sentence}
            </Text>
          ))}
          {subscriptions.length === 0 && (
            <Text size="sm" c="dimmed">
              No subscriptions yet. No events are sent.
            </Text>
          )}
        </Stack>
        <Stack gap={2}>
          <HealthSpark perHour={health.perHour} />
          <Text size="xs" c="dimmed">
            {number(health.delivered24h)} delivered in 24 h
            {health.p95Ms !== null && `, p95 ${duration(health.p95Ms)}`}
          </Text>
          <Text size="xs" c="dimmed">
            {health.lastDeliveredAt === null ? (
              'No delivery yet'
            ) : (
              <>
                Last delivery <Instant at={health.lastDeliveredAt} />
              </>
            )}
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
      <DestinationBadges line={line} />
      {!line.editable && <SourceBadge line={line} />}
      {health.dead > 0 && (
        <Badge variant="light" color="red" tt="none">
          {counted(health.dead, 'dead letter')}
        </Badge>
      )}
    </Group>
  )
}
