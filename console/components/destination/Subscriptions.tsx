import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { DestinationPage } from '../../../src/contract/console/destinations.ts'
import { destinations, useDestinationChanged } from '../../data/destinations.ts'
import { useProblems } from '../../forms/problems.ts'
import { SubscriptionFields } from '../../forms/SubscriptionFields.tsx'
import {
  bodyOf,
  NEW_SUBSCRIPTION,
  SUBSCRIPTION_FIELDS,
  type Subscription,
  subscriptionOf,
} from '../../forms/subscription.ts'
import { useProblemFocus } from '../../forms/use-problem-focus.ts'
import { commonTexts } from '../../messages/common.ts'
import { subscriptionTexts } from '../../messages/subscriptions.ts'
import { confirmDestructive, notifyDone, notifyFailed } from '../../ui/confirm.tsx'
import { FormProblem } from '../../ui/FormProblem.tsx'
import { RowButton } from '../../ui/RowButton.tsx'
import { Section } from '../../ui/Section.tsx'
import { type StoredSubscription, subscriptionsOf } from '../../util/subscriptions.ts'

/** The subscriptions of a destination, one sentence each. Editable if the console created the destination. */
export function Subscriptions({ page }: { readonly page: DestinationPage }) {
  const [editing, setEditing] = useState<StoredSubscription | 'new' | null>(null)
  const refresh = useDestinationChanged(page.id)
  const subscriptions = subscriptionsOf(page)
  const remove = (watch: StoredSubscription) =>
    confirmDestructive({
      title: subscriptionTexts.removeTitle,
      consequence: subscriptionTexts.removeNote(watch.sentence),
      verb: subscriptionTexts.remove,
      onConfirm: async () => {
        try {
          await destinations.unsubscribe(page.id, watch.kind, watch.id)
          await refresh()
        } catch (error) {
          notifyFailed(error)
        }
      },
    })
  return (
    <Section
      title={subscriptionTexts.title}
      actions={
        page.editable && (
          <Button size="xs" variant="light" onClick={() => setEditing('new')}>
            {subscriptionTexts.add}
          </Button>
        )
      }
    >
      <Stack gap="sm">
        {subscriptions.length === 0 && <Text c="dimmed">{subscriptionTexts.empty}</Text>}
        {subscriptions.map((watch) => (
          <Group key={watch.id} justify="space-between" wrap="nowrap" align="flex-start">
            <Text style={{ flex: 1 }}>{watch.sentence}</Text>
            {page.editable && (
              <Group gap={4} wrap="nowrap">
                <RowButton
                  verb={subscriptionTexts.edit}
                  of={watch.sentence}
                  onClick={() => setEditing(watch)}
                />
                <RowButton
                  verb={subscriptionTexts.remove}
                  of={watch.sentence}
                  destructive
                  onClick={() => remove(watch)}
                />
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
  readonly watch: StoredSubscription | null
  readonly onClose: () => void
  readonly onDone: () => Promise<void>
}) {
  const [watch, setWatch] = useState<Subscription>(
    props.watch === null ? NEW_SUBSCRIPTION : subscriptionOf(props.watch),
  )
  const save = useMutation({
    mutationFn: () =>
      props.watch === null
        ? destinations.subscribe(props.page.id, bodyOf(watch))
        : destinations.changeSubscription(props.page.id, props.watch, bodyOf(watch)),
    onSuccess: async () => {
      notifyDone(props.watch === null ? subscriptionTexts.added : subscriptionTexts.saved)
      await props.onDone()
      props.onClose()
    },
  })
  const problems = useProblems(save.error, SUBSCRIPTION_FIELDS)
  const fields = useProblemFocus<HTMLDivElement>(save.submittedAt, save.error)
  return (
    <Modal
      opened
      onClose={props.onClose}
      title={props.watch === null ? subscriptionTexts.add : subscriptionTexts.editTitle}
      size="lg"
    >
      <Stack ref={fields}>
        <FormProblem error={problems.beside} />
        <SubscriptionFields watch={watch} onChange={setWatch} error={save.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={props.onClose}>
            {commonTexts.cancel}
          </Button>
          <Button loading={save.isPending} onClick={() => save.mutate()}>
            {props.watch === null ? subscriptionTexts.submit : commonTexts.save}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
