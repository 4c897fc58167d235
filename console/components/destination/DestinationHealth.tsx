import { Card, Group, Text } from '@mantine/core'
import type { DestinationPage } from '../../../src/contract/console/destinations.ts'
import { hasReceiver, isInbox } from '../../../src/model/inbox.ts'
import { destinationTexts } from '../../messages/destinations.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Instant } from '../../ui/Instant.tsx'
import { ButtonLink } from '../../ui/links.tsx'
import { attemptSuccess, percent } from '../../util/numbers.ts'
import { duration } from '../../util/time.ts'
import { HealthSpark } from '../HealthSpark.tsx'
import { MayChange } from '../MayChange.tsx'
import { RecoveryActions } from './RecoveryActions.tsx'

/** The figures of a destination, with links to its deliveries. */
export function DestinationHealth({ page }: { readonly page: DestinationPage }) {
  const { health } = page
  const facts = [
    [destinationTexts.deliverySuccess, percent(health.successRate24h)],
    [destinationTexts.attemptSuccess, percent(attemptSuccess(health.delivered24h, health.failedAttempts24h))],
    [destinationTexts.deliveredFigure, health.delivered24h],
    [destinationTexts.failedAttempts, health.failedAttempts24h],
    [destinationTexts.pending, health.pending],
    [destinationTexts.deadLetters, health.dead],
    [destinationTexts.p50, latency(health.p50Ms)],
    [destinationTexts.p95, latency(health.p95Ms)],
  ] as const
  return (
    <Card withBorder component="section" aria-label={destinationTexts.health}>
      <Group justify="space-between" align="flex-start">
        <Facts facts={facts} />
        <HealthSpark perHour={health.perHour} />
      </Group>
      {health.breakerOpenUntil !== null && (
        <Text size="sm" mt="sm">
          {destinationTexts.breakerOpen(<Instant at={health.breakerOpenUntil} />)}
        </Text>
      )}
      <Group mt="sm" gap="xs">
        {isInbox(page) && (
          <ButtonLink size="xs" variant="default" to="/inbox">
            {destinationTexts.openInbox}
          </ButtonLink>
        )}
        <ButtonLink size="xs" variant="default" to="/deliveries" search={{ destination: page.id }}>
          {destinationTexts.viewDeliveries}
        </ButtonLink>
        {health.dead > 0 && (
          <ButtonLink size="xs" variant="default" to="/dead-letters" search={{ destination: page.id }}>
            {destinationTexts.viewDeadLetters}
          </ButtonLink>
        )}
        <MayChange>
          {page.status === 'active' && hasReceiver(page) && <RecoveryActions page={page} />}
        </MayChange>
      </Group>
    </Card>
  )
}

function latency(ms: number | null): string {
  return ms === null ? '–' : duration(ms)
}
