import { Group, Progress, Text } from '@mantine/core'
import { displayName, STORE_NAMES } from '../../../src/contract/console/display-names.ts'
import type { SystemView } from '../../../src/contract/console/system.ts'
import { storeRateTexts } from '../../messages/system.tsx'
import { Instant } from '../../ui/Instant.tsx'
import { Section } from '../../ui/Section.tsx'

/** The rate limit of a store and the state of its feeds. */
export function StoreCard({ store }: { readonly store: SystemView['stores'][number] }) {
  const share = Math.round(100 * store.used) / 100
  return (
    <Section title={displayName(STORE_NAMES, store.store)}>
      <Text size="sm" mb={4}>
        {storeRateTexts.used(share, store.requestsPerMinuteMax)}
      </Text>
      <Progress value={100 * share} aria-label={storeRateTexts.usedLabel} mb="sm" />
      {store.blockedUntil !== null && (
        <Text size="sm" c="var(--mantine-color-red-text)" mb="xs">
          {storeRateTexts.blocked(<Instant at={store.blockedUntil} />, store.blocks, store.lastDetail)}
        </Text>
      )}
      <Group gap="lg">
        {store.feeds.map((feed) => (
          <div key={feed.kind}>
            <Text size="xs" c="dimmed">
              {feed.kind === 'reviews' ? storeRateTexts.reviewFeeds : storeRateTexts.ratingFeeds}
            </Text>
            <Text size="sm">
              {storeRateTexts.feedCounts(
                feed.active,
                feed.due,
                feed.failing,
                feed.fallback > 0 && storeRateTexts.onFallback(feed.fallback),
                feed.frozen > 0 && storeRateTexts.frozen(feed.frozen),
              )}
            </Text>
          </div>
        ))}
      </Group>
    </Section>
  )
}
