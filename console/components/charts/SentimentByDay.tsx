import type { AppPage } from '../../../src/contract/console/apps.ts'
import { SENTIMENT_NAMES } from '../../../src/contract/console/display-names.ts'
import type { Sentiment } from '../../../src/model/vocabulary.ts'
import { chartTexts, sentimentByDayTexts } from '../../messages/charts.ts'
import { fullDayOf } from '../../util/time.ts'
import { BarChart } from './BarChart.tsx'
import { cssColor, NoData } from './common.tsx'

const COLORS: readonly (readonly [sentiment: Sentiment, color: string])[] = [
  ['negative', 'red.7'],
  ['mixed', 'yellow.6'],
  ['neutral', 'gray.5'],
  ['positive', 'teal.7'],
]

/** Enriched reviews per day, by sentiment. */
export function SentimentByDay({ page: { days, releases } }: { readonly page: AppPage }) {
  if (days.every(({ sentiments }) => Object.keys(sentiments).length === 0)) {
    return <NoData>{chartTexts.noEnriched}</NoData>
  }
  return (
    <BarChart
      label={sentimentByDayTexts.label}
      series={COLORS.map(([sentiment, color]) => ({
        name: SENTIMENT_NAMES[sentiment],
        color: cssColor(color),
      }))}
      buckets={days.map(({ at, sentiments }) => ({
        at,
        counts: COLORS.map(([sentiment]) => sentiments[sentiment] ?? 0),
      }))}
      titleOf={fullDayOf}
      releases={releases}
    />
  )
}
