import { Table } from '@mantine/core'
import type { SystemView } from '../../../src/contract/console/system.ts'
import { nodeTexts } from '../../messages/system.tsx'
import { Instant } from '../../ui/Instant.tsx'
import { ListTable } from '../../ui/ListTable.tsx'
import { decimal } from '../../util/numbers.ts'

/** The processes of this installation. */
export function Nodes({ nodes }: { readonly nodes: SystemView['nodes'] }) {
  return (
    <ListTable
      label={nodeTexts.label}
      minWidth={560}
      columns={[
        nodeTexts.node,
        nodeTexts.version,
        nodeTexts.roles,
        nodeTexts.started,
        nodeTexts.lastHeartbeat,
        nodeTexts.clock,
      ]}
    >
      {nodes.map((node) => (
        <Table.Tr key={node.id}>
          <Table.Td>{node.id.slice(0, 13)}</Table.Td>
          <Table.Td>{node.version}</Table.Td>
          <Table.Td>{node.roles.join(', ')}</Table.Td>
          <Table.Td>
            <Instant at={node.startedAt} />
          </Table.Td>
          <Table.Td>
            <Instant at={node.seenAt} />
          </Table.Td>
          <Table.Td>{skewOf(node.skewMs)}</Table.Td>
        </Table.Tr>
      ))}
    </ListTable>
  )
}

/** The offset of a node's clock from the database's. */
function skewOf(skewMs: number | null): string {
  if (skewMs === null) return ''
  const seconds = decimal(Math.abs(skewMs) / 1_000, 1)
  if (Math.abs(skewMs) < 100) return nodeTexts.inSync
  return skewMs > 0 ? nodeTexts.ahead(seconds) : nodeTexts.behind(seconds)
}
