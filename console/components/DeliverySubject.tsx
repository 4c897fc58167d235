import { Text } from '@mantine/core'
import type { DeliveryLine } from '../../src/contract/console/deliveries.ts'
import { displayName, EVENT_TYPE_NAMES } from '../../src/contract/console/display-names.ts'
import { deliveryTexts } from '../messages/deliveries.tsx'
import { ratingChange } from '../util/rating-change.ts'

/** A short title for a delivery: `Crashes on start`, `4.32 → 4.10 · US`, or `12 in an hour`. */
export function subjectText({ subject, eventType }: Pick<DeliveryLine, 'subject' | 'eventType'>): string {
  if (subject.kind === 'review') return subject.title || displayName(EVENT_TYPE_NAMES, eventType)
  if (subject.kind === 'spike') {
    return [deliveryTexts.spike(subject.count), subject.country?.toUpperCase()].filter(Boolean).join(' · ')
  }
  const { before, now } = ratingChange(subject.previous, subject.current)
  return [`${before} → ${now}`, subject.country?.toUpperCase()].filter(Boolean).join(' · ')
}

/** The event type, app and storefront of a delivery, in small print. */
export function SubjectDetail({
  line,
}: {
  readonly line: Pick<DeliveryLine, 'eventType' | 'subject' | 'appId' | 'appName'>
}) {
  const country = line.subject.kind === 'review' ? line.subject.country.toUpperCase() : null
  return (
    <Text size="xs" c="dimmed" truncate="end">
      {[displayName(EVENT_TYPE_NAMES, line.eventType), line.appName ?? line.appId, country]
        .filter(Boolean)
        .join(' · ')}
    </Text>
  )
}
