import {
  Alert,
  Anchor,
  Button,
  Card,
  Grid,
  Group,
  Modal,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Table,
  Text,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { AppPage } from '../../src/contract/console/apps.ts'
import type { Storefront } from '../../src/model/vocabulary.ts'
import { AppIcon } from '../components/AppIcon.tsx'
import { RatingHistory, StarShares, ThemeBars, VolumeByDay } from '../components/charts.tsx'
import { HealthBadge } from '../components/HealthBadge.tsx'
import { AggregateRating } from '../components/Rating.tsx'
import { StoreBadge } from '../components/StoreBadge.tsx'
import { StorefrontPicker } from '../components/StorefrontPicker.tsx'
import { appQuery, follow } from '../data/apps.ts'
import { useFilters } from '../data/filters.ts'
import { confirmDestructive, tellDone, tellFailed } from '../ui/confirm.tsx'
import { FormProblem } from '../ui/FormProblem.tsx'
import { Instant } from '../ui/Instant.tsx'
import { ListTable } from '../ui/ListTable.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Section } from '../ui/Section.tsx'
import { Failed, LoadingPage } from '../ui/States.tsx'
import { paths } from '../util/paths.ts'
import { marketName, storefrontName } from '../util/storefronts.ts'

const RANGES = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
]

/** One app: how it is rated, what is said of it, and how well its feeds do. */
export function App() {
  const { store, appId } = useParams({ from: '/signed-in/apps/$store/$appId' })
  const { filters, setFilter } = useFilters()
  const days = RANGES.some(({ value }) => value === filters.days) ? Number(filters.days) : 30
  const app = useQuery(appQuery(store, appId, days))
  if (app.isPending) return <LoadingPage />
  if (app.isLoadingError) return <Failed error={app.error} onRetry={() => app.refetch()} />
  const page = app.data
  return (
    <Stack gap="lg">
      {app.isRefetchError && <Failed error={app.error} onRetry={() => app.refetch()} />}
      <div>
        <PageHeader
          title={page.name ?? page.appId}
          about={
            <Group gap="xs" component="span">
              <AppIcon name={page.name} iconUrl={page.iconUrl} size={28} />
              <StoreBadge store={page.store} />
              <span>{page.developer ?? page.appId}</span>
            </Group>
          }
          actions={<Actions page={page} />}
        />
        <SegmentedControl
          data={RANGES}
          value={String(days)}
          onChange={(value) => setFilter('days', value)}
          aria-label="Time range"
          size="xs"
        />
      </div>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
        {page.ratings.map(({ storefront, rating, count }) => (
          <Card key={storefront} withBorder padding="sm">
            <Text size="sm" c="dimmed">
              {storefrontName(storefront)}
            </Text>
            <AggregateRating rating={rating} count={count} />
          </Card>
        ))}
      </SimpleGrid>
      <Section title="Aggregate rating">
        <RatingHistory history={page.ratingHistory} />
      </Section>
      <Grid>
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Section title="Reviews by day">
            <VolumeByDay volume={page.volume} />
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Section title="Stars">
            <StarShares stars={page.stars} />
          </Section>
        </Grid.Col>
      </Grid>
      <Section title="What reviews speak of">
        <ThemeBars
          themes={page.themes}
          linkOf={(theme) => ({
            to: paths.reviews(),
            search: { store: page.store, appId: page.appId, theme },
          })}
        />
      </Section>
      <Section title="Feeds">
        <Feeds page={page} />
      </Section>
    </Stack>
  )
}

function Actions({ page }: { readonly page: AppPage }) {
  const [opened, { open, close }] = useDisclosure(false)
  return (
    <>
      <Button
        component={Link}
        variant="default"
        to={paths.reviews()}
        search={{ store: page.store, appId: page.appId } as never}
      >
        All reviews
      </Button>
      <Button onClick={open}>Storefronts</Button>
      {opened && <StorefrontsModal page={page} onClose={close} />}
    </>
  )
}

function StorefrontsModal({ page, onClose }: { readonly page: AppPage; readonly onClose: () => void }) {
  const [storefronts, setStorefronts] = useState<Storefront[]>([...page.storefronts])
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const refresh = async () => {
    await queryClient.invalidateQueries({ queryKey: ['apps'] })
    await queryClient.invalidateQueries({ queryKey: ['app', page.store, page.appId] })
  }
  const save = useMutation({
    mutationFn: () => follow({ store: page.store, appId: page.appId, storefronts }),
    onSuccess: async () => {
      tellDone('Saved. New storefronts are looked at right away.')
      onClose()
      await refresh()
    },
  })
  const stop = async () => {
    try {
      await follow({ store: page.store, appId: page.appId, storefronts: [] })
      await queryClient.invalidateQueries({ queryKey: ['apps'] })
      await navigate({ to: paths.apps() })
      tellDone('No longer watched here.')
    } catch (error) {
      tellFailed(error)
    }
  }
  const askToStop = () =>
    confirmDestructive({
      title: `Stop watching ${page.name ?? page.appId}?`,
      consequence:
        page.neededStorefronts.length > 0
          ? 'The ticked storefronts are unticked. Destinations that need the app keep being served.'
          : 'Its reviews and ratings are no longer looked at and leave this console. If you watch it again, it starts anew.',
      verb: 'Stop watching',
      onConfirm: stop,
    })
  return (
    <Modal opened onClose={onClose} title="Storefronts" size="lg">
      <Stack>
        <FormProblem error={save.error} />
        <StorefrontPicker value={storefronts} onChange={setStorefronts} />
        {page.neededStorefronts.length > 0 && (
          <Alert variant="light">
            Watched anyway, because destinations need them:{' '}
            {page.neededStorefronts.map(storefrontName).join(', ')}
          </Alert>
        )}
        <Group justify="space-between">
          <Button variant="subtle" color="red" onClick={askToStop}>
            Stop watching
          </Button>
          <Button loading={save.isPending} onClick={() => save.mutate()}>
            Save
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

function Feeds({ page }: { readonly page: AppPage }) {
  if (page.feeds.length === 0) {
    return (
      <Text c="dimmed">
        Nothing of this app is polled.{' '}
        <Anchor component={Link} to={paths.apps()} underline="always">
          Back to your apps
        </Anchor>
      </Text>
    )
  }
  return (
    <ListTable minWidth={560} columns={['What', 'Where', 'State', 'Last answer', 'Next visit']}>
      {page.feeds.map((feed) => (
        <Table.Tr key={`${feed.kind}/${feed.market}`}>
          <Table.Td>{feed.kind === 'reviews' ? 'Reviews' : 'Rating'}</Table.Td>
          <Table.Td>{marketName(page.store, feed.kind, feed.market)}</Table.Td>
          <Table.Td>
            <HealthBadge health={feed.health} reason={feed.reason} />
          </Table.Td>
          <Table.Td>
            <Instant at={feed.lastOkAt} />
            {feed.source !== null && (
              <Text span c="dimmed" size="sm">
                {' '}
                from {feed.source}
              </Text>
            )}
          </Table.Td>
          <Table.Td>
            <Instant at={feed.nextPollAt} />
          </Table.Td>
        </Table.Tr>
      ))}
    </ListTable>
  )
}
