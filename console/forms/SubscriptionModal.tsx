import { Button, Group, Modal, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { destinations } from '../data/destinations.ts'
import { commonTexts } from '../messages/common.ts'
import { subscriptionTexts } from '../messages/subscriptions.ts'
import { notifyDone } from '../ui/confirm.tsx'
import { FormProblem } from '../ui/FormProblem.tsx'
import type { StoredSubscription } from '../util/subscriptions.ts'
import { useProblems } from './problems.ts'
import { SubscriptionFields } from './SubscriptionFields.tsx'
import {
  bodyOf,
  NEW_SUBSCRIPTION,
  SUBSCRIPTION_FIELDS,
  type Subscription,
  subscriptionOf,
} from './subscription.ts'
import { useProblemFocus } from './use-problem-focus.ts'

/** Adds a subscription to a destination, or changes a stored one. */
export function SubscriptionModal({
  destinationId,
  stored,
  onClose,
  onDone,
}: {
  readonly destinationId: string
  readonly stored: StoredSubscription | null
  readonly onClose: () => void
  readonly onDone: () => Promise<void>
}) {
  const [subscription, setSubscription] = useState<Subscription>(
    stored === null ? NEW_SUBSCRIPTION : subscriptionOf(stored),
  )
  const save = useMutation({
    mutationFn: () =>
      stored === null
        ? destinations.subscribe(destinationId, bodyOf(subscription))
        : destinations.changeSubscription(destinationId, stored, bodyOf(subscription)),
    onSuccess: async () => {
      notifyDone(stored === null ? subscriptionTexts.added : subscriptionTexts.saved)
      await onDone()
      onClose()
    },
  })
  const problems = useProblems(save.error, SUBSCRIPTION_FIELDS)
  const fields = useProblemFocus<HTMLDivElement>(save.submittedAt, save.error)
  return (
    <Modal
      opened
      onClose={onClose}
      title={stored === null ? subscriptionTexts.add : subscriptionTexts.editTitle}
      size="lg"
    >
      <Stack ref={fields}>
        <FormProblem error={problems.beside} />
        <SubscriptionFields subscription={subscription} onChange={setSubscription} error={save.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {commonTexts.cancel}
          </Button>
          <Button loading={save.isPending} onClick={() => save.mutate()}>
            {stored === null ? subscriptionTexts.submit : commonTexts.save}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
