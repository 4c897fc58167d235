import type { Enrichment } from '../../../model/enrichment.ts'
import type { FeedView } from '../../../model/feed.ts'
import { isStorefront } from '../../../model/market.ts'
import { type Sentiment, THEMES } from '../../../model/vocabulary.ts'
import type {
  CountFilter,
  ObservedRating,
  RatingCursor,
  RatingPage,
  RequestedFeature,
  ReviewCount,
  ReviewedVersion,
  StatisticsStorage,
} from '../../port/statistics.ts'
import { dateOf, msOf, parsedOrNull } from '../../values.ts'
import { all, type Db, together } from '../../work.ts'
import { feedsIn } from './apps.ts'
import { marketsWithin, scopesWithin } from './review-where.ts'
import { type AppScope, scopesIn } from './scope.ts'

export const RATINGS_OF_FEED = `select feed_id, observed_at, micros, count from ratings
  where feed_id = ?1 and observed_at < ?2 and observed_at >= ?3 order by observed_at desc limit ?4`

/** Without what counts many reviews, which SQLite does in parts. */
export function statisticsStorage(db: Db): Pick<StatisticsStorage, 'ratings'> {
  return {
    ratings: (accountId, { store, appId }, filter, { limit, before }) =>
      db.snapshot(function* () {
        const scopes = (yield* scopesIn(accountId)).filter(
          (scope) => scope.store === store && scope.appId === appId,
        )
        if (scopes.length === 0) return null
        const feeds = yield* feedsIn(scopes)
        const sinceMs = filter.since === undefined ? 0 : msOf(filter.since)
        const rows = yield* together(
          ...ratingFeeds(feeds, filter, before).map(({ feedId, beforeMs }) =>
            all<RatingRow>(RATINGS_OF_FEED, feedId, beforeMs, sinceMs, limit + 1),
          ),
        )
        return ratingPageOf(rows.flat(), feeds, limit)
      }),
  }
}

export const DAY_MS = 24 * 3_600_000

type RatingRow = {
  readonly feed_id: number
  readonly observed_at: number
  readonly micros: number
  readonly count: number
}

/** The rating feeds to read, each with the instant before which its rows of this page are. */
function ratingFeeds(
  feeds: readonly FeedView[],
  filter: { readonly storefront?: string | undefined; readonly until?: Date | undefined },
  before: RatingCursor | null,
): { readonly feedId: number; readonly beforeMs: number }[] {
  const untilMs = filter.until?.getTime() ?? Number.MAX_SAFE_INTEGER
  return feeds
    .filter(
      ({ kind, market }) =>
        kind === 'rating' && (filter.storefront === undefined || market === filter.storefront),
    )
    .map(({ id }) => ({ feedId: id, beforeMs: Math.min(untilMs, boundOf(id, before)) }))
}

/** Rows of the same instant are ordered by feed, the highest first. */
function boundOf(feedId: number, before: RatingCursor | null): number {
  if (before === null) return Number.MAX_SAFE_INTEGER
  return feedId < before.feedId ? before.observedAtMs + 1 : before.observedAtMs
}

/** `rows`: for each feed one row more than a page, in any order. */
function ratingPageOf(rows: readonly RatingRow[], feeds: readonly FeedView[], limit: number): RatingPage {
  const markets = new Map(feeds.map(({ id, market }) => [id, market]))
  const sorted = [...rows].sort((a, b) => b.observed_at - a.observed_at || b.feed_id - a.feed_id)
  const page = sorted.slice(0, limit)
  const last = page.at(-1)
  return {
    ratings: page.flatMap((row): ObservedRating[] => {
      const storefront = markets.get(row.feed_id) ?? ''
      if (!isStorefront(storefront)) return []
      const rating = { micros: row.micros, count: row.count }
      return [{ storefront, observedAt: dateOf(row.observed_at), rating }]
    }),
    next:
      sorted.length > limit && last !== undefined
        ? { observedAtMs: last.observed_at, feedId: last.feed_id }
        : null,
  }
}

