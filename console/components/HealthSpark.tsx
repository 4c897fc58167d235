import type { DestinationHealth } from '../../src/contract/console/destinations.ts'
import { counted, number } from '../util/numbers.ts'

const BAR = { width: 5, gap: 2, height: 32 }

/** Deliveries per hour over the last 24 hours, with failed attempts in red. */
export function HealthSpark({ perHour }: { readonly perHour: DestinationHealth['perHour'] }) {
  const max = Math.max(1, ...perHour.map((hour) => hour.delivered + hour.failed))
  const delivered = perHour.reduce((sum, hour) => sum + hour.delivered, 0)
  const failed = perHour.reduce((sum, hour) => sum + hour.failed, 0)
  const label = `Last 24 hours: ${number(delivered)} delivered, ${counted(failed, 'failed attempt')}`
  return (
    <svg width={perHour.length * (BAR.width + BAR.gap)} height={BAR.height} role="img" aria-label={label}>
      <title>{label}</title>
      {perHour.map((hour, index) => {
        const good = (hour.delivered / max) * BAR.height
        const bad = (hour.failed / max) * BAR.height
        const x = index * (BAR.width + BAR.gap)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: hours have no identity but their position
          <g key={index}>
            <rect
              x={x}
              y={BAR.height - 1}
              width={BAR.width}
              height={1}
              fill="var(--mantine-color-default-border)"
            />
            <rect
              x={x}
              y={BAR.height - good}
              width={BAR.width}
              height={good}
              fill="var(--mantine-color-teal-6)"
            />
            <rect
              x={x}
              y={BAR.height - good - bad}
              width={BAR.width}
              height={bad}
              fill="var(--mantine-color-red-6)"
            />
          </g>
        )
      })}
    </svg>
  )
}
