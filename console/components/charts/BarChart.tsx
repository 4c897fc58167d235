import { Group, Text } from '@mantine/core'
import { number } from '../../util/numbers.ts'
import { Plot, Swatch } from './Plot.tsx'
import { countTop, type Scale } from './scale.ts'

export type Series = { readonly name: string; readonly color: string }
export type Bucket = { readonly at: string; readonly counts: readonly number[] }

/** Counts per hour or day as stacked bars, as wide as their time. */
export function BarChart({
  label,
  series,
  buckets,
  titleOf,
}: {
  readonly label: string
  readonly series: readonly Series[]
  /** Oldest first; the counts in the order of the series. */
  readonly buckets: readonly Bucket[]
  readonly titleOf: (at: Date) => string
}) {
  const spans = spansOf(buckets)
  const most = Math.max(0, ...buckets.map(({ counts }) => counts.reduce((sum, count) => sum + count, 0)))
  return (
    <div>
      <Plot
        label={label}
        sinceMs={spans[0]?.fromMs ?? 0}
        untilMs={spans.at(-1)?.toMs ?? 0}
        low={0}
        high={countTop(most)}
        leastStep={1}
        format={number}
        stops={spans.map(({ fromMs, toMs, counts }) => ({
          atMs: (fromMs + toMs) / 2,
          title: titleOf(new Date(fromMs)),
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
    </div>
  )
}

type Span = { readonly fromMs: number; readonly toMs: number; readonly counts: readonly number[] }

/** Each bucket until the next; the last one, which is not over, as long as the one before it. */
function spansOf(buckets: readonly Bucket[]): Span[] {
  const starts = buckets.map(({ at }) => new Date(at).getTime())
  return buckets.map(({ counts }, index) => {
    const fromMs = starts[index] ?? 0
    return { fromMs, toMs: starts[index + 1] ?? 2 * fromMs - (starts[index - 1] ?? fromMs - 1), counts }
  })
}

/** The bars of one series, on top of the series before it. One path, since a year has hundreds. */
function barsOf(spans: readonly Span[], index: number, x: Scale, y: Scale): string {
  return spans
    .flatMap(({ fromMs, toMs, counts }) => {
      const count = counts[index] ?? 0
      if (count === 0) return []
      const below = counts.slice(0, index).reduce((sum, each) => sum + each, 0)
      const wide = x(toMs) - x(fromMs)
      const gap = Math.min(2, wide / 4)
      const [left, right] = [x(fromMs) + gap / 2, x(toMs) - gap / 2]
      return [`M${left} ${y(below)}V${y(below + count)}H${right}V${y(below)}Z`]
    })
    .join('')
}
