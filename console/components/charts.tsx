import { AreaChart, BarChart, LineChart } from '@mantine/charts'
import '@mantine/charts/styles.css'
import { Anchor, Box, Group, Progress, Stack, Text, VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { AppPage } from '../../src/contract/console/apps.ts'
import type { Overview } from '../../src/contract/console/overview.ts'
import { ratingChange } from '../util/rating-change.ts'
import { storefrontName } from '../util/storefronts.ts'
import { counted, inWords } from '../util/words.ts'

const HEIGHT = 220
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const HOUR = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
/** Below this the axis tells times instead of days. */
const SHORT_SPAN_MS = 36 * 3_600_000
const LINES = ['cyan.6', 'grape.5', 'orange.6', 'teal.6', 'pink.5', 'indigo.5', 'lime.7', 'red.5']
/** One star to five. */
export const STAR_COLORS = ['red.7', 'orange.6', 'yellow.6', 'lime.7', 'teal.7'] as const

function NothingYet({ children }: { readonly children: string }) {
  return (
    <Text c="dimmed" size="sm" py="lg">
      {children}
    </Text>
  )
}

/** Per storefront; falls are dots. A line holds its value between two changes. */
export function RatingHistory({ history }: { readonly history: AppPage['ratingHistory'] }) {
  const points = history.flatMap((line) => line.points)
  if (points.length === 0) return <NothingYet>No rating was seen in this time.</NothingYet>
  const instants = [...new Set(points.map((point) => point.at))].sort()
  const spanMs = new Date(instants.at(-1) ?? 0).getTime() - new Date(instants[0] ?? 0).getTime()
  const label = spanMs < SHORT_SPAN_MS ? HOUR : DAY
  const latest = new Map<string, number>()
  const data = instants.map((at) => {
    for (const { storefront, points: own } of history) {
      const change = own.find((point) => point.at === at)
      if (change !== undefined) latest.set(storefrontName(storefront), change.rating)
    }
    return { at: label.format(new Date(at)), ...Object.fromEntries(latest) }
  })
  const drops = history.flatMap((line) =>
    line.points.flatMap((point, index) => {
      const before = line.points[index - 1]
      return point.dropped && before !== undefined
        ? [{ ...point, storefront: line.storefront, before: before.rating }]
        : []
    }),
  )
  return (
    <Stack gap="xs">
      <VisuallyHidden>
        {history
          .flatMap(({ storefront, points: own }) => {
            const last = own.at(-1)
            return last === undefined
              ? []
              : [`${storefrontName(storefront)}: ${last.rating.toFixed(2)} at last.`]
          })
          .join(' ')}
      </VisuallyHidden>
      <LineChart
        h={HEIGHT}
        data={data}
        dataKey="at"
        series={history.map(({ storefront }, index) => ({
          name: storefrontName(storefront),
          color: LINES[index % LINES.length] ?? 'cyan.6',
        }))}
        curveType="stepAfter"
        connectNulls
        withLegend={history.length > 1}
        yAxisProps={{ domain: ratingDomain(points.map(({ rating }) => rating)), width: 44 }}
        valueFormatter={(value) => value.toFixed(2)}
        withDots={data.length < 40}
      />
      {drops.length > 0 && (
        <Stack gap={2}>
          {drops.slice(-5).map((drop) => {
            const { before, now } = ratingChange(drop.before, drop.rating)
            return (
              <Text key={`${drop.storefront}${drop.at}`} size="sm">
                <Text span c="red" fw={600} aria-hidden>
                  ▼{' '}
                </Text>
                {storefrontName(drop.storefront)} fell from {before} to {now} on{' '}
                {DAY.format(new Date(drop.at))}
              </Text>
            )
          })}
        </Stack>
      )}
    </Stack>
  )
}

/** Somewhat more than the ratings span, in tenths, and never more than there are stars. */
function ratingDomain(ratings: readonly number[]): [number, number] {
  const least = Math.floor(10 * Math.min(...ratings) - 1) / 10
  const most = Math.ceil(10 * Math.max(...ratings) + 1) / 10
  return [Math.max(1, least), Math.min(5, most)]
}

export function VolumeByDay({ volume }: { readonly volume: AppPage['volume'] }) {
  const total = volume.reduce((sum, { stars }) => sum + stars.reduce((all, one) => all + one, 0), 0)
  if (total === 0) return <NothingYet>No reviews in this time.</NothingYet>
  return (
    <>
      <VisuallyHidden>{counted(total, 'review')} in this time.</VisuallyHidden>
      <BarChart
        h={HEIGHT}
        data={volume.map(({ day, stars }) => ({
          day: DAY.format(new Date(day)),
          ...Object.fromEntries(stars.map((count, index) => [`${index + 1} ★`, count])),
        }))}
        dataKey="day"
        type="stacked"
        series={STAR_COLORS.map((color, index) => ({ name: `${index + 1} ★`, color }))}
        yAxisProps={{ allowDecimals: false, width: 36 }}
      />
    </>
  )
}

export function StarShares({ stars }: { readonly stars: AppPage['stars'] }) {
  const total = stars.reduce((sum, count) => sum + count, 0)
  if (total === 0) return <NothingYet>No reviews in this time.</NothingYet>
  return (
    <Stack gap={6} component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
      {[5, 4, 3, 2, 1].map((number) => {
        const count = stars[number - 1] ?? 0
        return (
          <Group key={number} gap="xs" wrap="nowrap" component="li">
            <Text size="sm" w={28} style={{ flexShrink: 0 }}>
              {number} ★
            </Text>
            <Progress
              value={(100 * count) / total}
              color={STAR_COLORS[number - 1] ?? 'gray'}
              style={{ flex: 1 }}
              size="lg"
              aria-label={`${number} stars: ${count} of ${total}`}
            />
            <Text size="sm" w={44} ta="right" style={{ flexShrink: 0 }}>
              {count}
            </Text>
          </Group>
        )
      })}
    </Stack>
  )
}

export function ThemeBars(props: {
  readonly themes: AppPage['themes']
  readonly linkOf: (theme: string) => {
    readonly to: string
    readonly search: Readonly<Record<string, string>>
  }
}) {
  const most = props.themes[0]?.count ?? 0
  if (most === 0) return <NothingYet>No review of this time has been understood yet.</NothingYet>
  return (
    <Stack gap={6}>
      {props.themes.slice(0, 12).map(({ theme, count, negative, perDay }) => (
        <Group key={theme} gap="xs" wrap="nowrap">
          <Anchor
            component={Link}
            {...(props.linkOf(theme) as { to: string })}
            size="sm"
            w={150}
            style={{ flexShrink: 0 }}
          >
            {inWords(theme)}
          </Anchor>
          <Progress.Root size="lg" style={{ flex: 1 }}>
            <Progress.Section
              value={(100 * negative) / most}
              color="red.7"
              aria-label={`${negative} negative`}
            />
            <Progress.Section
              value={(100 * (count - negative)) / most}
              color="cyan.7"
              aria-label={`${count - negative} other`}
            />
          </Progress.Root>
          <Box visibleFrom="xs">
            <DaySpark perDay={perDay} label={inWords(theme)} />
          </Box>
          <Text size="sm" w={44} ta="right" style={{ flexShrink: 0 }}>
            {count}
          </Text>
        </Group>
      ))}
      <Text size="xs" c="dimmed">
        Red: negative reviews.
        <Text span inherit visibleFrom="xs">
          {' '}
          Behind each bar how often it came up, day by day.
        </Text>
      </Text>
    </Stack>
  )
}

const SPARK = { width: 90, height: 18 }

/** How often something came up, day by day, oldest first. */
function DaySpark({ perDay, label }: { readonly perDay: readonly number[]; readonly label: string }) {
  const most = Math.max(1, ...perDay)
  const step = SPARK.width / Math.max(1, perDay.length - 1)
  const points = perDay.map(
    (count, day) => `${day * step},${SPARK.height - 1 - (count / most) * (SPARK.height - 2)}`,
  )
  const text = `${label}, at most ${most} a day, ${perDay.at(-1) ?? 0} on the last`
  return (
    <svg width={SPARK.width} height={SPARK.height} role="img" aria-label={text} style={{ flexShrink: 0 }}>
      <title>{text}</title>
      <polyline
        points={points.join(' ')}
        fill="none"
        stroke="var(--mantine-color-cyan-6)"
        strokeWidth={1.5}
      />
    </svg>
  )
}

/** What arrived and what became of it, over the range of the overview. */
export function ArrivedAndDelivered({
  series,
  hourly,
}: {
  readonly series: Overview['series']
  readonly hourly: boolean
}) {
  const format = hourly ? HOUR : DAY
  const total = (of: 'reviews' | 'delivered' | 'failed') =>
    series.reduce((sum, bucket) => sum + bucket[of], 0)
  return (
    <>
      <VisuallyHidden>
        {counted(total('reviews'), 'review')} found, {counted(total('delivered'), 'event')} delivered,{' '}
        {counted(total('failed'), 'failed attempt')} in this time.
      </VisuallyHidden>
      <AreaChart
        h={HEIGHT}
        data={series.map(({ at, reviews, delivered, failed }) => ({
          at: format.format(new Date(at)),
          'Reviews found': reviews,
          'Events delivered': delivered,
          'Failed attempts': failed,
        }))}
        dataKey="at"
        series={[
          { name: 'Reviews found', color: 'grape.5' },
          { name: 'Events delivered', color: 'teal.6' },
          { name: 'Failed attempts', color: 'red.6' },
        ]}
        curveType="monotone"
        withLegend
        withDots={false}
        yAxisProps={{ allowDecimals: false, width: 40 }}
      />
    </>
  )
}
