import { Alert, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { WatchPreview } from '../../src/contract/console/destinations.ts'
import { counted, number } from '../util/numbers.ts'
import type { Subscription } from './subscription.ts'

/** Whether the subscription has the fields that its preview needs. */
export function isComplete({ scope, apps, eventType, delta, threshold }: Subscription): boolean {
  const hasApps = scope === 'all' || apps.length > 0
  return hasApps && (eventType === 'review.created' || delta != null || threshold != null)
}

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
      {watch.eventType === 'rating.dropped' && looked > 0 && (
        <Text size="sm">
          It would have sent {counted(matched, 'event')} in the last 90 days. Only new drops are sent.
        </Text>
      )}
      {watch.eventType === 'review.created' && looked > 0 && (
        <Text size="sm">
          It would have sent {number(matched)} of the last {counted(looked, 'review')}. Only new reviews are
          sent.
        </Text>
      )}
    </Alert>
  )
}
