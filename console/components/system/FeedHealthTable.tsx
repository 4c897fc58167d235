import { Anchor, Badge, Table, Text } from '@mantine/core'
import { displayName, OUTCOME_NAMES, SOURCE_NAMES } from '../../../src/contract/console/display-names.ts'
import type { SystemView } from '../../../src/contract/console/system.ts'
import { downloadUrl } from '../../data/request.ts'
import { feedHealthTexts } from '../../messages/system.tsx'
import { Instant } from '../../ui/Instant.tsx'
import { ListTable } from '../../ui/ListTable.tsx'
import { FeedCell } from './FeedCell.tsx'

const COLUMNS = [
  feedHealthTexts.feed,
  feedHealthTexts.lastResult,
  feedHealthTexts.detail,
  feedHealthTexts.failingSince,
  feedHealthTexts.rawResponse,
]

/** Every feed with the result of its last check, failing feeds first. */
export function FeedHealthTable({ feeds }: { readonly feeds: SystemView['feeds'] }) {
  if (feeds.length === 0) return <Text c="dimmed">{feedHealthTexts.empty}</Text>
  return (
    <ListTable label={feedHealthTexts.label} minWidth={720} columns={COLUMNS}>
      {feeds.map((feed) => (
        <Table.Tr key={feed.id}>
          <FeedCell feed={feed} />
          <Table.Td>
            <Badge variant="light" color={feed.failingSince === null ? 'gray' : 'orange'} tt="none">
              {feed.outcome === null ? feedHealthTexts.notChecked : displayName(OUTCOME_NAMES, feed.outcome)}
            </Badge>
            {feed.source !== null && (
              <Text size="xs" c="dimmed">
                {displayName(SOURCE_NAMES, feed.source)}
              </Text>
            )}
          </Table.Td>
          <Table.Td className="untrusted-text">{feed.detail}</Table.Td>
          <Table.Td>
            <Instant at={feed.failingSince} />
          </Table.Td>
          <Table.Td>
            {feed.hasRawAnswer ? (
              <Anchor href={downloadUrl(`/console/system/feeds/${feed.id}/raw`)} download size="sm">
                {feedHealthTexts.download}
              </Anchor>
            ) : (
              '–'
            )}
          </Table.Td>
        </Table.Tr>
      ))}
    </ListTable>
  )
}
