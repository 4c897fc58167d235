import { SimpleGrid, Text, VisuallyHidden } from '@mantine/core'
import type { Overview } from '../../../src/contract/console/overview.ts'
import { throughputTexts } from '../../messages/overview.tsx'
import { fullDayOf, hourOf } from '../../util/time.ts'
import { BarChart, type Series } from './BarChart.tsx'
import { cssColor } from './common.tsx'

const REVIEWS: readonly Series[] = [{ name: throughputTexts.reviewsFound, color: cssColor('grape.6') }]
const ATTEMPTS: readonly Series[] = [
  { name: throughputTexts.accepted, color: cssColor('teal.7') },
  { name: throughputTexts.failed, color: cssColor('red.6') },
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
  const per = hourly ? throughputTexts.hour : throughputTexts.day
  const total = (of: 'reviews' | 'delivered' | 'failed') =>
    series.reduce((sum, bucket) => sum + bucket[of], 0)
  return (
    <>
      <VisuallyHidden>
        {throughputTexts.summary(total('reviews'), total('delivered'), total('failed'))}
      </VisuallyHidden>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <div>
          <Text size="sm">{throughputTexts.reviewsPer(per)}</Text>
          <BarChart
            label={throughputTexts.reviewsPer(per)}
            series={REVIEWS}
            buckets={series.map(({ at, reviews }) => ({ at, counts: [reviews] }))}
            titleOf={titleOf}
          />
        </div>
        <div>
          <Text size="sm">{throughputTexts.attemptsPer(per)}</Text>
          <BarChart
            label={throughputTexts.attemptsPer(per)}
            series={ATTEMPTS}
            buckets={series.map(({ at, delivered, failed }) => ({ at, counts: [delivered, failed] }))}
            titleOf={titleOf}
          />
        </div>
      </SimpleGrid>
    </>
  )
}
