import { LineChart } from '@mantine/charts'
import '@mantine/charts/styles.css'
import { Stack, Text, VisuallyHidden } from '@mantine/core'
import type { AppPage } from '../../../src/contract/console/apps.ts'
import { ratingChange } from '../../util/rating-change.ts'
import { storefrontName } from '../../util/storefronts.ts'
import { clockTime, dayOf } from '../../util/time.ts'
import { CHART_HEIGHT, NoData } from './common.tsx'

/** Below this span the axis shows times instead of days. */
const SHORT_SPAN_MS = 36 * 3_600_000
const LINES = ['cyan.6', 'grape.5', 'orange.6', 'teal.6', 'pink.5', 'indigo.5', 'lime.7', 'red.5']
const DROPS_SHOWN = 5

/** The average rating per storefront. A line holds its value between two changes; the last falls are listed below. */
export function RatingHistory({ history }: { readonly history: AppPage['ratingHistory'] }) {
  const points = history.flatMap((line) => line.points)
  if (points.length === 0) return <NoData>No ratings in this period.</NoData>
  const instants = [...new Set(points.map((point) => point.at))].sort()
  const spanMs = new Date(instants.at(-1) ?? 0).getTime() - new Date(instants[0] ?? 0).getTime()
  const label = spanMs < SHORT_SPAN_MS ? clockTime : dayOf
  const latest = new Map<string, number>()
  const data = instants.map((at) => {
    for (const { storefront, points: own } of history) {
      const change = own.find((point) => point.at === at)
      if (change !== undefined) latest.set(storefrontName(storefront), change.rating)
    }
    return { at: label(new Date(at)), ...Object.fromEntries(latest) }
  })
  return (
    <Stack gap="xs">
      <VisuallyHidden>
        {history
          .flatMap(({ storefront, points: own }) => {
            const last = own.at(-1)
            return last === undefined ? [] : [`${storefrontName(storefront)}: now ${last.rating.toFixed(2)}.`]
          })
          .join(' ')}
      </VisuallyHidden>
      <LineChart
        h={CHART_HEIGHT}
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
      <Drops drops={dropsOf(history)} />
    </Stack>
  )
}

/** The last falls, newest first. */
function Drops({ drops }: { readonly drops: readonly Drop[] }) {
  if (drops.length === 0) return null
  return (
    <Stack gap={2}>
      {drops
        .slice(-DROPS_SHOWN)
        .reverse()
        .map((drop) => {
          const { before, now } = ratingChange(drop.before, drop.rating)
          return (
            <Text key={`${drop.storefront}${drop.at}`} size="sm">
              <Text span c="var(--mantine-color-red-text)" fw={600} aria-hidden>
                ▼{' '}
              </Text>
              {storefrontName(drop.storefront)} fell from {before} to {now} on {dayOf(new Date(drop.at))}
            </Text>
          )
        })}
    </Stack>
  )
}

type Drop = {
  readonly storefront: string
  readonly at: string
  readonly before: number
  readonly rating: number
}

/** The falls of all storefronts, oldest first. */
function dropsOf(history: AppPage['ratingHistory']): Drop[] {
  return history
    .flatMap(({ storefront, points }) =>
      points.flatMap(({ at, rating, dropped }, index) => {
        const before = points[index - 1]?.rating
        return dropped && before !== undefined ? [{ storefront, at, before, rating }] : []
      }),
    )
    .sort((one, other) => one.at.localeCompare(other.at))
}

/** The span of the ratings with a margin, in tenths, within 1 to 5 stars. */
function ratingDomain(ratings: readonly number[]): [number, number] {
  const least = Math.floor(10 * Math.min(...ratings) - 1) / 10
  const most = Math.ceil(10 * Math.max(...ratings) + 1) / 10
  return [Math.max(1, least), Math.min(5, most)]
}
