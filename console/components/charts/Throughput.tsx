import { SimpleGrid, Text, VisuallyHidden } from '@mantine/core'
import type { Overview } from '../../../src/contract/console/overview.ts'
import { counted } from '../../util/numbers.ts'
import { fullDayOf, hourOf } from '../../util/time.ts'
import { BarChart, type Series } from './BarChart.tsx'
import { cssColor } from './common.tsx'

const REVIEWS: readonly Series[] = [{ name: 'Reviews found', color: cssColor('grape.6') }]
const ATTEMPTS: readonly Series[] = [
  { name: 'Accepted', color: cssColor('teal.7') },
  { name: 'Failed', color: cssColor('red.6') },
]

/** Reviews found and delivery attempts, in separate charts: far more reviews are found than sent. */
export function Throughput({
  series,
  hourly,
}: {
  readonly series: Overview['series']
  readonly hourly: boolean
}) {
  const titleOf = hourly ? hourOf : fullDayOf
  const per = hourly ? 'hour' : 'day'
  const total = (of: 'reviews' | 'delivered' | 'failed') =>
    series.reduce((sum, bucket) => sum + bucket[of], 0)
  return (
    <>
      <VisuallyHidden>
        {counted(total('reviews'), 'review')} found, {counted(total('delivered'), 'event')} delivered,{' '}
        {counted(total('failed'), 'failed attempt')} in this period.
      </VisuallyHidden>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <div>
          <Text size="sm">Reviews found per {per}</Text>
          <BarChart
            label={`Reviews found per ${per}`}
            series={REVIEWS}
            buckets={series.map(({ at, reviews }) => ({ at, counts: [reviews] }))}
            titleOf={titleOf}
          />
        </div>
        <div>
          <Text size="sm">Delivery attempts per {per}</Text>
          <BarChart
            label={`Delivery attempts per ${per}`}
            series={ATTEMPTS}
            buckets={series.map(({ at, delivered, failed }) => ({ at, counts: [delivered, failed] }))}
            titleOf={titleOf}
          />
        </div>
      </SimpleGrid>
    </>
  )
}
