import { Accordion, Text } from '@mantine/core'
import type { DeliveryAttempt } from '../../src/contract/attempt.ts'
import { Instant } from '../ui/Instant.tsx'
import { duration } from '../util/time.ts'
import { AttemptBadge, AttemptDetail } from './AttemptDetail.tsx'

/** The attempts of a delivery, oldest first; the last one is open. */
export function AttemptHistory({ attempts }: { readonly attempts: readonly DeliveryAttempt[] }) {
  return (
    <Accordion variant="separated" multiple defaultValue={[keyOf(attempts.at(-1))]}>
      {attempts.map((attempt, index) => (
        <Accordion.Item key={keyOf(attempt)} value={keyOf(attempt)}>
          <Accordion.Control>
            <Text span fw={500}>
              {index + 1}.{' '}
            </Text>
            <AttemptBadge attempt={attempt} />{' '}
            <Text span size="sm" c="dimmed">
              <Instant at={attempt.started_at} />, {duration(attempt.timings_ms.total)}
            </Text>
          </Accordion.Control>
          <Accordion.Panel>
            <AttemptDetail attempt={attempt} summary={false} />
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  )
}

function keyOf(attempt: DeliveryAttempt | undefined): string {
  return attempt === undefined ? '' : `${attempt.started_at}/${attempt.number}`
}
