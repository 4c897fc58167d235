import { Alert, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { AlertsPage } from '../../src/contract/v1/alerts.ts'
import { alerts } from '../data/alerts.ts'
import { alertTexts } from '../messages/account.tsx'
import { recipientTexts } from '../messages/destinations.tsx'
import { confirmDestructive, notifyDone, notifyFailed } from '../ui/confirm.tsx'
import { RowButton } from '../ui/RowButton.tsx'

/** The addresses of the settings that get no alerts, each with a button that asks its owner. */
export function AlertRecipients({ page }: { readonly page: AlertsPage }) {
  const queryClient = useQueryClient()
  const ask = useMutation({
    mutationFn: alerts.ask,
    onSuccess: (_, email) =>
      notifyDone(
        page.unsubscribed_emails.includes(email)
          ? recipientTexts.asked(email)
          : recipientTexts.askedAgain(email),
      ),
    onError: notifyFailed,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['alerts'] }),
  })
  const askToReturn = (email: string) =>
    confirmDestructive({
      title: recipientTexts.askTitle(email),
      consequence: recipientTexts.askNote,
      verb: recipientTexts.ask,
      onConfirm: () => ask.mutate(email),
    })
  return (
    <>
      <AddressesToAsk
        title={alertTexts.unconfirmedTitle}
        emails={page.unconfirmed_emails}
        note={alertTexts.unconfirmedNote}
        verb={recipientTexts.askAgain}
        onAsk={(email) => ask.mutate(email)}
      />
      <AddressesToAsk
        title={alertTexts.unsubscribedTitle}
        emails={page.unsubscribed_emails}
        note={alertTexts.unsubscribedNote}
        verb={recipientTexts.ask}
        onAsk={askToReturn}
      />
    </>
  )
}

type AddressesProps = {
  readonly title: string
  readonly emails: readonly string[]
  readonly note: string
  readonly verb: string
  readonly onAsk: (email: string) => void
}

function AddressesToAsk({ title, emails, note, verb, onAsk }: AddressesProps) {
  if (emails.length === 0) return null
  return (
    <Alert color="orange" title={title}>
      <Stack gap={4}>
        <Text size="sm">{note}</Text>
        {emails.map((email) => (
          <Group key={email} justify="space-between" gap={0}>
            <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
              {email}
            </Text>
            <RowButton verb={verb} of={email} onClick={() => onAsk(email)} />
          </Group>
        ))}
      </Stack>
    </Alert>
  )
}
