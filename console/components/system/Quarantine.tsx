import { Anchor, Stack, Table, Text } from '@mantine/core'
import type { SystemView } from '../../../src/contract/console/system.ts'
import { downloadUrl } from '../../data/request.ts'
import { quarantineTexts } from '../../messages/system.tsx'
import { Instant } from '../../ui/Instant.tsx'
import { ListTable } from '../../ui/ListTable.tsx'
import { FeedCell } from './FeedCell.tsx'

/** Rows of store pages that could not be parsed, last seen first. */
export function Quarantine({ quarantine }: { readonly quarantine: SystemView['quarantine'] }) {
  const { total, rows } = quarantine
  return (
    <Stack gap="xs">
      <Text size="sm">
        {total > rows.length ? quarantineTexts.latest(rows.length, total) : ''}
        <Anchor href={downloadUrl('/console/system/quarantine')} download size="sm">
          {quarantineTexts.download}
        </Anchor>
      </Text>
      <ListTable
        label={quarantineTexts.label}
        minWidth={720}
        columns={[
          quarantineTexts.feed,
          quarantineTexts.row,
          quarantineTexts.reason,
          quarantineTexts.firstSeen,
          quarantineTexts.lastSeen,
        ]}
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
