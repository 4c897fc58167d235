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
} from '../../tables/reports/statistics.ts'
import { msOf } from '../../values.ts'
import { runSync } from '../../work.ts'
import type { Connection } from '../connect.ts'

/**
 * The period that one statement counts. With 100,000 reviews a year it has 8,000, which blocks the process for 5 ms.
 */
const WINDOW_MS = 30 * DAY_MS

export const REVIEW_COUNTS = `select r.occurred_at / ${DAY_MS} as day, r.rating, r.sentiment, r.themes_mask, r.is_bug_report,
    r.is_feature_request, count(*) as count
  from reviews r indexed by reviews_app
  where r.store = ?1 and r.app_id = ?2 and r.occurred_at >= ?3 and r.occurred_at < ?4
    and r.market in (select value from json_each(?5))
  group by 1, 2, 3, 4, 5, 6`

export const FEATURE_COUNTS = `select r.feature_slug, r.occurred_at / ${DAY_MS} as day, count(*) as count, max(r.seq) as seq,
    max(r.occurred_at) as last_at
  from reviews r indexed by reviews_requests
  where r.store = ?1 and r.app_id = ?2 and r.occurred_at >= ?3 and r.occurred_at < ?4 and r.feature_slug is not null
    and r.market in (select value from json_each(?5))
  group by 1, 2`

/** Differs from postgres: many short statements, since each blocks the process. */
export function reviewStatistics(
  db: Connection,
): Pick<StatisticsStorage, 'reviewCounts' | 'requestedFeatures'> {
  return {
    reviewCounts: async (accountId, filter) =>
      (await inWindows<CountRow>(db, REVIEW_COUNTS, accountId, filter)).map(reviewCountOf),

    async requestedFeatures(accountId, filter, limit) {
      const top = topFeatures(await inWindows<FeatureRow>(db, FEATURE_COUNTS, accountId, filter), limit)
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
      rows.push(...db.all<Row>(sql, store, appId, fromMs, toMs, JSON.stringify(markets)))
      fromMs = toMs
      await setImmediate()
    }
  }
  return rows
}
