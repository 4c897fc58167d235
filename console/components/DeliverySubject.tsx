import { Text } from '@mantine/core'
import { displayName, EVENT_TYPE_NAMES } from '../../src/contract/console/display-names.ts'
import type { DeliveryRow } from '../../src/contract/v1/deliveries.ts'
import { deliveryTexts } from '../messages/deliveries.tsx'
import { ratingChange } from '../util/rating-change.ts'

/** A short title for a delivery: `Crashes on start`, `4.32 → 4.10 · US`, or `12 in an hour`. */
export function subjectText({ subject, event_type }: Pick<DeliveryRow, 'subject' | 'event_type'>): string {
  if (subject.kind === 'review') return subject.title || displayName(EVENT_TYPE_NAMES, event_type)
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
  readonly line: Pick<DeliveryRow, 'event_type' | 'subject' | 'app_id' | 'app_name'>
}) {
  const country = line.subject.kind === 'review' ? line.subject.country.toUpperCase() : null
  return (
    <Text size="xs" c="dimmed" truncate="end">
      {[displayName(EVENT_TYPE_NAMES, line.event_type), line.app_name ?? line.app_id, country]
        .filter(Boolean)
        .join(' · ')}
    </Text>
  )
}
