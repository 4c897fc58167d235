import { Alert, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { WatchPreview } from '../../src/contract/console/destinations.ts'
import { RATINGS_PREVIEWED_DAYS, SPIKES_PREVIEWED_DAYS } from '../../src/model/hook-limits.ts'
import { lacksRatingRule } from '../../src/model/watch-filter.ts'
import { previewTexts } from '../messages/subscriptions.ts'
import type { Subscription } from './subscription.ts'

/** What later events are about. */
const NEW_ONLY: Partial<Record<Subscription['event_type'], string>> = {
  'rating.dropped': previewTexts.drops,
  'rating.recovered': previewTexts.recoveries,
  'reviews.spiked': previewTexts.spikes,
}

/** Whether the subscription has the fields that its preview needs. */
export function isComplete({ scope, apps, event_type, delta, threshold }: Subscription): boolean {
  const hasApps = scope === 'all' || apps.length > 0
  return hasApps && !lacksRatingRule({ eventType: event_type, delta, threshold })
}

const OF_APPS = {
  one: previewTexts.ofApp,
  several: previewTexts.ofChosenApps,
  all: previewTexts.ofAllApps,
} as const

/** Describes the subscription, and says how many of the newest reviews, or how many recent drops, recoveries or spikes, it would have sent. */
export function SubscriptionPreview({
  subscription,
  preview,
  isShown,
}: {
  readonly subscription: Subscription
  readonly preview: UseQueryResult<WatchPreview>
  /** Whether an error of the preview is shown here: it is not about a field. */
  readonly isShown: boolean
}) {
  if (!isComplete(subscription)) {
    return (
      <Alert variant="light" color="gray">
        {subscription.scope === 'one' && subscription.apps.length === 0 && previewTexts.appMissing}
        {subscription.scope === 'several' && subscription.apps.length === 0 && previewTexts.appsMissing}
        {(subscription.scope === 'all' || subscription.apps.length > 0) && previewTexts.valueMissing}
      </Alert>
    )
  }
  if (preview.isError) return isShown ? <Alert color="red">{preview.error.message}</Alert> : null
  if (preview.data === undefined) return null
  const { sentence, looked, matched, apps } = preview.data
  const newOnly = NEW_ONLY[subscription.event_type]
  return (
    <Alert variant="light" aria-live="polite">
      <Text size="sm" fw={500}>
        {sentence}
      </Text>
      {newOnly !== undefined && (
        <Text size="sm">
          {previewTexts.wouldHaveSent(
            matched,
            subscription.event_type === 'reviews.spiked' ? SPIKES_PREVIEWED_DAYS : RATINGS_PREVIEWED_DAYS,
            newOnly,
          )}
        </Text>
      )}
      {apps.counted < apps.total && (
        <Text size="sm">{previewTexts.appsCounted(apps.counted, apps.total)}</Text>
      )}
      {subscription.event_type === 'review.created' && looked > 0 && (
        <Text size="sm">
          {previewTexts.wouldHaveSentReviews(matched, looked, OF_APPS[subscription.scope])}
        </Text>
      )}
    </Alert>
  )
}
