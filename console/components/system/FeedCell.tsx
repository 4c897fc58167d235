import { Table, Text } from '@mantine/core'
import {
  displayName,
  FEED_KIND_NAMES,
  inSentence,
  STORE_NAMES,
} from '../../../src/contract/console/display-names.ts'
import { marketName } from '../../../src/contract/console/market-names.ts'
import type { SystemView } from '../../../src/contract/console/system.ts'

/** The feed of a row: app, store and market. */
export function FeedCell({
  feed: { store, appId, appName, kind, market },
}: {
  readonly feed: Pick<SystemView['feeds'][number], 'store' | 'appId' | 'appName' | 'kind' | 'market'>
}) {
  return (
    <Table.Td>
      {appName ?? appId}
      <Text size="xs" c="dimmed">
        {displayName(STORE_NAMES, store)}, {marketName(store, kind, market)},{' '}
        {inSentence(displayName(FEED_KIND_NAMES, kind))}
      </Text>
    </Table.Td>
  )
}
