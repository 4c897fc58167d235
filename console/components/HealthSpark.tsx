import type { DestinationHealth } from '../../src/contract/console/destinations.ts'
import { destinationTexts } from '../messages/destinations.tsx'

const BAR = { width: 5, gap: 2, height: 32 }

/** Deliveries per hour over the last 24 hours, with failed attempts in red. */
export function HealthSpark({ perHour }: { readonly perHour: DestinationHealth['perHour'] }) {
  const max = Math.max(1, ...perHour.map((hour) => hour.delivered + hour.failed))
  const delivered = perHour.reduce((sum, hour) => sum + hour.delivered, 0)
  const failed = perHour.reduce((sum, hour) => sum + hour.failed, 0)
  const label = destinationTexts.last24Hours(delivered, failed)
  const px = (count: number) => (count / max) * BAR.height
  return (
    <svg
      width={perHour.length * (BAR.width + BAR.gap)}
      height={BAR.height}
      style={{ display: 'block' }}
      role="img"
      aria-label={label}
    >
      <title>{label}</title>
      <path
        d={bars(perHour.map(() => ({ from: 0, height: 1 })))}
        fill="var(--mantine-color-default-border)"
      />
      <path
        d={bars(perHour.map((hour) => ({ from: 0, height: px(hour.delivered) })))}
        fill="var(--mantine-color-teal-6)"
      />
      <path
        d={bars(perHour.map((hour) => ({ from: px(hour.delivered), height: px(hour.failed) })))}
        fill="var(--mantine-color-red-6)"
      />
    </svg>
  )
}

/** One bar for each hour, `from` pixels above the base: a list has many of these charts, so each has few elements. */
function bars(hours: readonly { readonly from: number; readonly height: number }[]): string {
  return hours
    .map(({ from, height }, index) => {
      const x = index * (BAR.width + BAR.gap)
      return height === 0 ? '' : `M${x} ${BAR.height - from}v${-height}h${BAR.width}v${height}z`
    })
    .join('')
}
