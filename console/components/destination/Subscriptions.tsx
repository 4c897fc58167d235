import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { DestinationPage, WatchBody, WatchView } from '../../../src/contract/console/destinations.ts'
import { destinations, useDestinationChanged } from '../../data/destinations.ts'
import { SubscriptionFields } from '../../forms/SubscriptionFields.tsx'
import { NEW_SUBSCRIPTION } from '../../forms/subscription.ts'
import { confirmDestructive, notifyDone, notifyFailed } from '../../ui/confirm.tsx'
import { FormProblem } from '../../ui/FormProblem.tsx'
import { RowButton } from '../../ui/RowButton.tsx'
import { Section } from '../../ui/Section.tsx'

/** The subscriptions of a destination, one sentence each. Editable if the console created the destination. */
export function Subscriptions({ page }: { readonly page: DestinationPage }) {
  const [editing, setEditing] = useState<WatchView | 'new' | null>(null)
  const refresh = useDestinationChanged(page.id)
  const remove = (watch: WatchView) =>
    confirmDestructive({
      title: 'Remove this subscription?',
      consequence: `No longer sent: ${watch.sentence} Pending deliveries are still sent.`,
      verb: 'Remove',
      onConfirm: async () => {
        try {
          await destinations.removeWatch(page.id, watch.id)
          await refresh()
        } catch (error) {
          notifyFailed(error)
        }
      },
    })
  return (
    <Section
      title="Subscriptions"
      actions={
        page.editable && (
          <Button size="xs" variant="light" onClick={() => setEditing('new')}>
            Add a subscription
          </Button>
        )
      }
    >
      <Stack gap="sm">
        {page.watches.length === 0 && <Text c="dimmed">No subscriptions yet. No events are sent.</Text>}
        {page.watches.map((watch) => (
          <Group key={watch.id} justify="space-between" wrap="nowrap" align="flex-start">
            <Text style={{ flex: 1 }}>{watch.sentence}</Text>
            {page.editable && (
              <Group gap={4} wrap="nowrap">
                <RowButton verb="Edit" of={watch.sentence} onClick={() => setEditing(watch)} />
                <RowButton verb="Remove" of={watch.sentence} destructive onClick={() => remove(watch)} />
              </Group>
            )}
          </Group>
        ))}
      </Stack>
      {editing !== null && (
        <SubscriptionModal
          page={page}
          watch={editing === 'new' ? null : editing}
          onClose={() => setEditing(null)}
          onDone={refresh}
        />
      )}
    </Section>
  )
}

function SubscriptionModal(props: {
  readonly page: DestinationPage
  readonly watch: WatchView | null
  readonly onClose: () => void
  readonly onDone: () => Promise<void>
}) {
  const [watch, setWatch] = useState<WatchBody>(props.watch === null ? NEW_SUBSCRIPTION : bodyOf(props.watch))
  const save = useMutation({
    mutationFn: () =>
      props.watch === null
        ? destinations.addWatch(props.page.id, watch)
        : destinations.changeWatch(props.page.id, props.watch.id, watch),
    onSuccess: async () => {
      notifyDone(
        props.watch === null
          ? 'Subscription added. It applies to new events.'
          : 'Subscription saved. It applies to new events.',
      )
      await props.onDone()
      props.onClose()
    },
  })
  return (
    <Modal
      opened
      onClose={props.onClose}
      title={props.watch === null ? 'Add a subscription' : 'Edit the subscription'}
      size="lg"
    >
      <Stack>
        <FormProblem error={save.error} />
        <SubscriptionFields watch={watch} onChange={setWatch} />
        <Group justify="flex-end">
          <Button variant="default" onClick={props.onClose}>
            Cancel
          </Button>
          <Button loading={save.isPending} onClick={() => save.mutate()}>
            {props.watch === null ? 'Add' : 'Save'}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

function bodyOf(watch: WatchView): WatchBody {
  const { store, appId, eventType, storefront, minStars, maxStars, delta, threshold, rules } = watch
  return { store, appId, eventType, storefront, minStars, maxStars, delta, threshold, rules }
}
