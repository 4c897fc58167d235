import { VisuallyHidden } from '@mantine/core'
import type { AppPage } from '../../../src/contract/console/apps.ts'
import { chartTexts, volumeByDayTexts } from '../../messages/charts.ts'
import { fullDayOf } from '../../util/time.ts'
import { BarChart } from './BarChart.tsx'
import { cssColor, NoData, STAR_COLORS } from './common.tsx'

const SERIES = STAR_COLORS.map((color, index) => ({ name: `${index + 1} ★`, color: cssColor(color) }))

/** Reviews per day, by stars. */
export function VolumeByDay({ page: { days, releases } }: { readonly page: AppPage }) {
  const total = days.reduce((sum, { stars }) => sum + stars.reduce((all, one) => all + one, 0), 0)
  if (total === 0) return <NoData>{chartTexts.noReviews}</NoData>
  return (
    <>
      <VisuallyHidden>{volumeByDayTexts.total(total)}</VisuallyHidden>
      <BarChart
        label={volumeByDayTexts.label}
        series={SERIES}
        buckets={days.map(({ at, stars }) => ({ at, counts: stars }))}
        titleOf={fullDayOf}
        releases={releases}
      />
    </>
  )
}
