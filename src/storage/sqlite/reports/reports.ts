import type { Marks, ReportStorage } from '../../port/reports.ts'
import { feedMark } from '../../reports/figures.ts'
import type { AppScope } from '../../reports/scope.ts'
import { HOUR_MS, hourOf } from '../../tables/queue/latency.ts'
import type { Connection } from '../connect.ts'
import { appReports, feedsIn } from './apps.ts'
import { reportFigures } from './figures.ts'
import { reviewFeed, scopesIn } from './review-feed.ts'

export function reportStorage(db: Connection): ReportStorage {
  return {
    ...reviewFeed(db),
    ...appReports(db),
    ...reportFigures(db),
    marks: async (accountId, now) => db.snapshot(() => marksOf(db, accountId, hourOf(now) - HOUR_MS)),
  }
}

/** `sinceMs`: the start of the previous hour; attempts since then count. */
function marksOf(db: Connection, accountId: string, sinceMs: number): Marks {
  const scopes = scopesIn(db, accountId)
  const row = db.get<Record<string, number | null>>(MARKS, accountId, sinceMs) ?? {}
  const of = (...names: readonly string[]) => names.map((name) => row[name] ?? 0).join(' ')
  return {
    reviews: scopes.map((scope) => newestReview(db, scope)).join(' '),
    deliveries: of('delivery', 'attempts'),
    dead: of('died', 'notice', 'replayed'),
    apps: feedMark(feedsIn(db, scopes), scopes),
    destinations: of('hooks', 'paused', 'gone', 'watches', 'notice'),
    replays: of('replays', 'replayed', 'ended'),
  }
}

const MARKS = `select
  (select max(seq) from events where account_id = ?1) as delivery,
  (select sum(count) from hook_hours where account_id = ?1 and hour_at >= ?2) as attempts,
  (select sum(count) from hook_hours where account_id = ?1 and hour_at >= ?2 and outcome = -2) as died,
  (select max(seq) from notices where account_id = ?1) as notice,
  (select count(*) from watches where account_id = ?1) as watches,
  h.hooks, h.paused, h.gone, r.replays, r.replayed, r.ended
  from (select count(*) as hooks, total(status = 'paused') as paused, total(status = 'gone') as gone
    from hooks where account_id = ?1 and deleted_at is null) h,
  (select count(*) as replays, total(queued) as replayed, max(finished_at) as ended
    from replays where account_id = ?1) r`

/** A mark for the newest review and its enrichment. */
function newestReview(db: Connection, { store, appId, markets }: AppScope): string {
  const row = db.get<{ mark: string }>(
    `select r.seq || '.' || coalesce(r.enriched_at, 0) as mark from reviews r indexed by reviews_app
     where r.store = ? and r.app_id = ? and r.market in (select value from json_each(?))
     order by r.occurred_at desc, r.seq desc limit 1`,
    store,
    appId,
    JSON.stringify(markets.reviews),
  )
  return row?.mark ?? '-'
}
