import { Group, Stack, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import type { AppPage } from '../../../src/contract/console/apps.ts'
import { storefrontName } from '../../../src/contract/console/market-names.ts'
import { ratingHistoryTexts } from '../../messages/charts.ts'
import { average } from '../../util/numbers.ts'
import { dayAndTime } from '../../util/time.ts'
import { RatingDrops } from '../RatingDrops.tsx'
import { cssColor, NoData } from './common.tsx'
import { Plot, type Stop, Swatch } from './Plot.tsx'
import { ReleaseLegend, releasesWithin } from './Releases.tsx'
import type { Scale } from './scale.ts'

const COLORS = ['cyan.7', 'grape.6', 'orange.6', 'lime.8', 'indigo.5', 'pink.5', 'gray.6', 'yellow.9']
/** More lines would be hard to tell apart. */
const SHOWN_AT_FIRST = 5
const DROPS_SHOWN = 5

type History = AppPage['ratingHistory'][number]
type Line = History & { readonly name: string; readonly color: string; readonly dash: string }

/** The average rating of each storefront as a step line, with marks at notable drops. */
export function RatingHistory({ page }: { readonly page: AppPage }) {
  const lines = linesOf(page.ratingHistory)
  const [selected, setSelected] = useState<readonly string[] | null>(null)
  if (lines.length === 0) return <NoData>{ratingHistoryTexts.empty}</NoData>
  const shown = selected ?? mostRated(lines)
  const toggle = (storefront: string) =>
    setSelected(
      shown.includes(storefront) ? shown.filter((each) => each !== storefront) : [...shown, storefront],
    )
  const visible = lines.filter(({ storefront }) => shown.includes(storefront))
  const sinceMs = new Date(page.days[0]?.at ?? page.until).getTime()
  const untilMs = new Date(page.until).getTime()
  const [low, high] = domainOf(visible)
  return (
    <Stack gap="xs">
      <VisuallyHidden>
        {lines.map(({ name, points }) => ratingHistoryTexts.now(name, points.at(-1)?.rating ?? 0)).join(' ')}
      </VisuallyHidden>
      <Plot
        label={ratingHistoryTexts.label}
        sinceMs={sinceMs}
        untilMs={untilMs}
        low={low}
        high={high}
        format={average}
        releases={page.releases}
        stops={stopsOf(visible, page.releases, sinceMs, untilMs)}
      >
        {(x, y) =>
          visible.map((line) => (
            <StepLine
              key={line.storefront}
              line={line}
              drops={page.drops.filter(({ storefront }) => storefront === line.storefront)}
              x={x}
              y={y}
              since={sinceMs}
              until={untilMs}
            />
          ))
        }
      </Plot>
      <ReleaseLegend releases={page.releases} />
      {lines.length > 1 && (
        <Group gap="xs" justify="center" role="group" aria-label={ratingHistoryTexts.shown}>
          {lines.map(({ storefront, name, color }) => (
            <UnstyledButton
              key={storefront}
              aria-pressed={shown.includes(storefront)}
              className="chart-toggle"
              onClick={() => toggle(storefront)}
            >
              <Swatch color={color} />
              <Text size="xs" span>
                {name}
              </Text>
            </UnstyledButton>
          ))}
        </Group>
      )}
      {page.drops.length > 0 && <RatingDrops drops={page.drops.slice(0, DROPS_SHOWN)} />}
    </Stack>
  )
}

function StepLine(props: {
  readonly line: Line
  readonly drops: AppPage['drops']
  readonly x: Scale
  readonly y: Scale
  readonly since: number
  readonly until: number
}) {
  const { line, drops, x, y, since, until } = props
  const places = line.points.map(({ at, rating }) => ({
    px: x(Math.max(since, new Date(at).getTime())),
    py: y(rating),
  }))
  const [first, ...rest] = places
  if (first === undefined) return null
  const path = `M${first.px} ${first.py}${rest.map(({ px, py }) => `H${px}V${py}`).join('')}H${x(until)}`
  return (
    <g>
      <path d={path} fill="none" stroke={line.color} strokeWidth={2} strokeDasharray={line.dash} />
      {drops.map(({ at, now }) => (
        <path
          key={at}
          d={`M${x(new Date(at).getTime()) - 5} ${y(now) + 3}h10l-5 8z`}
          className="chart-drop"
        />
      ))}
    </g>
  )
}

function linesOf(history: AppPage['ratingHistory']): Line[] {
  return history
    .filter(({ points }) => points.length > 0)
    .map((each, index) => ({
      ...each,
      name: storefrontName(each.storefront),
      color: cssColor(COLORS[index % COLORS.length] ?? 'gray.6'),
      // A colour used a second time has a dashed line.
      dash: index < COLORS.length ? 'none' : '6 3',
    }))
}

function mostRated(lines: readonly Line[]): string[] {
  const countOf = ({ points }: Line) => points.at(-1)?.count ?? 0
  return [...lines]
    .sort((a, b) => countOf(b) - countOf(a))
    .slice(0, SHOWN_AT_FIRST)
    .map(({ storefront }) => storefront)
}

/** Every change of a visible line, every release, and the end of the range. */
function stopsOf(
  lines: readonly Line[],
  releases: AppPage['releases'],
  sinceMs: number,
  untilMs: number,
): Stop[] {
  const changes = lines.flatMap(({ points }) =>
    points.map(({ at }) => Math.max(sinceMs, new Date(at).getTime())),
  )
  const released = releases.map(({ at }) => new Date(at).getTime())
  return [...new Set([...changes, ...released, untilMs])]
    .sort((a, b) => a - b)
    .map((atMs) => ({
      atMs,
      title: dayAndTime(new Date(atMs), new Date(untilMs)),
      notes: releasesWithin(releases, atMs, atMs + 1),
      rows: lines.flatMap(({ name, color, points }) => {
        const point = points.findLast(({ at }) => new Date(at).getTime() <= atMs)
        return point === undefined ? [] : [{ name, color, value: average(point.rating) }]
      }),
    }))
}

/** The range of the ratings with a margin, rounded to tenths, within 1 to 5 stars. */
function domainOf(lines: readonly Line[]): [number, number] {
  const ratings = lines.flatMap(({ points }) => points.map(({ rating }) => rating))
  if (ratings.length === 0) return [1, 5]
  const low = Math.floor(10 * Math.min(...ratings) - 0.5) / 10
  const high = Math.ceil(10 * Math.max(...ratings) + 0.5) / 10
  return [Math.max(1, low), Math.min(5, high)]
}
