import { Accordion, Text } from '@mantine/core'
import type { AttemptView } from '../../src/contract/console/deliveries.ts'
import { Instant } from '../ui/Instant.tsx'
import { duration } from '../util/time.ts'
import { AttemptBadge, AttemptDetail } from './AttemptDetail.tsx'

/** The attempts of a delivery, oldest first; the last one is open. */
export function AttemptHistory({ attempts }: { readonly attempts: readonly AttemptView[] }) {
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
              <Instant at={attempt.startedAt} />, {duration(attempt.totalMs)}
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

function keyOf(attempt: AttemptView | undefined): string {
  return attempt === undefined ? '' : `${attempt.startedAt}/${attempt.number}`
}
