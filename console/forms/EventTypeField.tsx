import { SegmentedControl } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { EVENT_TYPES, type EventType } from '../../src/model/vocabulary.ts'

const LABELS: Readonly<Record<EventType, string>> = {
  'review.created': 'New reviews',
  'reviews.spiked': 'Review spikes',
  'rating.dropped': 'Rating drops',
  'rating.recovered': 'Rating recoveries',
}

/** Reviews first, then ratings. */
const ORDER: readonly EventType[] = ['review.created', 'reviews.spiked', 'rating.dropped', 'rating.recovered']

/** The four names do not fit beside each other. */
const NARROW = '(max-width: 639.98px)'

/** Which events a subscription sends. */
export function EventTypeField({
  value,
  onChange,
}: {
  readonly value: EventType
  readonly onChange: (eventType: EventType) => void
}) {
  const isNarrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false })
  return (
    <SegmentedControl
      orientation={isNarrow ? 'vertical' : 'horizontal'}
      fullWidth={isNarrow}
      aria-label="Event type"
      value={value}
      onChange={(chosen) => onChange(EVENT_TYPES.find((type) => type === chosen) ?? 'review.created')}
      data={ORDER.map((type) => ({ value: type, label: LABELS[type] }))}
    />
  )
}
