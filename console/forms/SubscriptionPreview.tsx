import { Alert, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { WatchPreview } from '../../src/contract/console/destinations.ts'
import { RATINGS_PREVIEWED_DAYS, SPIKES_PREVIEWED_DAYS } from '../../src/model/hook-limits.ts'
import { hasRatingRule } from '../../src/model/vocabulary.ts'
import { counted, number } from '../util/numbers.ts'
import type { Subscription } from './subscription.ts'

/** What later events are about. */
const NEW_ONLY: Partial<Record<Subscription['eventType'], string>> = {
  'rating.dropped': 'drops',
  'rating.recovered': 'recoveries',
  'reviews.spiked': 'spikes',
}

/** Whether the subscription has the fields that its preview needs. */
export function isComplete({ scope, apps, eventType, delta, threshold }: Subscription): boolean {
  const hasApps = scope === 'all' || apps.length > 0
  return hasApps && (!hasRatingRule(eventType) || delta != null || threshold != null)
}

const OF_APPS = { one: ' of the app', several: ' of the chosen apps', all: ' of all apps' } as const

/** Describes the subscription, and says how many of the newest reviews it would have sent. */
export function SubscriptionPreview({
  watch,
  preview,
  isShown,
}: {
  readonly watch: Subscription
  readonly preview: UseQueryResult<WatchPreview>
  /** Whether an error of the preview is shown here: it is not about a field. */
  readonly isShown: boolean
}) {
  if (!isComplete(watch)) {
    return (
      <Alert variant="light" color="gray">
        {watch.scope === 'one' && watch.apps.length === 0 && 'Choose an app.'}
        {watch.scope === 'several' && watch.apps.length === 0 && 'Choose at least one app.'}
        {(watch.scope === 'all' || watch.apps.length > 0) && 'Enter at least one of the two values.'}
      </Alert>
    )
  }
  if (preview.isError) return isShown ? <Alert color="red">{preview.error.message}</Alert> : null
  if (preview.data === undefined) return null
  const { sentence, looked, matched } = preview.data
  return (
    <Alert variant="light" aria-live="polite">
      <Text size="sm" fw={500}>
        {sentence}
      </Text>
      {NEW_ONLY[watch.eventType] !== undefined && looked > 0 && (
        <Text size="sm">
          It would have sent {counted(matched, 'event')} in the last{' '}
          {watch.eventType === 'reviews.spiked' ? SPIKES_PREVIEWED_DAYS : RATINGS_PREVIEWED_DAYS} days. Only
          new {NEW_ONLY[watch.eventType]} are sent.
        </Text>
      )}
      {NEW_ONLY[watch.eventType] !== undefined && looked === 0 && watch.scope !== 'one' && (
        <Text size="sm">Past {NEW_ONLY[watch.eventType]} are counted for up to 20 apps.</Text>
      )}
      {watch.eventType === 'review.created' && looked > 0 && (
        <Text size="sm">
          It would have sent {number(matched)} of the last {counted(looked, 'review')}
          {OF_APPS[watch.scope]}. Only new reviews are sent.
        </Text>
      )}
    </Alert>
  )
}
