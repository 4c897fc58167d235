import type { Buckets } from '../../../model/days.ts'
import { SENTIMENTS } from '../../../model/vocabulary.ts'
import type { AppRange, ReportStorage } from '../../port/reports.ts'
import {
  BEFORE,
  type DayRow,
  detailOf,
  endOfBefore,
  type GroupRow,
  partsOf,
  REQUESTS_MAX,
  type RequestRow,
  type ThemesRow,
} from '../../tables/reports/app-figures.ts'
import { appFacts } from '../../tables/reports/apps.ts'
import type { BucketRow } from '../../tables/reports/figures.ts'
import type { AppScope } from '../../tables/reports/scope.ts'
import { msOf } from '../../values.ts'
import { runAsync } from '../../work.ts'
import type { Database, Queries, Value } from '../connect.ts'

/** Differs from sqlite: one statement per figure for the whole period, since it does not block the process. */
export function appReport(db: Database): Pick<ReportStorage, 'app'> {
  return {
    app: (accountId, app, range, now) =>
      db.snapshot(async (tx) => {
        const facts = await runAsync(tx, appFacts(accountId, app, range, now))
        if (facts === null) return null
        return detailOf(facts, range, now, await reviewFigures(tx, facts.scope, range, now))
      }),
  }
}

async function reviewFigures(
  db: Queries,
  { store, appId, markets }: AppScope,
  range: AppRange,
  now: Date,
): Promise<{ days: DayRow[]; themes: ThemesRow[]; groups: GroupRow[]; requests: RequestRow[] }> {
  const [sinceMs, beforeEndMs] = [msOf(range.days[0]), msOf(endOfBefore(range, now))]
  const values: Value[] = [store, appId, markets.reviews, sinceMs, beforeEndMs, msOf(range.before), msOf(now)]
  return {
    days: await db.all<DayRow>(DAYS, ...values, range.days.map(msOf)),
    themes: await db.all<ThemesRow>(THEMES, ...values, partsOf(range.days).map(msOf)),
    groups: await db.all<GroupRow>(GROUPS, ...values),
    requests: await db.all<RequestRow>(REQUESTS, ...values),
  }
}

const IN_RANGE = `from reviews r where r.store = $1 and r.app_id = $2 and r.market = any($3::text[])
  and r.occurred_at >= $6::bigint and r.occurred_at < $7::bigint
  and (r.occurred_at >= $4::bigint or r.occurred_at < $5::bigint)`

const PLACE = `case when r.occurred_at < $4::bigint then ${BEFORE} else width_bucket(r.occurred_at, $8::bigint[]) - 1 end`
const STARS = [1, 2, 3, 4, 5].map((stars) => `count(*) filter (where r.rating = ${stars})`)
const OF_SENTIMENT = SENTIMENTS.map((sentiment) => `count(*) filter (where r.sentiment = '${sentiment}')`)

const DAYS = `select ${PLACE} as day, array[${STARS.join(', ')}]::integer[] as stars,
    array[${OF_SENTIMENT.join(', ')}]::integer[] as sentiments
  ${IN_RANGE} group by 1`

const THEMES = `select ${PLACE} as part, r.themes_mask, (coalesce(r.sentiment, '') = 'negative')::integer as negative, count(*) as count
  ${IN_RANGE} and r.themes_mask is not null group by 1, 2, 3`

const GROUPS = `select r.market, r.app_version, count(*) filter (where r.occurred_at >= $4) as count,
    coalesce(sum(r.rating) filter (where r.occurred_at >= $4), 0) as stars,
    count(*) filter (where r.occurred_at >= $4 and r.rating <= 2) as low, min(r.occurred_at) as first_at
  ${IN_RANGE} group by 1, 2`

const REQUESTS = `select r.feature_slug as slug, count(*) filter (where r.occurred_at >= $4) as count,
    count(*) filter (where r.occurred_at < $5) as before
  ${IN_RANGE} and r.feature_slug is not null
  group by r.feature_slug having count(*) filter (where r.occurred_at >= $4) > 0
  order by count desc, r.feature_slug collate "C" limit ${REQUESTS_MAX}`

/** The reviews of each app in each bucket, for `ReportStorage.overview`. */
export function reviewBuckets(
  db: Queries,
  scopes: readonly AppScope[],
  buckets: Buckets,
  now: Date,
): Promise<BucketRow[]> {
  const wanted = scopes.flatMap(({ store, appId, markets }) =>
    markets.reviews.map((market) => ({ store, appId, market })),
  )
  return db.all<BucketRow>(
    `select width_bucket(r.occurred_at, $4::bigint[]) - 1 as bucket, count(*) as reviews
     from unnest($1::text[], $2::text[], $3::text[]) as w (store, app_id, market)
     join reviews r on r.store = w.store and r.app_id = w.app_id and r.market = w.market
     where r.occurred_at >= $5 and r.occurred_at < $6
     group by 1`,
    wanted.map(({ store }) => store),
    wanted.map(({ appId }) => appId),
    wanted.map(({ market }) => market),
    buckets.map(msOf),
    msOf(buckets[0]),
    msOf(now),
  )
}
