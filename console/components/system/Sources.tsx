import { Table } from '@mantine/core'
import { Fragment } from 'react'
import { displayName, SOURCE_NAMES } from '../../../src/contract/console/display-names.ts'
import { FROZEN_BECAUSE, type SystemView } from '../../../src/contract/console/system.ts'
import { commonTexts } from '../../messages/common.ts'
import { sourceTexts } from '../../messages/system.tsx'
import { Instant } from '../../ui/Instant.tsx'
import { ListTable } from '../../ui/ListTable.tsx'
import { FeedCell } from './FeedCell.tsx'

/** Feeds that use a fallback source or have a possibly frozen source. */
export function Sources({ sources }: { readonly sources: SystemView['sources'] }) {
  return (
    <ListTable
      label={sourceTexts.label}
      minWidth={720}
      columns={[sourceTexts.feed, commonTexts.state, sourceTexts.reason, sourceTexts.since]}
    >
      {sources.map((feed) => (
        <Fragment key={feed.id}>
          {feed.frozen !== null && (
            <SourceRow
              feed={feed}
              state={sourceTexts.frozen(sourceName(feed.frozen.source))}
              since={feed.frozen.since}
            >
              {FROZEN_BECAUSE[feed.frozen.reason]}
            </SourceRow>
          )}
          {feed.fallback !== null && (
            <SourceRow
              feed={feed}
              state={sourceTexts.fallback(sourceName(feed.fallback.source))}
              since={feed.fallback.since}
            >
              {feed.fallback.reason}
            </SourceRow>
          )}
        </Fragment>
      ))}
    </ListTable>
  )
}

function SourceRow({
  feed,
  state,
  since,
  children,
}: {
  readonly feed: SystemView['sources'][number]
  readonly state: string
  readonly since: string
  readonly children: string
}) {
  return (
    <Table.Tr>
      <FeedCell feed={feed} />
      <Table.Td>{state}</Table.Td>
      <Table.Td className="untrusted-text">{children}</Table.Td>
      <Table.Td>
        <Instant at={since} />
      </Table.Td>
    </Table.Tr>
  )
}

function sourceName(source: string): string {
  return displayName(SOURCE_NAMES, source)
}
