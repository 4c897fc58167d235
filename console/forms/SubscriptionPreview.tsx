import { Alert, List, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { WatchPreview } from '../../src/contract/console/destinations.ts'
import { RATINGS_PREVIEWED_DAYS, SPIKES_PREVIEWED_DAYS } from '../../src/model/hook-limits.ts'
import { previewTexts } from '../messages/subscriptions.ts'
import { AnchorLink } from '../ui/links.tsx'
import type { Subscription } from './subscription.ts'

/** What later events are about. */
const NEW_ONLY: Partial<Record<Subscription['event_type'], string>> = {
  'rating.dropped': previewTexts.drops,
  'rating.recovered': previewTexts.recoveries,
  'reviews.spiked': previewTexts.spikes,
}

const OF_APPS = {
  one: previewTexts.ofApp,
  several: previewTexts.ofChosenApps,
  all: previewTexts.ofAllApps,
} as const

/**
 * Describes the subscription, and says how many of the newest reviews, or how many recent drops, recoveries or spikes, it would have sent.
 */
export function SubscriptionPreview({
  subscription,
  preview,
  hint,
  isShown,
}: {
  readonly subscription: Subscription
  readonly preview: UseQueryResult<WatchPreview>
  /** What to enter first; null if nothing is missing. */
  readonly hint: string | null
  /** Whether an error of the preview is shown here: it is not about a field. */
  readonly isShown: boolean
}) {
  if (hint !== null) {
    return (
      <Alert variant="light" color="gray">
        {hint}
      </Alert>
    )
  }
  if (preview.isError) return isShown ? <Alert color="red">{preview.error.message}</Alert> : null
  if (preview.data === undefined) return null
  const { sentence, looked, matched, apps, hits } = preview.data
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
      {hits.length > 0 && (
        <List size="sm" mt={6} listStyleType="none" aria-label={previewTexts.hits}>
          {hits.map(({ fingerprint, rating, title, body }) => (
            <List.Item key={fingerprint}>
              {/* A new tab: the form is not saved yet. */}
              <AnchorLink
                to="/reviews/$fingerprint"
                params={{ fingerprint }}
                target="_blank"
                size="sm"
                underline="always"
                className="untrusted-text"
              >
                {previewTexts.hit(rating, title ?? body)}
              </AnchorLink>
            </List.Item>
          ))}
        </List>
      )}
    </Alert>
  )
}
