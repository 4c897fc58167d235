import { Button, Card, Group, Stack, Text } from '@mantine/core'
import { STORE_NAMES } from '../../../src/contract/console/display-names.ts'
import type { FoundApp } from '../../../src/contract/v1/apps.ts'
import { addAppTexts } from '../../messages/apps.tsx'
import { AppIcon } from '../AppIcon.tsx'
import { AggregateRating } from '../Rating.tsx'
import { StoreBadge } from '../StoreBadge.tsx'

/** A search result of a store. */
export function FoundAppCard({
  app,
  onTrack,
  secondary = false,
}: {
  readonly app: FoundApp
  readonly onTrack: () => void
  /** Whether another button is the primary action. */
  readonly secondary?: boolean
}) {
  return (
    <Card
      withBorder
      padding="sm"
      component="article"
      aria-label={secondary ? `${app.name}, ${STORE_NAMES[app.store]}` : app.name}
    >
      <Group justify="space-between">
        <Group wrap="nowrap" style={{ minWidth: 0, flex: '1 1 240px' }}>
          <AppIcon name={app.name} iconUrl={app.icon_url} />
          <Stack gap={0} style={{ minWidth: 0 }}>
            <Text fw={600} truncate="end">
              {app.name}
            </Text>
            <Text size="sm" c="dimmed" truncate="end">
              {app.developer ?? app.app_id}
            </Text>
          </Stack>
        </Group>
        <Group gap="sm">
          {app.rating !== null && <AggregateRating rating={app.rating} count={app.rating_count} />}
          <StoreBadge store={app.store} />
          <Button size="xs" variant={secondary ? 'default' : 'filled'} onClick={onTrack}>
            {addAppTexts.track}
          </Button>
        </Group>
      </Group>
    </Card>
  )
}
