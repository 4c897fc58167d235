import { BarChart } from '@mantine/charts'
import '@mantine/charts/styles.css'
import { VisuallyHidden } from '@mantine/core'
import type { AppPage } from '../../../src/contract/console/apps.ts'
import { counted, number } from '../../util/numbers.ts'
import { utcDayOf } from '../../util/time.ts'
import { CHART_HEIGHT, NoData, STAR_COLORS } from './common.tsx'

/** Reviews per UTC day, by stars. */
export function VolumeByDay({ volume }: { readonly volume: AppPage['volume'] }) {
  const total = volume.reduce((sum, { stars }) => sum + stars.reduce((all, one) => all + one, 0), 0)
  if (total === 0) return <NoData>No reviews in this period.</NoData>
  return (
    <>
      <VisuallyHidden>{counted(total, 'review')} in this period.</VisuallyHidden>
      <BarChart
        h={CHART_HEIGHT}
        data={volume.map(({ day, stars }) => ({
          day: utcDayOf(new Date(day)),
          ...Object.fromEntries(stars.map((count, index) => [`${index + 1} ★`, count])),
        }))}
        dataKey="day"
        type="stacked"
        series={STAR_COLORS.map((color, index) => ({ name: `${index + 1} ★`, color }))}
        valueFormatter={number}
        yAxisProps={{ allowDecimals: false, width: 36 }}
      />
    </>
  )
}
