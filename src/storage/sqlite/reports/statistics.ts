import { setImmediate } from 'node:timers/promises'
import type { StatisticsStorage } from '../../port/statistics.ts'
import { scopesIn } from '../../tables/reports/scope.ts'
import {
  type CountRow,
  countedApps,
  DAY_MS,
  type FeatureRow,
  featuresOf,
  type PhraseRow,
  reviewCountOf,
  topFeatures,
  type VersionRow,
  versionsOf,
} from '../../tables/reports/statistics.ts'
import { msOf } from '../../values.ts'
import { runSync } from '../../work.ts'
import type { Connection } from '../connect.ts'

/**
 * The period that one statement counts. With 100,000 reviews a year it has 8,000, which blocks the process for 5 ms.
 */
const WINDOW_MS = 30 * DAY_MS

/** In an index without versions it would read each review. */
const OF_VERSION = 'and r.app_version = ?6'

const reviewCounts = (
  further = '',
) => `select r.occurred_at / ${DAY_MS} as day, r.rating, r.sentiment, r.themes_mask, r.is_bug_report,
    r.is_feature_request, count(*) as count
  from reviews r indexed by reviews_app
  where r.store = ?1 and r.app_id = ?2 and r.occurred_at >= ?3 and r.occurred_at < ?4
    and r.market in (select value from json_each(?5)) ${further}
  group by 1, 2, 3, 4, 5, 6`
export const REVIEW_COUNTS = reviewCounts()

const featureCounts = (
  index: string,
  further = '',
) => `select r.feature_slug, r.occurred_at / ${DAY_MS} as day, count(*) as count, max(r.seq) as seq,
    max(r.occurred_at) as last_at
  from reviews r indexed by ${index}
  where r.store = ?1 and r.app_id = ?2 and r.occurred_at >= ?3 and r.occurred_at < ?4 and r.feature_slug is not null
    and r.market in (select value from json_each(?5)) ${further}
  group by 1, 2`
export const FEATURE_COUNTS = featureCounts('reviews_requests')

export const VERSION_COUNTS = `select r.app_version, count(*) as count, min(r.occurred_at) as first_at, max(r.occurred_at) as last_at
  from reviews r indexed by reviews_app
  where r.store = ?1 and r.app_id = ?2 and r.occurred_at >= ?3 and r.occurred_at < ?4 and r.app_version is not null
    and r.market in (select value from json_each(?5))
  group by 1`

/** Differs from postgres: many short statements, since each blocks the process. */
export function reviewStatistics(
  db: Connection,
): Pick<StatisticsStorage, 'reviewCounts' | 'requestedFeatures' | 'reviewedVersions'> {
  return {
    async reviewCounts(accountId, filter) {
      const sql = filter.version === undefined ? REVIEW_COUNTS : reviewCounts(OF_VERSION)
      return (await inWindows<CountRow>(db, sql, accountId, filter)).map(reviewCountOf)
    },

    reviewedVersions: async (accountId, { version: _, ...filter }, limit) =>
      versionsOf(await inWindows<VersionRow>(db, VERSION_COUNTS, accountId, filter), limit),

    async requestedFeatures(accountId, filter, limit) {
      const sql = filter.version === undefined ? FEATURE_COUNTS : featureCounts('reviews_app', OF_VERSION)
      const top = topFeatures(await inWindows<FeatureRow>(db, sql, accountId, filter), limit)
      const phrases = db.all<PhraseRow>(
        'select seq, enrichment from reviews where seq in (select value from json_each(?))',
        JSON.stringify(top.map(({ seq }) => seq)),
      )
      return featuresOf(top, phrases)
    },
  }
}

/** The rows of each app, read in windows of whole days, so that no statement blocks the process for long. */
async function inWindows<Row>(
  db: Connection,
  sql: string,
  accountId: string,
  filter: Parameters<StatisticsStorage['reviewCounts']>[1],
): Promise<Row[]> {
  const [sinceMs, untilMs] = [msOf(filter.since), msOf(filter.until)]
  const rows: Row[] = []
  for (const { store, appId, markets } of countedApps(runSync(db, scopesIn(accountId)), filter)) {
    let fromMs = sinceMs
    while (fromMs < untilMs) {
      const toMs = Math.min(untilMs, (Math.floor(fromMs / DAY_MS) + 1) * DAY_MS + WINDOW_MS)
      const version = filter.version === undefined ? [] : [filter.version]
      rows.push(...db.all<Row>(sql, store, appId, fromMs, toMs, JSON.stringify(markets), ...version))
      fromMs = toMs
      await setImmediate()
    }
  }
  return rows
}
