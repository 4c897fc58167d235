import type { Buckets } from '../../../model/days.ts'
import { publicMarketOf } from '../../../model/market.ts'
import { SENTIMENTS, type Sentiment, THEMES } from '../../../model/vocabulary.ts'
import type {
  AppDetail,
  AppRange,
  AppReport,
  ReviewTally,
  SentimentCounts,
  StarCounts,
} from '../../port/reports.ts'
import { dateOf, msOf } from '../../values.ts'

/** The figures of the app page, from the rows of either engine. */

/** The index of the previous period among the days. */
export const BEFORE = -1

/**
 * The counts of one day or of the previous period: reviews by stars, and enriched ones by sentiment in the order of the
 * vocabulary.
 */
export type DayRow = {
  readonly day: number
  readonly stars: readonly number[]
  readonly sentiments: readonly number[]
}
/** Enriched reviews with the same themes. `part` is the index of a part of the range, or `BEFORE`. */
export type ThemesRow = {
  readonly part: number
  readonly themes_mask: number
  readonly negative: number
  readonly count: number
}
/** Reviews of one market and version. The count is for the range, `first_at` for both periods. */
export type GroupRow = {
  readonly market: string
  readonly app_version: string | null
  readonly count: number
  readonly stars: number
  readonly low: number
  readonly first_at: number
}
export type RequestRow = { readonly slug: string; readonly count: number; readonly before: number }

/** The parts of a trend: days for a month. */
const PARTS_MAX = 31

/** The beginnings of the parts of a trend, of one or several days each. */
export function partsOf(days: Buckets): Buckets {
  const step = Math.ceil(days.length / PARTS_MAX)
  const [first, ...rest] = days
  return [first, ...rest.filter((_, index) => (index + 1) % step === 0)]
}

const VERSIONS_MAX = 50
export const REQUESTS_MAX = 20

/** A part of the range that is counted separately: its index, beginning and end. */
export type Span = readonly [place: number, fromMs: number, untilMs: number]

/** The days, and the previous period in parts of at most `partMs`. The time between the two belongs to neither. */
export function spansOf({ days, before }: AppRange, now: Date, partMs: number): Span[] {
  const spans: Span[] = []
  const endMs = msOf(endOfBefore({ days, before }, now))
  for (let fromMs = msOf(before); fromMs < endMs; fromMs += partMs) {
    spans.push([BEFORE, fromMs, Math.min(fromMs + partMs, endMs)])
  }
  return [...spans, ...bucketSpans(days, now)]
}

export function bucketSpans(buckets: Buckets, now: Date): Span[] {
  return buckets.map((from, place) => [place, msOf(from), msOf(buckets[place + 1] ?? now)])
}

export function endOfBefore({ days, before }: AppRange, now: Date): Date {
  return dateOf(msOf(before) + (msOf(now) - msOf(days[0])))
}

export function detailOf(
  facts: Pick<AppDetail, 'history' | 'drops' | 'releases'> & { readonly report: AppReport },
  range: AppRange,
  now: Date,
  rows: {
    readonly days: readonly DayRow[]
    readonly themes: readonly ThemesRow[]
    readonly groups: readonly GroupRow[]
    readonly requests: readonly RequestRow[]
  },
): AppDetail {
  const { report, history, drops, releases } = facts
  const byDay = Map.groupBy(rows.days, ({ day }) => day)
  return {
    ...report,
    history,
    drops,
    days: range.days.map((at, day) => ({ at, ...countsOf(byDay.get(day) ?? []) })),
    before: {
      from: range.before,
      until: endOfBefore(range, now),
      stars: countsOf(byDay.get(BEFORE) ?? []).stars,
    },
    releases,
    themes: themesOf(partsOf(range.days).length, rows.themes),
    versions: versionsOf(rows.groups),
    markets: tallied(rows.groups, ({ market }) => publicMarketOf(market)).map(([market, tally]) => ({
      market,
      ...tally,
    })),
    requests: rows.requests.map(({ slug, count, before }) => ({ slug, count, before })),
  }
}

function themesOf(parts: number, rows: readonly ThemesRow[]): AppDetail['themes'] {
  return THEMES.flatMap((theme, bit) => {
    const about = rows.filter(({ themes_mask }) => (themes_mask & (1 << bit)) !== 0)
    if (about.length === 0) return []
    const within = about.filter(({ part }) => part !== BEFORE)
    const trend = Array.from({ length: parts }, () => 0)
    for (const { part, count } of within) trend[part] = (trend[part] ?? 0) + count
    return [
      {
        theme,
        count: sum(within),
        negative: sum(within.filter(({ negative }) => negative === 1)),
        trend,
        before: sum(about) - sum(within),
      },
    ]
  }).sort((a, b) => b.count - a.count)
}

function versionsOf(groups: readonly GroupRow[]): AppDetail['versions'] {
  const firstOf = Map.groupBy(groups, ({ app_version }) => app_version)
  return tallied(groups, ({ app_version }) => app_version)
    .slice(0, VERSIONS_MAX)
    .map(([version, tally]) => ({
      version,
      ...tally,
      firstAt: dateOf(Math.min(...(firstOf.get(version) ?? []).map(({ first_at }) => first_at))),
    }))
}

/** Merges groups with the same key, most reviews first, and omits those without a review in the range. */
function tallied<K>(groups: readonly GroupRow[], keyOf: (group: GroupRow) => K): [K, ReviewTally][] {
  return [...Map.groupBy(groups, keyOf)]
    .map(([key, ofKey]): [K, ReviewTally] => [
      key,
      {
        count: sum(ofKey),
        starsSum: ofKey.reduce((total, { stars }) => total + stars, 0),
        low: ofKey.reduce((total, { low }) => total + low, 0),
      },
    ])
    .filter(([, { count }]) => count > 0)
    .sort(([, a], [, b]) => b.count - a.count)
}

function countsOf(rows: readonly DayRow[]): {
  readonly stars: StarCounts
  readonly sentiments: SentimentCounts
} {
  const stars = (count: number) => rows.reduce((total, row) => total + (row.stars[count - 1] ?? 0), 0)
  const sentiments: Partial<Record<Sentiment, number>> = {}
  for (const [place, sentiment] of SENTIMENTS.entries()) {
    const count = rows.reduce((total, row) => total + (row.sentiments[place] ?? 0), 0)
    if (count > 0) sentiments[sentiment] = count
  }
  return { stars: [stars(1), stars(2), stars(3), stars(4), stars(5)], sentiments }
}

function sum(rows: readonly { readonly count: number }[]): number {
  return rows.reduce((total, { count }) => total + count, 0)
}
