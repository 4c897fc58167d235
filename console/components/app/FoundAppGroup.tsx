import { Button, Card, Group, Stack, Text } from '@mantine/core'
import type { FoundApp } from '../../../src/contract/v1/apps.ts'
import { addAppTexts } from '../../messages/apps.tsx'
import { FoundAppCard } from './FoundAppCard.tsx'

/** A search result: an app's listing in one store, or its listings in both with one button to track both. */
export function FoundAppGroup({
  apps,
  onTrack,
}: {
  readonly apps: readonly FoundApp[]
  readonly onTrack: (apps: readonly FoundApp[]) => void
}) {
  const [first] = apps
  if (first === undefined) return null
  if (apps.length === 1) return <FoundAppCard app={first} onTrack={() => onTrack(apps)} />
  return (
    <Card withBorder padding="xs" component="section" aria-label={addAppTexts.inBothStores(first.name)}>
      <Stack gap="xs">
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            {addAppTexts.bothStores}
          </Text>
          <Button size="xs" onClick={() => onTrack(apps)}>
            {addAppTexts.trackBoth}
          </Button>
        </Group>
        {apps.map((app) => (
          <FoundAppCard key={app.store} app={app} secondary onTrack={() => onTrack([app])} />
        ))}
      </Stack>
    </Card>
  )
}
