import { Badge, Group, Stack, Text } from '@mantine/core'
import type { DestinationLine } from '../../../src/contract/console/destinations.ts'
import { displayName, HOOK_SOURCE_NAMES } from '../../../src/contract/console/display-names.ts'
import { Instant } from '../../ui/Instant.tsx'
import { AnchorLink } from '../../ui/links.tsx'
import { destinationName } from '../../util/destination-name.ts'
import { counted, number } from '../../util/numbers.ts'
import { subscriptionsOf } from '../../util/subscriptions.ts'
import { duration } from '../../util/time.ts'
import { HealthSpark } from '../HealthSpark.tsx'
import { DestinationAbout } from './DestinationAbout.tsx'
import { DestinationState } from './DestinationState.tsx'

/** A destination in the list. */
export function DestinationCard({ line }: { readonly line: DestinationLine }) {
  const { health } = line
  const subscriptions = subscriptionsOf(line)
  return (
    <article aria-label={destinationName(line)}>
      <Group justify="space-between" align="flex-start" gap="md">
        <Stack gap={4} style={{ flex: '1 1 280px', minWidth: 0 }}>
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
        <Stack gap={2} align="flex-end">
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
      </Group>
    </article>
  )
}

function Badges({ line }: { readonly line: DestinationLine }) {
  const { health } = line
  return (
    <Group gap="xs">
      <DestinationState line={line} />
      {!line.editable && (
        <Badge variant="default" tt="none">
          Created via {displayName(HOOK_SOURCE_NAMES, line.source)}
        </Badge>
      )}
      {health.breakerOpenUntil !== null && (
        <Badge variant="light" color="orange" tt="none">
          Paused after failures
        </Badge>
      )}
      {health.dead > 0 && (
        <Badge variant="light" color="red" tt="none">
          {counted(health.dead, 'dead letter')}
        </Badge>
      )}
    </Group>
  )
}
