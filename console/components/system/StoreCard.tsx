import { Group, Progress, Text } from '@mantine/core'
import { displayName, STORE_NAMES } from '../../../src/contract/console/display-names.ts'
import type { SystemView } from '../../../src/contract/console/system.ts'
import { Instant } from '../../ui/Instant.tsx'
import { Section } from '../../ui/Section.tsx'
import { counted, number, percent } from '../../util/numbers.ts'

/** The rate limit of a store and the state of its feeds. */
export function StoreCard({ store }: { readonly store: SystemView['stores'][number] }) {
  const share = Math.round(100 * store.used) / 100
  return (
    <Section title={displayName(STORE_NAMES, store.store)}>
      <Text size="sm" mb={4}>
        {percent(share)} of {number(store.requestsPerMinuteMax)} requests per minute used
      </Text>
      <Progress value={100 * share} aria-label="Used share of the rate limit" mb="sm" />
      {store.blockedUntil !== null && (
        <Text size="sm" c="var(--mantine-color-red-text)" mb="xs">
          Rate-limited by the store. Checks resume <Instant at={store.blockedUntil} />, after{' '}
          {counted(store.blocks, 'block')} in a row. {store.lastDetail}
        </Text>
      )}
      <Group gap="lg">
        {store.feeds.map((feed) => (
          <div key={feed.kind}>
            <Text size="xs" c="dimmed">
              {feed.kind === 'reviews' ? 'Review feeds' : 'Rating feeds'}
            </Text>
            <Text size="sm">
              {number(feed.active)} active, {number(feed.due)} due, {number(feed.failing)} failing
              {feed.fallback > 0 && `, ${feed.fallback} on a fallback source`}
              {feed.frozen > 0 && `, ${feed.frozen} possibly frozen`}
            </Text>
          </div>
        ))}
      </Group>
    </Section>
  )
}
