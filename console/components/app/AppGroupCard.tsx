import { Card, SimpleGrid, Text } from '@mantine/core'
import type { TrackedApp } from '../../../src/contract/v1/apps.ts'
import { appsTexts } from '../../messages/apps.tsx'
import { AppCard } from './AppCard.tsx'

/** An app in the list: one card, or a group with a card per store. */
export function AppGroupCard({ apps }: { readonly apps: readonly TrackedApp[] }) {
  const [first] = apps
  if (first === undefined) return null
  if (apps.length === 1) return <AppCard app={first} />
  return (
    <Card
      withBorder
      padding="sm"
      component="section"
      aria-label={appsTexts.inBothStores(first.name ?? first.app_id)}
      style={{ gridColumn: '1 / -1' }}
    >
      <Text fw={600} mb="xs">
        {first.name ?? first.app_id}
      </Text>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        {apps.map((app) => (
          <AppCard key={app.store} app={app} />
        ))}
      </SimpleGrid>
    </Card>
  )
}
