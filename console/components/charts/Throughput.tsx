import { AreaChart } from '@mantine/charts'
import '@mantine/charts/styles.css'
import { VisuallyHidden } from '@mantine/core'
import type { Overview } from '../../../src/contract/console/overview.ts'
import { counted, number } from '../../util/numbers.ts'
import { clockTime, utcDayOf } from '../../util/time.ts'
import { CHART_HEIGHT } from './common.tsx'

/** Reviews, delivered events and failed attempts, over the range of the overview. */
export function Throughput({
  series,
  hourly,
}: {
  readonly series: Overview['series']
  readonly hourly: boolean
}) {
  const format = hourly ? clockTime : utcDayOf
  const total = (of: 'reviews' | 'delivered' | 'failed') =>
    series.reduce((sum, bucket) => sum + bucket[of], 0)
  return (
    <>
      <VisuallyHidden>
        {counted(total('reviews'), 'review')} found, {counted(total('delivered'), 'event')} delivered,{' '}
        {counted(total('failed'), 'failed attempt')} in this period.
      </VisuallyHidden>
      <AreaChart
        h={CHART_HEIGHT}
        data={series.map(({ at, reviews, delivered, failed }) => ({
          at: format(new Date(at)),
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
        valueFormatter={number}
        withDots={false}
        yAxisProps={{ allowDecimals: false, width: 40 }}
      />
    </>
  )
}