export type CountRow = {
  readonly day: number
  readonly rating: number
  readonly sentiment: Sentiment | null
  readonly themes_mask: number | null
  readonly is_bug_report: number | null
  readonly is_feature_request: number | null
  readonly count: number
}

export function reviewCountOf(row: CountRow): ReviewCount {
  const mask = row.themes_mask ?? 0
  return {
    day: dateOf(row.day * DAY_MS),
    stars: row.rating,
    sentiment: row.sentiment,
    themes: THEMES.filter((_, bit) => (mask & (1 << bit)) !== 0),
    isBugReport: row.is_bug_report === null ? null : row.is_bug_report === 1,
    isFeatureRequest: row.is_feature_request === null ? null : row.is_feature_request === 1,
    count: row.count,
  }
}

/** The matching apps of an account, each with its matching markets. */
export function countedApps(
  scopes: readonly AppScope[],
  filter: CountFilter,
): { readonly store: string; readonly appId: string; readonly markets: readonly string[] }[] {
  const storefronts = filter.storefront && [filter.storefront]
  return scopesWithin(scopes, filter)
    .map((scope) => ({
      store: scope.store,
      appId: scope.appId,
      markets: marketsWithin(scope, { storefronts }),
    }))
    .filter(({ markets }) => markets.length > 0)
}

export type FeatureRow = {
  readonly feature_slug: string
  readonly day: number
  readonly count: number
  readonly seq: number
  readonly last_at: number
}

/** The most requested features, each with its newest review, which has the phrase. */
export function topFeatures(
  rows: readonly FeatureRow[],
  limit: number,
): {
  readonly slug: string
  readonly count: number
  readonly seq: number
  readonly rows: readonly FeatureRow[]
}[] {
  return [...Map.groupBy(rows, ({ feature_slug }) => feature_slug)]
    .map(([slug, ofSlug]) => ({
      slug,
      rows: ofSlug,
      count: ofSlug.reduce((sum, { count }) => sum + count, 0),
      seq: Math.max(...ofSlug.map(({ seq }) => seq)),
    }))
    .sort((a, b) => b.count - a.count || (a.slug < b.slug ? -1 : 1))
    .slice(0, limit)
}

export type PhraseRow = { readonly seq: number; readonly enrichment: string | null }

export function featuresOf(
  top: ReturnType<typeof topFeatures>,
  phrases: readonly PhraseRow[],
): RequestedFeature[] {
  const bySeq = new Map(phrases.map(({ seq, enrichment }) => [seq, enrichment]))
  return top.map(({ slug, count, seq, rows }) => {
    const byDay = Map.groupBy(rows, ({ day }) => day)
    return {
      slug,
      phrase: parsedOrNull<Enrichment>(bySeq.get(seq) ?? null)?.feature_phrase ?? null,
      count,
      lastAt: dateOf(Math.max(...rows.map(({ last_at }) => last_at))),
      days: [...byDay]
        .sort(([a], [b]) => a - b)
        .map(([day, ofDay]) => ({
          day: dateOf(day * DAY_MS),
          count: ofDay.reduce((sum, row) => sum + row.count, 0),
        })),
    }
  })
}

export type VersionRow = {
  readonly app_version: string
  readonly count: number
  readonly first_at: number
  readonly last_at: number
}

/** `rows`: any number for each version, of several apps or parts of the period. */
export function versionsOf(rows: readonly VersionRow[], limit: number): ReviewedVersion[] {
  return [...Map.groupBy(rows, ({ app_version }) => app_version)]
    .map(([version, ofVersion]) => ({
      version,
      count: ofVersion.reduce((sum, { count }) => sum + count, 0),
      firstAt: dateOf(Math.min(...ofVersion.map(({ first_at }) => first_at))),
      lastAt: dateOf(Math.max(...ofVersion.map(({ last_at }) => last_at))),
    }))
    .sort((a, b) => b.lastAt.getTime() - a.lastAt.getTime() || (a.version < b.version ? -1 : 1))
    .slice(0, limit)
}
