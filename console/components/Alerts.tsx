import { Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { AlertLine, AlertsPage } from '../../src/contract/console/alerts.ts'
import { alertsQuery } from '../data/alerts.ts'
import { useSession } from '../data/session.ts'
import { AlertsForm } from '../forms/AlertsForm.tsx'
import { Instant } from '../ui/Instant.tsx'
import { ListTable } from '../ui/ListTable.tsx'
import { Section } from '../ui/Section.tsx'
import { Failed, LoadingLines } from '../ui/States.tsx'
import { StatusBadge } from './StatusBadge.tsx'

const CHANNEL_NAMES = { email: 'E-mail', webhook: 'Webhook' } as const

/** Alerts of the account. Owners edit the settings; every member sees recent alerts. */
export function Alerts() {
  const session = useSession()
  const page = useQuery(alertsQuery)
  return (
    <Section
      title="Alerts"
      about="Sent when a destination fails or recovers, and when a store’s feeds fail or change format. At most one per cause and hour."
    >
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
  const recipients = [...settings.emails, ...(settings.webhookUrl === null ? [] : [settings.webhookUrl])]
  return (
    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {settings.enabled ? `Sent to ${recipients.join(', ')}.` : 'Alerts are off.'} Only owners can change
      this.
    </Text>
  )
}

function Recent({ lines }: { readonly lines: readonly AlertLine[] }) {
  return (
    <ListTable label="Recent alerts" minWidth={560} columns={['State', 'Alert', 'Channel', 'Created']}>
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
            <Instant at={line.createdAt} />
          </Table.Td>
        </Table.Tr>
      ))}
    </ListTable>
  )
}
