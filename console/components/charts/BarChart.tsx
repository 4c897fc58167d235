import { Group, Text } from '@mantine/core'
import type { ReleaseLine } from '../../../src/contract/console/apps.ts'
import { number } from '../../util/numbers.ts'
import { Plot, Swatch } from './Plot.tsx'
import { ReleaseLegend, releasesWithin } from './Releases.tsx'
import { countTop, type Scale } from './scale.ts'

export type Series = { readonly name: string; readonly color: string }
export type Bucket = { readonly at: string; readonly counts: readonly number[] }

/** Counts per hour or day as stacked bars. A bar is as wide as its time. */
export function BarChart({
  label,
  series,
  buckets,
  titleOf,
  releases = [],
}: {
  readonly label: string
  readonly series: readonly Series[]
  /** Oldest first. Counts are in the order of `series`. */
  readonly buckets: readonly Bucket[]
  readonly titleOf: (at: Date) => string
  readonly releases?: readonly ReleaseLine[]
}) {
  const spans = spansOf(buckets)
  const max = Math.max(0, ...buckets.map(({ counts }) => counts.reduce((sum, count) => sum + count, 0)))
  return (
    <div>
      <Plot
        label={label}
        sinceMs={spans[0]?.fromMs ?? 0}
        untilMs={spans.at(-1)?.toMs ?? 0}
        low={0}
        high={countTop(max)}
        minStep={1}
        format={number}
        releases={releases}
        stops={spans.map(({ fromMs, toMs, counts }) => ({
          atMs: (fromMs + toMs) / 2,
          title: titleOf(new Date(fromMs)),
          notes: releasesWithin(releases, fromMs, toMs),
          rows: series.map(({ name, color }, index) => ({ name, color, value: number(counts[index] ?? 0) })),
        }))}
      >
        {(x, y) =>
          series.map(({ name, color }, index) => (
            <path key={name} d={barsOf(spans, index, x, y)} fill={color} />
          ))
        }
      </Plot>
      {series.length > 1 && (
        <Group gap="md" justify="center">
          {series.map(({ name, color }) => (
            <Group key={name} gap={6}>
              <Swatch color={color} />
              <Text size="xs">{name}</Text>
            </Group>
          ))}
        </Group>
      )}
      <ReleaseLegend releases={releases} />
    </div>
  )
}

type Span = { readonly fromMs: number; readonly toMs: number; readonly counts: readonly number[] }

/** A bucket ends where the next starts. The last one, still running, is as long as the one before it. */
function spansOf(buckets: readonly Bucket[]): Span[] {
  const starts = buckets.map(({ at }) => new Date(at).getTime())
  return buckets.map(({ counts }, index) => {
    const fromMs = starts[index] ?? 0
    return { fromMs, toMs: starts[index + 1] ?? 2 * fromMs - (starts[index - 1] ?? fromMs - 1), counts }
  })
}

/** The bars of one series, stacked on the series before it. One path, because a year has hundreds of bars. */
function barsOf(spans: readonly Span[], index: number, x: Scale, y: Scale): string {
  return spans
    .flatMap(({ fromMs, toMs, counts }) => {
      const count = counts[index] ?? 0
      if (count === 0) return []
      const below = counts.slice(0, index).reduce((sum, each) => sum + each, 0)
      const width = x(toMs) - x(fromMs)
      const gap = Math.min(2, width / 4)
      const [left, right] = [x(fromMs) + gap / 2, x(toMs) - gap / 2]
      return [`M${left} ${y(below)}V${y(below + count)}H${right}V${y(below)}Z`]
    })
    .join('')
}
