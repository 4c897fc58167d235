import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { DestinationPage } from '../../../src/contract/console/destinations.ts'
import { destinations, useDestinationChanged } from '../../data/destinations.ts'
import { SubscriptionModal } from '../../forms/SubscriptionModal.tsx'
import { destinationTexts } from '../../messages/destinations.tsx'
import { subscriptionTexts } from '../../messages/subscriptions.ts'
import { confirmDestructive, notifyFailed } from '../../ui/confirm.tsx'
import { Instant } from '../../ui/Instant.tsx'
import { RowButton } from '../../ui/RowButton.tsx'
import { Section } from '../../ui/Section.tsx'
import { type StoredSubscription, subscriptionsOf } from '../../util/subscriptions.ts'
import { useMayChange } from '../MayChange.tsx'

/** The subscriptions of a destination, one sentence each. Editable if the console created the destination. */
export function Subscriptions({ page }: { readonly page: DestinationPage }) {
  const [editing, setEditing] = useState<StoredSubscription | 'new' | null>(null)
  const refresh = useDestinationChanged(page.id)
  const subscriptions = subscriptionsOf(page)
  const remove = (subscription: StoredSubscription) =>
    confirmDestructive({
      title: subscriptionTexts.removeTitle,
      consequence: subscriptionTexts.removeNote(subscription.sentence),
      verb: subscriptionTexts.remove,
      onConfirm: async () => {
        try {
          await destinations.unsubscribe(page.id, subscription.kind, subscription.id)
          await refresh()
        } catch (error) {
          notifyFailed(error)
        }
      },
    })
  const isEditable = useMayChange() && page.editable
  return (
    <Section
      title={subscriptionTexts.title}
      actions={
        isEditable && (
          <Button size="xs" variant="light" onClick={() => setEditing('new')}>
            {subscriptionTexts.add}
          </Button>
        )
      }
    >
      <Stack gap="sm">
        {subscriptions.length === 0 && <Text c="dimmed">{subscriptionTexts.empty}</Text>}
        {subscriptions.map((subscription) => (
          <Group key={subscription.id} justify="space-between" wrap="nowrap" align="flex-start">
            <Text style={{ flex: 1 }}>{subscription.sentence}</Text>
            {isEditable && (
              <Group gap={4} wrap="nowrap">
                <RowButton
                  verb={subscriptionTexts.edit}
                  of={subscription.sentence}
                  onClick={() => setEditing(subscription)}
                />
                <RowButton
                  verb={subscriptionTexts.remove}
                  of={subscription.sentence}
                  destructive
                  onClick={() => remove(subscription)}
                />
              </Group>
            )}
          </Group>
        ))}
        {page.firstReviewsAt !== null && (
          <Text size="sm" c="dimmed">
            {destinationTexts.firstReviews(<Instant at={page.firstReviewsAt} as="estimate" />)}
          </Text>
        )}
      </Stack>
      {editing !== null && (
        <SubscriptionModal
          destinationId={page.id}
          stored={editing === 'new' ? null : editing}
          onClose={() => setEditing(null)}
          onDone={refresh}
        />
      )}
    </Section>
  )
}
