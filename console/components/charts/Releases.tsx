import { Group, Text } from '@mantine/core'
import type { ReleaseLine } from '../../../src/contract/console/apps.ts'
import { releaseTexts } from '../../messages/releases.ts'
import { number } from '../../util/numbers.ts'
import { dayOf } from '../../util/time.ts'
import type { Scale } from './scale.ts'

/** Names in the legend; more would be longer than the chart is high. */
const NAMED_MAX = 5

/** A vertical line with a diamond at its top for each release between the ends of the axis. */
export function ReleaseMarks(props: {
  readonly releases: readonly ReleaseLine[]
  readonly x: Scale
  readonly topPx: number
  readonly bottomPx: number
}) {
  const { releases, x, topPx, bottomPx } = props
  return releases.map(({ version, at }) => {
    const px = x(new Date(at).getTime())
    return (
      <g key={`${at} ${version}`} className="chart-release">
        <line x1={px} x2={px} y1={topPx} y2={bottomPx} />
        <path d={diamond(px, topPx)} />
      </g>
    )
  })
}

/** Names the releases that the chart marks, with their days. */
export function ReleaseLegend({ releases }: { readonly releases: readonly ReleaseLine[] }) {
  if (releases.length === 0) return null
  const named = releases.slice(-NAMED_MAX).map(({ version, at }) => {
    return releaseTexts.dated(releaseTexts.name(version), dayOf(new Date(at)))
  })
  const earlier = releases.length - named.length
  if (earlier > 0) named.push(releaseTexts.more(number(earlier)))
  return (
    <Group gap={6} justify="center" wrap="nowrap">
      <svg width={10} height={10} aria-hidden className="chart-release" style={{ flexShrink: 0 }}>
        <path d={diamond(5, 5)} />
      </svg>
      <Text size="xs">
        {releaseTexts.releases} {named.join(', ')}
      </Text>
    </Group>
  )
}

/** The releases within a period, as texts for the cursor. */
export function releasesWithin(releases: readonly ReleaseLine[], fromMs: number, toMs: number): string[] {
  const texts = releases
    .filter(({ at }) => new Date(at).getTime() >= fromMs && new Date(at).getTime() < toMs)
    .map(({ version }) => releaseTexts.atCursor(version))
  return [...new Set(texts)]
}

function diamond(x: number, y: number): string {
  return `M${x} ${y - 4}l4 4l-4 4l-4-4z`
}
