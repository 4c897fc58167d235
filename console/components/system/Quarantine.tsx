import { Anchor, Stack, Table, Text } from '@mantine/core'
import type { SystemView } from '../../../src/contract/console/system.ts'
import { consoleUrl } from '../../data/request.ts'
import { Instant } from '../../ui/Instant.tsx'
import { ListTable } from '../../ui/ListTable.tsx'
import { number } from '../../util/numbers.ts'
import { FeedCell } from './FeedCell.tsx'

/** Rows of store pages that could not be parsed, last seen first. */
export function Quarantine({ quarantine }: { readonly quarantine: SystemView['quarantine'] }) {
  const { total, rows } = quarantine
  return (
    <Stack gap="xs">
      <Text size="sm">
        {total > rows.length ? `Latest ${number(rows.length)} of ${number(total)} rows. ` : ''}
        <Anchor href={consoleUrl('/system/quarantine')} download size="sm">
          Download with raw data
        </Anchor>
      </Text>
      <ListTable
        label="Quarantine"
        minWidth={720}
        columns={['Feed', 'Row', 'Reason', 'First seen', 'Last seen']}
      >
        {rows.map((row) => (
          <Table.Tr key={`${row.feedId} ${row.rowKey}`}>
            <FeedCell feed={{ ...row, kind: 'reviews' }} />
            <Table.Td className="untrusted-text">{row.rowKey.slice(0, 40)}</Table.Td>
            <Table.Td className="untrusted-text">{row.reason}</Table.Td>
            <Table.Td>
              <Instant at={row.firstSeenAt} />
            </Table.Td>
            <Table.Td>
              <Instant at={row.lastSeenAt} />
            </Table.Td>
          </Table.Tr>
        ))}
      </ListTable>
    </Stack>
  )
}
