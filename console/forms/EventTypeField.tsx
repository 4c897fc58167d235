import { SegmentedControl } from '@mantine/core'
import { EVENT_TYPES, type EventType } from '../../src/model/vocabulary.ts'

const LABELS: Readonly<Record<EventType, string>> = {
  'review.created': 'New reviews',
  'reviews.spiked': 'Review spikes',
  'rating.dropped': 'Rating drops',
  'rating.recovered': 'Rating recoveries',
}

/** Reviews first, then ratings. */
const ORDER: readonly EventType[] = ['review.created', 'reviews.spiked', 'rating.dropped', 'rating.recovered']

/** Which events a subscription sends. */
export function EventTypeField({
  value,
  onChange,
}: {
  readonly value: EventType
  readonly onChange: (eventType: EventType) => void
}) {
  return (
    <SegmentedControl
      aria-label="Event type"
      value={value}
      onChange={(chosen) => onChange(EVENT_TYPES.find((type) => type === chosen) ?? 'review.created')}
      data={ORDER.map((type) => ({ value: type, label: LABELS[type] }))}
    />
  )
}
