import { Group, Stack, Text } from '@mantine/core'
import { displayName, FEED_KIND_NAMES, inSentence } from '../../../src/contract/console/display-names.ts'
import type { Overview } from '../../../src/contract/console/overview.ts'
import { overviewTexts } from '../../messages/overview.tsx'
import { Instant } from '../../ui/Instant.tsx'
import { AnchorLink } from '../../ui/links.tsx'
import { Section } from '../../ui/Section.tsx'
import { marketName } from '../../util/storefronts.ts'
import { HealthBadge } from '../HealthBadge.tsx'

/** Feeds whose last check did not succeed. */
export function FeedProblems({
  feeds,
  stopped,
}: {
  readonly feeds: Overview['failingFeeds']
  readonly stopped: Overview['stopped']
}) {
  return (
    <Section title={overviewTexts.feedProblems}>
      {feeds.length === 0 ? (
        <Text c="dimmed" size="sm">
          {stopped === null ? overviewTexts.allHealthy : overviewTexts.noneChecked}
        </Text>
      ) : (
        <Stack gap="sm">
          {feeds.map((feed) => (
            <Problem key={`${feed.store}/${feed.appId}/${feed.kind}/${feed.market}`} feed={feed} />
          ))}
        </Stack>
      )}
    </Section>
  )
}

function Problem({ feed }: { readonly feed: Overview['failingFeeds'][number] }) {
  return (
    <div>
      <Group gap="xs">
        <AnchorLink to="/apps/$store/$appId" params={{ store: feed.store, appId: feed.appId }}>
          {feed.appName ?? feed.appId}
        </AnchorLink>
        <Text size="sm" c="dimmed">
          {marketName(feed.store, feed.kind, feed.market)},{' '}
          {inSentence(displayName(FEED_KIND_NAMES, feed.kind))}
        </Text>
        <HealthBadge health={feed.health} reason={feed.reason} />
      </Group>
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {feed.reason}
        {feed.since !== null && <>{overviewTexts.since(<Instant at={feed.since} as="clock" />)}</>}
      </Text>
    </div>
  )
}
