import { Table, Text } from '@mantine/core'
import type { AppPage } from '../../../src/contract/console/apps.ts'
import { displayName, FEED_KIND_NAMES, SOURCE_NAMES } from '../../../src/contract/console/display-names.ts'
import { marketName } from '../../../src/contract/console/market-names.ts'
import { appFeedTexts } from '../../messages/app.ts'
import { commonTexts } from '../../messages/common.ts'
import { Instant } from '../../ui/Instant.tsx'
import { ListTable } from '../../ui/ListTable.tsx'
import { useNow } from '../../ui/use-now.ts'
import { HealthBadge } from '../HealthBadge.tsx'

/** The feeds of an app: one per storefront (or language) for reviews and for the rating. */
export function FeedTable({ page }: { readonly page: AppPage }) {
  if (page.feeds.length === 0) return <Text c="dimmed">{appFeedTexts.empty}</Text>
  return (
    <ListTable
      label={appFeedTexts.title}
      minWidth={640}
      columns={[
        appFeedTexts.feed,
        appFeedTexts.market,
        commonTexts.state,
        appFeedTexts.lastSuccess,
        appFeedTexts.nextCheck,
      ]}
    >
      {page.feeds.map((feed) => (
        <Table.Tr key={`${feed.kind}/${feed.market}`}>
          <Table.Td>{FEED_KIND_NAMES[feed.kind]}</Table.Td>
          <Table.Td>{marketName(page.app.store, feed.kind, feed.market)}</Table.Td>
          <Table.Td>
            <HealthBadge health={feed.health} reason={feed.reason} />
          </Table.Td>
          <Table.Td>
            <Instant at={feed.lastOkAt} />
            {feed.source !== null && (
              <Text span c="dimmed" size="sm">
                {appFeedTexts.via(displayName(SOURCE_NAMES, feed.source))}
              </Text>
            )}
          </Table.Td>
          <Table.Td>
            <NextCheck at={feed.nextPollAt} />
          </Table.Td>
        </Table.Tr>
      ))}
    </ListTable>
  )
}

/** A new feed is due since the epoch, so that it is checked first. */
function NextCheck({ at }: { readonly at: string | null }) {
  const now = useNow()
  return at !== null && new Date(at) <= now ? appFeedTexts.dueNow : <Instant at={at} />
}
