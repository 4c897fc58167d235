import { Table, Text } from '@mantine/core'
import type { AuditLine } from '../../../src/contract/console/audit.ts'
import {
  AUDIT_ACTION_NAMES,
  AUDIT_ACTOR_NAMES,
  displayName,
} from '../../../src/contract/console/display-names.ts'
import type { AuditActor } from '../../../src/model/audit.ts'
import { Instant } from '../../ui/Instant.tsx'
import { ListTable } from '../../ui/ListTable.tsx'
import { AuditTarget } from './AuditTarget.tsx'
import { actorName } from './actor-name.ts'

/** Entries of the audit log, newest first. */
export function AuditTable({ lines }: { readonly lines: readonly AuditLine[] }) {
  return (
    <ListTable
      label="Audit log"
      minWidth={860}
      columns={['Time', 'Who', 'Action', 'Target', 'Network address']}
    >
      {lines.map((line) => (
        <Table.Tr key={line.seq}>
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
              {line.clientAddress ?? '–'}
            </Text>
          </Table.Td>
        </Table.Tr>
      ))}
    </ListTable>
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
function kindOf(actor: AuditActor): string | null {
  if (actor.kind === 'command') return actor.name
  return actor.kind === 'token' ? AUDIT_ACTOR_NAMES.token : null
}
