import { Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { AlertLine, AlertsPage } from '../../src/contract/v1/alerts.ts'
import { alertsQuery } from '../data/alerts.ts'
import { useSession } from '../data/session.ts'
import { AlertsForm } from '../forms/AlertsForm.tsx'
import { alertTexts } from '../messages/account.tsx'
import { commonTexts } from '../messages/common.ts'
import { Instant } from '../ui/Instant.tsx'
import { ListTable } from '../ui/ListTable.tsx'
import { Section } from '../ui/Section.tsx'
import { Failed, LoadingLines } from '../ui/States.tsx'
import { StatusBadge } from './StatusBadge.tsx'

const CHANNEL_NAMES = { email: commonTexts.email, webhook: alertTexts.channelWebhook } as const

/** Alerts of the account. Owners edit the settings; every member sees recent alerts. */
export function Alerts() {
  const session = useSession()
  const page = useQuery(alertsQuery)
  return (
    <Section title={alertTexts.title} about={alertTexts.about}>
      <Stack>
        {page.isPending && <LoadingLines lines={3} />}
        {page.isError && <Failed error={page.error} onRetry={() => page.refetch()} />}
        {page.data !== undefined &&
          (session.role === 'owner' ? <AlertsForm page={page.data} /> : <Summary page={page.data} />)}
        {page.data !== undefined && page.data.recent.length > 0 && <Recent lines={page.data.recent} />}
      </Stack>
    </Section>
  )
}

function Summary({ page: { settings } }: { readonly page: AlertsPage }) {
  const recipients = [...settings.emails, ...(settings.webhook_url === null ? [] : [settings.webhook_url])]
  return (
    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {settings.enabled ? alertTexts.sentTo(recipients.join(', ')) : alertTexts.isOff} {alertTexts.ownersOnly}
    </Text>
  )
}

function Recent({ lines }: { readonly lines: readonly AlertLine[] }) {
  return (
    <ListTable
      label={alertTexts.recent}
      minWidth={560}
      columns={[commonTexts.state, alertTexts.alert, alertTexts.channel, commonTexts.created]}
    >
      {lines.map((line) => (
        <Table.Tr key={line.id}>
          <Table.Td>
            <StatusBadge status={line.status} />
          </Table.Td>
          <Table.Td style={{ overflowWrap: 'anywhere' }}>
            {line.title}
            {line.problem !== null && (
              <Text size="xs" c="dimmed">
                {line.problem}
              </Text>
            )}
          </Table.Td>
          <Table.Td>{CHANNEL_NAMES[line.channel]}</Table.Td>
          <Table.Td>
            <Instant at={line.created_at} />
          </Table.Td>
        </Table.Tr>
      ))}
    </ListTable>
  )
}
