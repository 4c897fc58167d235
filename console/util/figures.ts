import type { ReviewStatistics } from '../../src/contract/v1/statistics.ts'
import { DAY_MS } from '../../src/model/days.ts'

/** The figures of some reviews, and how they differ from those of others. */

export type Figures = {
  readonly reviews: number
  /** Numbers of reviews with one to five stars. */
  readonly stars: readonly number[]
  /** Reviews with enrichment, of which the following are parts. */
  readonly enriched: number
  readonly negative: number
  readonly bugReports: number
  readonly featureRequests: number
  readonly themes: ReadonlyMap<string, number>
  readonly features: ReadonlyMap<string, number>
  /** The features of each list that is full: a feature that it lacks may have a few more requests. */
  readonly fullFeatureLists: readonly ReadonlySet<string>[]
  /** Days from the first to the last one with reviews. */
  readonly days: number
}

/** Features that the statistics of one request list at most. */
const FEATURES_LISTED = 50

/** The figures of several selections of reviews together, none of which has a review of another. */
export function mergedFigures(parts: readonly ReviewStatistics[]): Figures {
  const sum = (numberOf: (part: ReviewStatistics) => number) =>
    parts.reduce((total, part) => total + numberOf(part), 0)
  const sentiments = parts.flatMap((part) => part.sentiments)
  const days = parts.flatMap(({ series }) => series.map(({ at }) => Date.parse(at)))
  return {
    reviews: sum(({ reviews }) => reviews),
    stars: [0, 1, 2, 3, 4].map((index) => sum(({ stars }) => stars[index] ?? 0)),
    enriched: sentiments.reduce((total, { count }) => total + count, 0),
    negative: sentiments
      .filter(({ sentiment }) => sentiment === 'negative')
      .reduce((total, { count }) => total + count, 0),
    bugReports: sum(({ bug_reports }) => bug_reports),
    featureRequests: sum(({ feature_requests }) => feature_requests),
    themes: added(parts.flatMap(({ themes }) => themes.map(({ theme, count }) => [theme, count]))),
    features: added(
      parts.flatMap((part) =>
        part.requested_features.map(({ feature_slug, count }) => [feature_slug, count]),
      ),
    ),
    fullFeatureLists: parts
      .filter((part) => part.requested_features.length >= FEATURES_LISTED)
      .map((part) => new Set(part.requested_features.map(({ feature_slug }) => feature_slug))),
    days: days.length === 0 ? 0 : Math.round((Math.max(...days) - Math.min(...days)) / DAY_MS) + 1,
  }
}

function added(counts: readonly (readonly [string, number])[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const [key, count] of counts) sums.set(key, (sums.get(key) ?? 0) + count)
  return sums
}

/** `count` of reviews, of all `of`. Null if unknown. */
export type Part = { readonly count: number | null; readonly of: number }

export function shareOf({ count, of }: Part): number | null {
  return count === null || of === 0 ? null : count / of
}

/** Reviews that request a feature, null if the statistics do not say. */
export function requestsOf(figures: Figures, slug: string): number | null {
  return figures.fullFeatureLists.every((list) => list.has(slug)) ? (figures.features.get(slug) ?? 0) : null
}

/** The keys of the most reviews in any of the columns, the most first. A share of few reviews says little. */
export function topKeys(
  columns: readonly Figures[],
  countsOf: (figures: Figures) => ReadonlyMap<string, number>,
  max: number,
): string[] {
  const greatest = new Map<string, number>()
  for (const [key, count] of columns.flatMap((figures) => [...countsOf(figures)])) {
    greatest.set(key, Math.max(greatest.get(key) ?? 0, count))
  }
  return [...greatest]
    .sort(([a, more], [b, less]) => less - more || (a < b ? -1 : 1))
    .slice(0, max)
    .map(([key]) => key)
}

/** Kinds of figures: a number of reviews, reviews per day, average stars, or a share of 0 to 1. */
export type FigureKind = 'count' | 'rate' | 'average' | 'share'

export type Difference = {
  readonly kind: 'same' | 'percent' | 'count' | 'rate' | 'stars' | 'points'
  readonly direction: 'up' | 'down' | 'same'
  /** Never negative; of shares in percentage points. Zero percent are less than one. */
  readonly distance: number
}

/** Decimal places of a number of reviews per day. */
export function ratePlaces(value: number): number {
  return value < 1 ? 2 : 1
}

/** How a figure differs from that of the first column, as the shown figures do. Null if either is unknown. */
export function differenceOf(kind: FigureKind, value: number | null, base: number | null): Difference | null {
  if (value === null || base === null) return null
  switch (kind) {
    case 'count':
      return base === 0 ? difference('count', value) : percentOf(value, base)
    case 'rate': {
      const [shown, shownBase] = [shownRate(value), shownRate(base)]
      if (shownBase === 0 || shown === shownBase) return difference('rate', shown - shownBase)
      return percentOf(value, base)
    }
    case 'average':
      return difference('stars', (Math.round(value * 100) - Math.round(base * 100)) / 100)
    case 'share':
      // Shares are shown rounded down to a tenth of a percent.
      return difference('points', (tenths(value) - tenths(base)) / 10)
  }
}

function shownRate(value: number): number {
  return Number(value.toFixed(ratePlaces(value)))
}

/** In whole percent, which are 100 less only if nothing is left. */
function percentOf(value: number, base: number): Difference {
  if (value === base) return difference('percent', 0)
  const percent = Math.round((100 * Math.abs(value - base)) / base)
  return {
    kind: 'percent',
    direction: value > base ? 'up' : 'down',
    distance: value < base && value > 0 ? Math.min(percent, 99) : percent,
  }
}

function tenths(share: number): number {
  // 0.29 * 1000 is 290 less a little.
  return Math.floor(Number((share * 1_000).toFixed(6)))
}

function difference(kind: Difference['kind'], value: number): Difference {
  if (value === 0) return { kind: 'same', direction: 'same', distance: 0 }
  return { kind, direction: value > 0 ? 'up' : 'down', distance: Math.abs(value) }
}
