import { setImmediate } from 'node:timers/promises'
import type { Buckets } from '../../../model/days.ts'
import { SENTIMENTS } from '../../../model/vocabulary.ts'
import type { AppRange, ReportStorage } from '../../port/reports.ts'
import {
  BEFORE,
  bucketSpans,
  type DayRow,
  detailOf,
  endOfBefore,
  type GroupRow,
  partsOf,
  REQUESTS_MAX,
  type RequestRow,
  type Span,
  spansOf,
  type ThemesRow,
} from '../../tables/reports/app-figures.ts'
import { appFacts } from '../../tables/reports/apps.ts'
import type { BucketRow } from '../../tables/reports/figures.ts'
import type { AppScope } from '../../tables/reports/scope.ts'
import { msOf, parsed } from '../../values.ts'
import { runSync } from '../../work.ts'
import type { Connection } from '../connect.ts'

/**
 * The period that one statement counts. With 100,000 reviews a year it has 8,000, which blocks the process for 5 ms.
 */
const MS_AT_ONCE = 30 * 24 * 3_600_000

/** Differs from postgres: many short statements, since each blocks the process. */
export function appReport(db: Connection): Pick<ReportStorage, 'app'> {
  return {
    async app(accountId, app, range, now) {
      const facts = db.snapshot(() => ({ found: runSync(db, appFacts(accountId, app, range, now)) })).found
      if (facts === null) return null
      return detailOf(facts, range, now, await reviewFigures(db, facts.scope, range, now))
    },
  }
}

async function reviewFigures(
  db: Connection,
  scope: AppScope,
  range: AppRange,
  now: Date,
): Promise<{ days: DayRow[]; themes: ThemesRow[]; groups: GroupRow[]; requests: RequestRow[] }> {
  const byDay = batches(spansOf(range, now, MS_AT_ONCE))
  const byPart = batches(spansOf({ ...range, days: partsOf(range.days) }, now, MS_AT_ONCE))
  const days = await countsOf<number>(db, DAYS, scope, byDay)
  const themes = await countsOf<[themesAndSentiment: number, count: number]>(db, THEMES, scope, byPart)
  const groups = await countsOf<GroupCounts>(db, GROUPS, scope, byPart)
  return {
    days: days.map(({ place: day, counts }) => ({
      day,
      stars: counts.slice(0, 5),
      sentiments: counts.slice(5),
    })),
    themes: themes.flatMap(({ place: part, counts }) =>
      counts.map(([both, count]) => ({ part, themes_mask: both >> 1, negative: both & 1, count })),
    ),
    groups: groups.flatMap(({ place, counts }) => counts.map((each) => groupOf(each, place !== BEFORE))),
    requests: requestRows(db, scope, range, now),
  }
}

type GroupCounts = [
  market: string,
  version: string | null,
  count: number,
  stars: number,
  low: number,
  firstAt: number,
]

/** A group of the previous period has only its first review. */
function groupOf([market, version, count, stars, low, firstAt]: GroupCounts, counts: boolean): GroupRow {
  const figures = counts ? { count, stars, low } : { count: 0, stars: 0, low: 0 }
  return { market, app_version: version, ...figures, first_at: firstAt }
}

/** Groups consecutive spans that one statement counts. */
function batches(spans: readonly Span[]): Span[][] {
  const found: Span[][] = []
  let lengthMs = Number.POSITIVE_INFINITY
  for (const span of spans) {
    lengthMs += span[2] - span[1]
    if (lengthMs > MS_AT_ONCE) {
      found.push([])
      lengthMs = span[2] - span[1]
    }
    found.at(-1)?.push(span)
  }
  return found
}

/** Each span is read from JSON once, not for each review. */
const SPANS = `with s(place, since, until) as materialized (select value ->> 0, value ->> 1, value ->> 2 from json_each(?1))`
const OF_SPAN = `from reviews r indexed by reviews_app
  where r.store = ?2 and r.app_id = ?3 and r.occurred_at >= s.since and r.occurred_at < s.until
    and r.market in (select value from json_each(?4))`

/** A subquery per span. Grouping by span would sort all reviews first, which takes twice as long. */
function perSpan(counts: string): string {
  return `${SPANS} select s.place, (${counts}) as counts from s`
}

const STARS = [1, 2, 3, 4, 5].map((stars) => `total(r.rating = ${stars})`)
const OF_SENTIMENT = SENTIMENTS.map((sentiment) => `total(r.sentiment = '${sentiment}')`)

export const DAYS = perSpan(`select json_array(${[...STARS, ...OF_SENTIMENT].join(', ')}) ${OF_SPAN}`)

/** One number has both, because grouping by one is faster: the mask, and in the last bit whether the sentiment is negative. */
export const THEMES = perSpan(`select json_group_array(json_array(both, count)) from (
    select r.themes_mask * 2 + (r.sentiment is 'negative') as both, count(*) as count ${OF_SPAN}
      and r.themes_mask is not null group by 1)`)

export const GROUPS =
  perSpan(`select json_group_array(json_array(market, app_version, count, stars, low, first_at)) from (
    select r.market, r.app_version, count(*) as count, sum(r.rating) as stars, sum(r.rating <= 2) as low, min(r.occurred_at) as first_at
    ${OF_SPAN} group by 1, 2)`)

export const REQUESTS = `select r.feature_slug as slug, total(r.occurred_at >= ?3) as count, total(r.occurred_at < ?4) as before
  from reviews r indexed by reviews_requests
  where r.store = ?1 and r.app_id = ?2 and r.feature_slug is not null and r.occurred_at >= ?5 and r.occurred_at < ?6
    and (r.occurred_at >= ?3 or r.occurred_at < ?4) and r.market in (select value from json_each(?7))
  group by r.feature_slug having count > 0 order by count desc, slug limit ${REQUESTS_MAX}`

async function countsOf<T>(
  db: Connection,
  sql: string,
  { store, appId, markets }: AppScope,
  batched: readonly (readonly Span[])[],
): Promise<{ place: number; counts: T[] }[]> {
  const found: { place: number; counts: T[] }[] = []
  for (const spans of batched) {
    const values = [JSON.stringify(spans), store, appId, JSON.stringify(markets.reviews)]
    const rows = db.all<{ place: number; counts: string }>(sql, ...values)
    for (const { place, counts } of rows) found.push({ place, counts: parsed<T[]>(counts) })
    await setImmediate()
  }
  return found
}

function requestRows(db: Connection, scope: AppScope, range: AppRange, now: Date): RequestRow[] {
  const { store, appId, markets } = scope
  return db.all<RequestRow>(
    REQUESTS,
    store,
    appId,
    msOf(range.days[0]),
    msOf(endOfBefore(range, now)),
    msOf(range.before),
    msOf(now),
    JSON.stringify(markets.reviews),
  )
}

/** The reviews of each app in each bucket, for `ReportStorage.overview`. */
export function reviewBuckets(
  db: Connection,
  scopes: readonly AppScope[],
  buckets: Buckets,
  now: Date,
): BucketRow[] {
  const spans = JSON.stringify(bucketSpans(buckets, now))
  return scopes.flatMap(({ store, appId, markets }) =>
    db.all<BucketRow>(
      `select j.value ->> 0 as bucket, count(*) as reviews
       from json_each(?) j cross join reviews r indexed by reviews_app
       where r.store = ? and r.app_id = ? and r.occurred_at >= j.value ->> 1 and r.occurred_at < j.value ->> 2
         and r.market in (select value from json_each(?))
       group by 1`,
      spans,
      store,
      appId,
      JSON.stringify(markets.reviews),
    ),
  )
}
