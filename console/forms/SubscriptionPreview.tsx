import { Alert, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { WatchBody } from '../../src/contract/console/destinations.ts'
import { previewQuery } from '../data/destinations.ts'
import { counted, number } from '../util/numbers.ts'

/** The subscription as a sentence, and the number of recent reviews it matches. */
export function SubscriptionPreview({ watch }: { readonly watch: WatchBody }) {
  const complete =
    watch.appId !== '' &&
    (watch.eventType === 'review.created' || watch.delta != null || watch.threshold != null)
  const preview = useQuery(previewQuery(complete ? watch : null))
  if (!complete) {
    return (
      <Alert variant="light" color="gray">
        {watch.appId === '' ? 'Choose an app.' : 'Enter at least one of the two values.'}
      </Alert>
    )
  }
  if (preview.data === undefined)
    return preview.isError ? <Alert color="red">{preview.error.message}</Alert> : null
  const { sentence, looked, matched } = preview.data
  return (
    <Alert variant="light" aria-live="polite">
      <Text size="sm" fw={500}>
        {sentence}
      </Text>
      {watch.eventType === 'review.created' && looked > 0 && (
        <Text size="sm">
          It would have sent {number(matched)} of the last {counted(looked, 'review')}. Only new reviews are
          sent.
        </Text>
      )}
    </Alert>
  )
}
