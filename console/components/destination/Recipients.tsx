import { Badge, Table, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { DestinationPage, RecipientView } from '../../../src/contract/console/destinations.ts'
import { destinations, useDestinationChanged } from '../../data/destinations.ts'
import { commonTexts } from '../../messages/common.ts'
import { recipientTexts } from '../../messages/destinations.tsx'
import { confirmDestructive, notifyDone, notifyFailed } from '../../ui/confirm.tsx'
import { Instant } from '../../ui/Instant.tsx'
import { ListTable } from '../../ui/ListTable.tsx'
import { RowButton } from '../../ui/RowButton.tsx'
import { Section } from '../../ui/Section.tsx'
import { useMayChange } from '../MayChange.tsx'

/** Who gets the mails of a destination, and who unsubscribed or has not confirmed. */
export function Recipients({ page }: { readonly page: DestinationPage }) {
  const mayChange = useMayChange()
  const refresh = useDestinationChanged(page.id)
  const subscribe = useMutation({
    mutationFn: ({ id }: RecipientView) => destinations.subscribeRecipient(page.id, id),
    onSuccess: (_, { address, unconfirmedSince }) =>
      notifyDone(
        unconfirmedSince === null ? recipientTexts.asked(address) : recipientTexts.askedAgain(address),
      ),
    onError: notifyFailed,
    onSettled: refresh,
  })
  const ask = (recipient: RecipientView) =>
    confirmDestructive({
      title: recipientTexts.askTitle(recipient.address),
      consequence: recipientTexts.askNote,
      verb: recipientTexts.ask,
      onConfirm: () => subscribe.mutate(recipient),
    })
  return (
    <Section title={recipientTexts.title} about={recipientTexts.about}>
      <ListTable
        label={recipientTexts.title}
        minWidth={420}
        columns={[recipientTexts.address, commonTexts.state]}
        actions={mayChange}
      >
        {page.recipients.map((recipient) => (
          <Table.Tr key={recipient.id}>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{recipient.address}</Table.Td>
            <Table.Td>
              <State recipient={recipient} />
            </Table.Td>
            {mayChange && (
              <Table.Td ta="right">
                {recipient.unconfirmedSince !== null && (
                  <RowButton
                    verb={recipientTexts.askAgain}
                    of={recipient.address}
                    onClick={() => subscribe.mutate(recipient)}
                  />
                )}
                {recipient.unsubscribedAt !== null && (
                  <RowButton
                    verb={recipientTexts.ask}
                    of={recipient.address}
                    onClick={() => ask(recipient)}
                  />
                )}
              </Table.Td>
            )}
          </Table.Tr>
        ))}
      </ListTable>
    </Section>
  )
}

function State({ recipient }: { readonly recipient: RecipientView }) {
  const { unsubscribedAt, unconfirmedSince } = recipient
  if (unconfirmedSince !== null)
    return <Text size="sm">{recipientTexts.unconfirmed(<Instant at={unconfirmedSince} />)}</Text>
  if (unsubscribedAt === null) {
    return (
      <Badge variant="light" color="teal" tt="none">
        {recipientTexts.subscribed}
      </Badge>
    )
  }
  return <Text size="sm">{recipientTexts.unsubscribed(<Instant at={unsubscribedAt} />)}</Text>
}
