import { setImmediate } from 'node:timers/promises'
import { SENTIMENTS } from '../../../model/vocabulary.ts'
import type { AppRange } from '../../port/reports.ts'
import {
  type DayRow,
  endOfBefore,
  type GroupRow,
  partsOf,
  REQUESTS_MAX,
  type RequestRow,
  type Span,
  spansOf,
  type ThemesRow,
} from '../../reports/app-figures.ts'
import type { AppScope } from '../../reports/scope.ts'
import { msOf, parsed } from '../../values.ts'
import type { Connection } from '../connect.ts'

/**
 * The period that one statement counts. With 100,000 reviews a year it has 8,000, which blocks the process for 5 ms.
 */
const MS_AT_ONCE = 30 * 24 * 3_600_000

/** Differs from postgres: many short statements, since each blocks the process. */
export async function reviewFigures(
  db: Connection,
  scope: AppScope,
  range: AppRange,
  now: Date,
): Promise<{ days: DayRow[]; themes: ThemesRow[]; groups: GroupRow[]; requests: RequestRow[] }> {
  const byDay = batches(spansOf(range, now, MS_AT_ONCE))
  const byPart = batches(spansOf({ ...range, days: partsOf(range.days) }, now, MS_AT_ONCE))
  const days = await rowsOf<{ day: number; counts: string }>(db, DAYS, scope, byDay)
  return {
    days: days.map(({ day, counts }) => {
      const numbers = parsed<number[]>(counts)
      return { day, stars: numbers.slice(0, 5), sentiments: numbers.slice(5) }
    }),
    themes: await rowsOf<ThemesRow>(db, THEMES, scope, byPart),
    groups: await rowsOf<GroupRow>(db, GROUPS, scope, byDay),
    requests: requestRows(db, scope, range, now),
  }
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

const MARKETS = 'r.market in (select value from json_each(?4))'
const WITHIN = `r.store = ?2 and r.app_id = ?3 and r.occurred_at >= j.value ->> 1 and r.occurred_at < j.value ->> 2 and ${MARKETS}`
const OF_SPANS = `from json_each(?1) j cross join reviews r indexed by reviews_app where ${WITHIN}`

const STARS = [1, 2, 3, 4, 5].map((stars) => `total(r.rating = ${stars})`)
const OF_SENTIMENT = SENTIMENTS.map((sentiment) => `total(r.sentiment = '${sentiment}')`)

/** A subquery per day. Grouping would sort all reviews first, which takes twice as long. */
export const DAYS = `select j.value ->> 0 as day, (
    select json_array(${[...STARS, ...OF_SENTIMENT].join(', ')}) from reviews r indexed by reviews_app where ${WITHIN}
  ) as counts from json_each(?1) j`

export const THEMES = `select j.value ->> 0 as part, r.themes_mask, r.sentiment = 'negative' as negative, count(*) as count
  ${OF_SPANS} and r.themes_mask is not null group by 1, 2, 3`

export const GROUPS = `select r.market, r.app_version, total(j.value ->> 0 >= 0) as count,
    total(iif(j.value ->> 0 >= 0, r.rating, 0)) as stars, total(j.value ->> 0 >= 0 and r.rating <= 2) as low,
    min(r.occurred_at) as first_at
  ${OF_SPANS} group by 1, 2`

export const REQUESTS = `select r.feature_slug as slug, total(r.occurred_at >= ?3) as count, total(r.occurred_at < ?4) as before
  from reviews r indexed by reviews_requests
  where r.store = ?1 and r.app_id = ?2 and r.feature_slug is not null and r.occurred_at >= ?5 and r.occurred_at < ?6
    and (r.occurred_at >= ?3 or r.occurred_at < ?4) and r.market in (select value from json_each(?7))
  group by r.feature_slug having count > 0 order by count desc, slug limit ${REQUESTS_MAX}`

async function rowsOf<T extends object>(
  db: Connection,
  sql: string,
  { store, appId, markets }: AppScope,
  batched: readonly (readonly Span[])[],
): Promise<T[]> {
  const rows: T[] = []
  for (const spans of batched) {
    rows.push(...db.all<T>(sql, JSON.stringify(spans), store, appId, JSON.stringify(markets.reviews)))
    await setImmediate()
  }
  return rows
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
