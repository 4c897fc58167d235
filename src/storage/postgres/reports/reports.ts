import type { Marks, ReportStorage } from '../../port/reports.ts'
import { feedMark } from '../../reports/figures.ts'
import type { AppScope } from '../../reports/scope.ts'
import { HOUR_MS, hourOf } from '../../tables/queue/latency.ts'
import type { Database, Queries } from '../connect.ts'
import { appReports, feedsIn } from './apps.ts'
import { reportFigures } from './figures.ts'
import { reviewFeed, scopesIn } from './review-feed.ts'

export function reportStorage(db: Database): ReportStorage {
  return {
    ...reviewFeed(db),
    ...appReports(db),
    ...reportFigures(db),
    marks: async (accountId, now) => db.snapshot((tx) => marksOf(tx, accountId, hourOf(now) - HOUR_MS)),
  }
}

/** `sinceMs`: the start of the previous hour; attempts since then count. */
async function marksOf(db: Queries, accountId: string, sinceMs: number): Promise<Marks> {
  const scopes = await scopesIn(db, accountId)
  const row = (await db.get<Record<string, number | null>>(MARKS, accountId, sinceMs)) ?? {}
  const of = (...names: readonly string[]) => names.map((name) => row[name] ?? 0).join(' ')
  return {
    reviews: await newestReviews(db, scopes),
    deliveries: of('delivery', 'attempts'),
    dead: of('died', 'notice', 'replayed'),
    apps: feedMark(await feedsIn(db, scopes), scopes),
    destinations: of('hooks', 'paused', 'gone', 'watches', 'notice'),
    replays: of('replays', 'replayed', 'ended'),
  }
}

const MARKS = `select
  (select max(seq) from events where account_id = $1) as delivery,
  (select sum(count) from hook_hours where account_id = $1 and hour_at >= $2) as attempts,
  (select sum(count) from hook_hours where account_id = $1 and hour_at >= $2 and outcome = -2) as died,
  (select max(seq) from notices where account_id = $1) as notice,
  (select count(*) from watches where account_id = $1) as watches,
  h.hooks, h.paused, h.gone, r.replays, r.replayed, r.ended
  from (select count(*) as hooks, count(*) filter (where status = 'paused') as paused,
      count(*) filter (where status = 'gone') as gone
    from hooks where account_id = $1 and deleted_at is null) h,
  (select count(*) as replays, sum(queued) as replayed, max(finished_at) as ended
    from replays where account_id = $1) r`

/** A mark for the newest review of each app and its enrichment. */
async function newestReviews(db: Queries, scopes: readonly AppScope[]): Promise<string> {
  const rows = await db.all<{ mark: string }>(
    `select n.mark from unnest($1::text[], $2::text[], $3::text[]) as w (store, app_id, markets)
     cross join lateral (
       select r.seq || '.' || coalesce(r.enriched_at, 0) as mark from reviews r
       where r.store = w.store and r.app_id = w.app_id and r.market = any(string_to_array(w.markets, ' '))
       order by r.occurred_at desc, r.seq desc limit 1
     ) n order by w.store, w.app_id collate "C"`,
    scopes.map(({ store }) => store),
    scopes.map(({ appId }) => appId),
    scopes.map(({ markets }) => markets.reviews.join(' ')),
  )
  return rows.map(({ mark }) => mark).join(' ')
}
