import { Anchor, Card, Grid, Group, SegmentedControl, SimpleGrid, Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type Overview as OverviewData, RANGES } from '../../src/contract/console/overview.ts'
import { ArrivedAndDelivered } from '../components/charts.tsx'
import { HealthBadge } from '../components/HealthBadge.tsx'
import { Notices } from '../components/Notices.tsx'
import { Steps } from '../components/Steps.tsx'
import { STORE_NAMES } from '../components/StoreBadge.tsx'
import { useFilters } from '../data/filters.ts'
import { overviewQuery } from '../data/overview.ts'
import { Instant } from '../ui/Instant.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Section } from '../ui/Section.tsx'
import { Failed, LoadingPage } from '../ui/States.tsx'
import { paths } from '../util/paths.ts'
import { ratingChange } from '../util/rating-change.ts'
import { marketName, storefrontName } from '../util/storefronts.ts'
import { duration } from '../util/time.ts'
import { percent } from '../util/words.ts'

/** The largest ones; an app's page shows them all. */
const MOVEMENTS_MAX = 8
const LABELS = { '24h': '24 hours', '7d': '7 days', '30d': '30 days' } as const

/** Does it work, and if not, what does not. */
export function Overview() {
  const { filters, setFilter } = useFilters()
  const range = RANGES.find((known) => known === filters.range) ?? '24h'
  const overview = useQuery(overviewQuery(range))
  return (
    <Stack gap="lg">
      <PageHeader
        title="Overview"
        actions={
          <SegmentedControl
            data={RANGES.map((value) => ({ value, label: LABELS[value] }))}
            value={range}
            onChange={(value) => setFilter('range', value)}
            aria-label="Time range"
            size="xs"
          />
        }
      />
      {overview.isPending && <LoadingPage />}
      {overview.isError && <Failed error={overview.error} onRetry={() => overview.refetch()} />}
      {overview.data !== undefined && <Figures overview={overview.data} hourly={range === '24h'} />}
    </Stack>
  )
}

function Figures({ overview, hourly }: { readonly overview: OverviewData; readonly hourly: boolean }) {
  const { steps } = overview
  return (
    <>
      {!(steps.app && steps.destination && steps.delivered) && <Steps steps={steps} />}
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }}>
        <Figure label="Reviews found" value={overview.reviews} to={paths.reviews()} />
        <Figure label="Rating drops" value={overview.drops} to={paths.apps()} />
        <Figure label="Events delivered" value={overview.delivered} to={paths.deliveries()} />
        <Figure
          label="Success rate"
          value={percent(overview.successRate)}
          about={overview.p95Ms === null ? undefined : `95 % within ${duration(overview.p95Ms)}`}
          to={paths.deliveries()}
        />
        <Figure
          label="Waiting"
          value={overview.pending}
          about={
            overview.oldestDueAt === null ? (
              overview.held > 0 ? (
                `${overview.held} held`
              ) : (
                'Nothing is due'
              )
            ) : (
              <>
                oldest due <Instant at={overview.oldestDueAt} />
              </>
            )
          }
          to={paths.deliveries()}
        />
        <Figure
          label="Dead letters"
          value={overview.dead}
          alarming={overview.dead > 0}
          to={paths.deadLetters()}
        />
      </SimpleGrid>
      <Section title="Found and delivered">
        <ArrivedAndDelivered series={overview.series} hourly={hourly} />
      </Section>
      <Grid>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Movements movements={overview.movements} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Unwell feeds={overview.unwellFeeds} />
        </Grid.Col>
      </Grid>
      {overview.notices.length > 0 && (
        <Section title="Notices">
          <Notices notices={overview.notices} />
        </Section>
      )}
    </>
  )
}

function Figure(props: {
  readonly label: string
  readonly value: number | string
  readonly about?: ReactNode
  readonly alarming?: boolean
  readonly to: string
}) {
  return (
    <Card
      withBorder
      padding="sm"
      component={Link}
      to={props.to}
      style={{ textDecoration: 'none', color: 'inherit' }}
    >
      <Text size="sm" c="dimmed">
        {props.label}
      </Text>
      <Text
        fz={26}
        fw={650}
        lh={1.2}
        {...(props.alarming === true ? { c: 'var(--mantine-color-red-text)' } : {})}
      >
        {typeof props.value === 'number' ? props.value.toLocaleString('en') : props.value}
      </Text>
      <Text size="xs" c="dimmed" mih={18}>
        {props.about}
      </Text>
    </Card>
  )
}

function Movements({ movements }: { readonly movements: OverviewData['movements'] }) {
  return (
    <Section title="Rating movements">
      {movements.length === 0 ? (
        <Text c="dimmed" size="sm">
          No aggregate rating moved in this time.
        </Text>
      ) : (
        <Table>
          <Table.Tbody>
            {movements.slice(0, MOVEMENTS_MAX).map((movement) => {
              const fell = movement.now < movement.before
              const { before, now, change } = ratingChange(movement.before, movement.now)
              return (
                <Table.Tr key={`${movement.store}/${movement.appId}/${movement.storefront}`}>
                  <Table.Td>
                    <Anchor component={Link} to={paths.app(movement.store, movement.appId)}>
                      {movement.appName ?? movement.appId}
                    </Anchor>
                    <Text size="xs" c="dimmed">
                      {STORE_NAMES[movement.store] ?? movement.store}, {storefrontName(movement.storefront)}
                    </Text>
                  </Table.Td>
                  <Table.Td ta="right">
                    <Text
                      span
                      c={fell ? 'var(--mantine-color-red-text)' : 'var(--mantine-color-teal-text)'}
                      fw={600}
                    >
                      <span aria-hidden>{fell ? '▼ ' : '▲ '}</span>
                      {change}
                    </Text>
                    <Text size="xs" c="dimmed">
                      {before} to {now}
                    </Text>
                  </Table.Td>
                </Table.Tr>
              )
            })}
          </Table.Tbody>
        </Table>
      )}
    </Section>
  )
}

function Unwell({ feeds }: { readonly feeds: OverviewData['unwellFeeds'] }) {
  return (
    <Section title="Feeds that need a look">
      {feeds.length === 0 ? (
        <Text c="dimmed" size="sm">
          Every feed is answered.
        </Text>
      ) : (
        <Stack gap="sm">
          {feeds.map((feed) => (
            <div key={`${feed.store}/${feed.appId}/${feed.kind}/${feed.market}`}>
              <Group gap="xs">
                <Anchor component={Link} to={paths.app(feed.store, feed.appId)}>
                  {feed.appName ?? feed.appId}
                </Anchor>
                <Text size="sm" c="dimmed">
                  {feed.kind === 'reviews' ? 'reviews' : 'rating'},{' '}
                  {marketName(feed.store, feed.kind, feed.market)}
                </Text>
                <HealthBadge health={feed.health} reason={feed.reason} />
              </Group>
              <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                {feed.reason}
                {feed.since !== null && (
                  <>
                    {' '}
                    Since <Instant at={feed.since} />
                  </>
                )}
              </Text>
            </div>
          ))}
        </Stack>
      )}
    </Section>
  )
}
