import { Card, Group, Text } from '@mantine/core'
import type { DestinationPage } from '../../../src/contract/console/destinations.ts'
import { hasReceiver, isInbox } from '../../../src/model/inbox.ts'
import { Facts } from '../../ui/Facts.tsx'
import { Instant } from '../../ui/Instant.tsx'
import { ButtonLink } from '../../ui/links.tsx'
import { attemptSuccess, percent } from '../../util/numbers.ts'
import { duration } from '../../util/time.ts'
import { HealthSpark } from '../HealthSpark.tsx'
import { RecoveryActions } from './RecoveryActions.tsx'

/** The figures of a destination, with links to its deliveries. */
export function DestinationHealth({ page }: { readonly page: DestinationPage }) {
  const { health } = page
  const facts = [
    ['Delivery success (24 h)', percent(health.successRate24h)],
    ['Attempt success (24 h)', percent(attemptSuccess(health.delivered24h, health.failedAttempts24h))],
    ['Delivered (24 h)', health.delivered24h],
    ['Failed attempts (24 h)', health.failedAttempts24h],
    ['Pending', health.pending],
    ['Dead letters', health.dead],
    ['p50 latency', latency(health.p50Ms)],
    ['p95 latency', latency(health.p95Ms)],
  ] as const
  return (
    <Card withBorder component="section" aria-label="Health">
      <Group justify="space-between" align="flex-start">
        <Facts facts={facts} />
        <HealthSpark perHour={health.perHour} />
      </Group>
      {health.breakerOpenUntil !== null && (
        <Text size="sm" mt="sm">
          Paused after repeated failures. Next attempt <Instant at={health.breakerOpenUntil} />. An accepted
          test event resumes it now.
        </Text>
      )}
      <Group mt="sm" gap="xs">
        {isInbox(page) && (
          <ButtonLink size="xs" variant="default" to="/inbox">
            Open the inbox
          </ButtonLink>
        )}
        <ButtonLink size="xs" variant="default" to="/deliveries" search={{ destination: page.id }}>
          View deliveries
        </ButtonLink>
        {health.dead > 0 && (
          <ButtonLink size="xs" variant="default" to="/dead-letters" search={{ destination: page.id }}>
            View dead letters
          </ButtonLink>
        )}
        {page.status === 'active' && hasReceiver(page) && <RecoveryActions page={page} />}
      </Group>
    </Card>
  )
}

function latency(ms: number | null): string {
  return ms === null ? '–' : duration(ms)
}
