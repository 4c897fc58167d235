import type { CountFilter, StatisticsStorage } from '../../port/statistics.ts'
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
import { runAsync } from '../../work.ts'
import type { Database, Queries } from '../connect.ts'

/** Parameters: the apps, their markets, and the period. */
const COUNTED = `from (select distinct store, app_id from unnest($1::text[], $2::text[]) as w (store, app_id)) app
  cross join lateral (
    select r.* from reviews r
    where r.store = app.store and r.app_id = app.app_id and r.occurred_at >= $4 and r.occurred_at < $5
      and (r.store, r.app_id, r.market) in (select * from unnest($1::text[], $2::text[], $3::text[]))`

const OF_VERSION = 'and r.app_version = $6'

const reviewCounts = (
  further = '',
) => `select r.occurred_at / ${DAY_MS} as day, r.rating, r.sentiment, r.themes_mask, r.is_bug_report,
    r.is_feature_request, count(*) as count
  ${COUNTED} ${further} offset 0) r group by 1, 2, 3, 4, 5, 6`
export const REVIEW_COUNTS = reviewCounts()

const featureCounts = (
  further = '',
) => `select r.feature_slug, r.occurred_at / ${DAY_MS} as day, count(*) as count, max(r.seq) as seq,
    max(r.occurred_at) as last_at
  ${COUNTED} and r.feature_slug is not null ${further} offset 0) r group by 1, 2`
export const FEATURE_COUNTS = featureCounts()

const VERSION_COUNTS = `select r.app_version, count(*) as count, min(r.occurred_at) as first_at, max(r.occurred_at) as last_at
  ${COUNTED} and r.app_version is not null offset 0) r group by 1`

/** Differs from sqlite: one statement for the whole period, since it does not block the process. */
export function reviewStatistics(
  db: Database,
): Pick<StatisticsStorage, 'reviewCounts' | 'requestedFeatures' | 'reviewedVersions'> {
  return {
    async reviewCounts(accountId, filter) {
      const sql = filter.version === undefined ? REVIEW_COUNTS : reviewCounts(OF_VERSION)
      return (await counted<CountRow>(db, sql, accountId, filter)).map(reviewCountOf)
    },

    reviewedVersions: async (accountId, { version: _, ...filter }, limit) =>
      versionsOf(await counted<VersionRow>(db, VERSION_COUNTS, accountId, filter), limit),

    async requestedFeatures(accountId, filter, limit) {
      const sql = filter.version === undefined ? FEATURE_COUNTS : featureCounts(OF_VERSION)
      const top = topFeatures(await counted<FeatureRow>(db, sql, accountId, filter), limit)
      const phrases = await db.all<PhraseRow>(
        'select seq, enrichment from reviews where seq = any($1::bigint[])',
        top.map(({ seq }) => seq),
      )
      return featuresOf(top, phrases)
    },
  }
}

async function counted<Row>(
  db: Queries,
  sql: string,
  accountId: string,
  filter: CountFilter,
): Promise<Row[]> {
  const wanted = countedApps(await runAsync(db, scopesIn(accountId)), filter).flatMap(
    ({ store, appId, markets }) => markets.map((market) => ({ store, appId, market })),
  )
  return db.all<Row>(
    sql,
    wanted.map(({ store }) => store),
    wanted.map(({ appId }) => appId),
    wanted.map(({ market }) => market),
    msOf(filter.since),
    msOf(filter.until),
    ...(filter.version === undefined ? [] : [filter.version]),
  )
}
