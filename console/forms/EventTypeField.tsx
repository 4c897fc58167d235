import { SegmentedControl } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { EVENT_TYPES, type EventType } from '../../src/model/vocabulary.ts'
import { commonTexts } from '../messages/common.ts'
import { subscriptionTexts } from '../messages/subscriptions.ts'

const LABELS: Readonly<Record<EventType, string>> = {
  'review.created': subscriptionTexts.newReviews,
  'reviews.spiked': subscriptionTexts.spikes,
  'rating.dropped': subscriptionTexts.drops,
  'rating.recovered': subscriptionTexts.recoveries,
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
      aria-label={commonTexts.eventType}
      value={value}
      onChange={(chosen) => onChange(EVENT_TYPES.find((type) => type === chosen) ?? 'review.created')}
      data={ORDER.map((type) => ({ value: type, label: LABELS[type] }))}
    />
  )
}
