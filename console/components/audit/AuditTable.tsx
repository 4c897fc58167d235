import { Table, Text } from '@mantine/core'
import { AUDIT_ACTION_NAMES, AUDIT_ACTOR_NAMES } from '../../../src/contract/console/audit-names.ts'
import { displayName } from '../../../src/contract/console/display-names.ts'
import type { AuditLine } from '../../../src/contract/v1/audit-log.ts'
import { auditTexts } from '../../messages/audit.ts'
import { Instant } from '../../ui/Instant.tsx'
import { ScrollRegion } from '../../ui/ScrollRegion.tsx'
import { VirtualBody } from '../../ui/table/VirtualBody.tsx'
import { AuditTarget } from './AuditTarget.tsx'
import { actorName } from './actor-name.ts'

const COLUMNS = [
  auditTexts.time,
  auditTexts.who,
  auditTexts.action,
  auditTexts.target,
  auditTexts.networkAddress,
]
const ROW_HEIGHT_PX = 58

/** Entries of the audit log, newest first. */
export function AuditTable({ lines }: { readonly lines: readonly AuditLine[] }) {
  return (
    <ScrollRegion label={auditTexts.title}>
      <Table miw={860} aria-rowcount={lines.length + 1}>
        <Table.Thead>
          <Table.Tr aria-rowindex={1}>
            {COLUMNS.map((column) => (
              <Table.Th key={column}>{column}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <VirtualBody rows={lines} columnCount={COLUMNS.length} estimatedPx={ROW_HEIGHT_PX}>
          {(line, props) => (
            <Table.Tr key={line.id} {...props}>
              <Table.Td>
                <Instant at={line.at} as="clock" />
              </Table.Td>
              <Table.Td maw={220} style={{ overflowWrap: 'anywhere' }}>
                {actorName(line.actor)}
                <Detail text={kindOf(line.actor)} />
              </Table.Td>
              <Table.Td maw={280} style={{ overflowWrap: 'anywhere' }}>
                {displayName(AUDIT_ACTION_NAMES, line.action)}
                <Detail text={line.detail} />
              </Table.Td>
              <Table.Td maw={260}>
                <AuditTarget line={line} />
              </Table.Td>
              <Table.Td>
                <Text size="sm" ff="monospace">
                  {line.client_address ?? '–'}
                </Text>
              </Table.Td>
            </Table.Tr>
          )}
        </VirtualBody>
      </Table>
    </ScrollRegion>
  )
}

function Detail({ text }: { readonly text: string | null }) {
  if (text === null) return null
  return (
    <Text size="xs" c="dimmed">
      {text}
    </Text>
  )
}

/** Null for members, whose name is their e-mail address. */
function kindOf(actor: AuditLine['actor']): string | null {
  if (actor.kind === 'command') return actor.name
  return actor.kind === 'token' ? AUDIT_ACTOR_NAMES.token : null
}
