import type { Interval, ReviewStatistics } from '../../contract/v1/statistics.ts'
import type { ReviewCount, Statistics } from '../../operations/statistics.ts'

export function presentStatistics(
  { since, until, counts, features }: Statistics,
  interval: Interval,
): ReviewStatistics {
  const reviews = sum(counts)
  const stars = starsIn(counts)
  const total = stars.reduce((points, count, index) => points + count * (index + 1), 0)
  const sentiments = totals(counts, ({ sentiment }) => (sentiment === null ? [] : [sentiment]))
  const negative = new Map(totals(counts.filter(isNegative), ({ themes }) => themes))
  return {
    since: since.toISOString(),
    until: until.toISOString(),
    interval,
    reviews,
    stars,
    average_stars: reviews === 0 ? null : Math.round((total / reviews) * 100) / 100,
    bug_reports: sum(counts.filter(({ isBugReport }) => isBugReport === true)),
    feature_requests: sum(counts.filter(({ isFeatureRequest }) => isFeatureRequest === true)),
    sentiments: sentiments.map(([sentiment, count]) => ({ sentiment, count })),
    themes: totals(counts, ({ themes }) => themes).map(([theme, count]) => ({
      theme,
      count,
      negative: negative.get(theme) ?? 0,
    })),
    requested_features: features.map(({ slug, phrase, count, lastAt, days }) => ({
      feature_slug: slug,
      feature_phrase: phrase,
      count,
      last_at: lastAt.toISOString(),
      series: byInterval(days, interval).map(([at, ofInterval]) => ({ at, count: sum(ofInterval) })),
    })),
    series: byInterval(counts, interval).map(([at, ofInterval]) => ({
      at,
      reviews: sum(ofInterval),
      stars: starsIn(ofInterval),
      negative: sum(ofInterval.filter(isNegative)),
      bug_reports: sum(ofInterval.filter(({ isBugReport }) => isBugReport === true)),
      feature_requests: sum(ofInterval.filter(({ isFeatureRequest }) => isFeatureRequest === true)),
    })),
  }
}

function isNegative({ sentiment }: ReviewCount): boolean {
  return sentiment === 'negative'
}

function sum(counts: readonly { readonly count: number }[]): number {
  return counts.reduce((total, { count }) => total + count, 0)
}

function starsIn(counts: readonly ReviewCount[]): ReviewStatistics['stars'] {
  const of = (stars: number) => sum(counts.filter((each) => each.stars === stars))
  return [of(1), of(2), of(3), of(4), of(5)]
}

/** The most frequent ones first. */
function totals<Key extends string>(
  counts: readonly ReviewCount[],
  keysOf: (count: ReviewCount) => readonly Key[],
): [Key, number][] {
  const found = new Map<Key, number>()
  for (const each of counts) {
    for (const key of keysOf(each)) found.set(key, (found.get(key) ?? 0) + each.count)
  }
  return [...found].sort(([a, many], [b, less]) => less - many || (a < b ? -1 : 1))
}

/** Counts by the start of the interval, oldest first. */
function byInterval<Row extends { readonly day: Date }>(
  rows: readonly Row[],
  interval: Interval,
): [string, Row[]][] {
  return [...Map.groupBy(rows, ({ day }) => startOf(day, interval).toISOString())].sort(([a], [b]) =>
    a < b ? -1 : 1,
  )
}

const DAY_MS = 24 * 3_600_000

function startOf(day: Date, interval: Interval): Date {
  if (interval === 'month') return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), 1))
  const daysSinceMonday = interval === 'week' ? (day.getUTCDay() + 6) % 7 : 0
  return new Date(day.getTime() - daysSinceMonday * DAY_MS)
}
