import { Anchor, Button, Card, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { AppLine } from '../../src/contract/console/apps.ts'
import { AppIcon } from '../components/AppIcon.tsx'
import { HealthBadge } from '../components/HealthBadge.tsx'
import { AggregateRating } from '../components/Rating.tsx'
import { StoreBadge } from '../components/StoreBadge.tsx'
import { appsQuery } from '../data/apps.ts'
import { useFilters } from '../data/filters.ts'
import { Instant } from '../ui/Instant.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Empty, Failed, LoadingLines, NoMatch } from '../ui/States.tsx'
import { paths } from '../util/paths.ts'
import { storefrontName } from '../util/storefronts.ts'
import { counted } from '../util/words.ts'

/** Every app this account watches. */
export function Apps() {
  const apps = useQuery(appsQuery)
  const { filters, setFilter, clear } = useFilters()
  const add = (
    <Button component={Link} to={paths.addApp()} leftSection={<IconPlus size={16} aria-hidden />}>
      Add an app
    </Button>
  )
  const wanted = (filters.text ?? '').toLowerCase()
  const shown = apps.data?.filter((app) =>
    `${app.name ?? ''} ${app.developer ?? ''} ${app.appId}`.toLowerCase().includes(wanted),
  )
  return (
    <>
      <PageHeader title="Apps" about="What is watched, where, and how that goes" actions={add} />
      {apps.isPending && <LoadingLines />}
      {apps.isError && <Failed error={apps.error} onRetry={() => apps.refetch()} />}
      {apps.data?.length === 0 && (
        <Empty title="No apps yet" action={add}>
          Find your app in the App Store or Google Play, tick the storefronts you care about, and its reviews
          and ratings arrive here.
        </Empty>
      )}
      {apps.data !== undefined && apps.data.length > 0 && (
        <Stack>
          <TextInput
            aria-label="Search apps"
            placeholder="Search apps"
            leftSection={<IconSearch size={16} aria-hidden />}
            value={filters.text ?? ''}
            onChange={(event) => setFilter('text', event.currentTarget.value)}
            maw={360}
          />
          {shown?.length === 0 && <NoMatch what="apps" onClear={clear} />}
          <SimpleGrid cols={{ base: 1, md: 2, xl: 3 }}>
            {shown?.map((app) => (
              <AppCard key={`${app.store}/${app.appId}`} app={app} />
            ))}
          </SimpleGrid>
        </Stack>
      )}
    </>
  )
}

function AppCard({ app }: { readonly app: AppLine }) {
  const rating = app.ratings[0]
  const storefronts = [...app.storefronts, ...app.neededStorefronts]
  return (
    <Card withBorder component="article" aria-label={app.name ?? app.appId}>
      <Group wrap="nowrap" align="flex-start">
        <AppIcon name={app.name} iconUrl={app.iconUrl} size={48} />
        <Stack gap={4} style={{ flex: 1, minWidth: 0 }}>
          <Anchor component={Link} to={paths.app(app.store, app.appId)} fw={600} truncate="end">
            {app.name ?? app.appId}
          </Anchor>
          <Text size="sm" c="dimmed" truncate="end">
            {app.developer ?? app.appId}
          </Text>
          <Group gap="xs">
            <StoreBadge store={app.store} />
            <HealthBadge health={app.health} />
          </Group>
        </Stack>
      </Group>
      <Group justify="space-between" mt="md" gap="xs">
        {rating === undefined ? (
          <Text c="dimmed" size="sm">
            No rating seen yet
          </Text>
        ) : (
          <AggregateRating rating={rating.rating} count={rating.count} />
        )}
        <Text size="sm">
          {counted(app.reviews7d, 'review')} in 7 days
          {app.lastReviewAt !== null && (
            <>
              , last <Instant at={app.lastReviewAt} />
            </>
          )}
        </Text>
      </Group>
      <Text size="xs" c="dimmed" mt={4} lineClamp={2}>
        {storefronts.map(storefrontName).join(', ')} · {counted(app.destinations, 'destination')}
      </Text>
    </Card>
  )
}
