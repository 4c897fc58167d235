import type { Marks, ReportStorage } from '../../port/reports.ts'
import { type Db, get, sql, together, type Work } from '../../work.ts'
import { HOUR_MS, hourOf } from '../queue/latency.ts'
import { appReports, feedsIn } from './apps.ts'
import { feedMark } from './figures.ts'
import { overviewFigures, type ReviewBuckets } from './overview.ts'
import { findReviews } from './review-records.ts'
import { type AppScope, scopesIn } from './scope.ts'
import { toAnswerReports } from './to-answer.ts'

/** All reports but those of many reviews, which SQLite reads in parts. */
export function reportStorage(
  db: Db,
  reviewBuckets: ReviewBuckets,
): Omit<ReportStorage, 'app' | 'reviews' | 'countReviews'> {
  return {
    ...appReports(db),
    ...overviewFigures(db, reviewBuckets),
    ...toAnswerReports(db),
    review: async (accountId, fingerprint) =>
      (await db.alone(findReviews(accountId, [fingerprint])))[0] ?? null,
    reviewsOf: (accountId, fingerprints) => db.alone(findReviews(accountId, fingerprints)),
    marks: (accountId, now) => db.snapshot(() => marksOf(accountId, hourOf(now) - HOUR_MS)),
  }
}

/** `sinceMs`: the start of the previous hour; attempts since then count. */
function* marksOf(accountId: string, sinceMs: number): Work<Marks> {
  const scopes = yield* scopesIn(accountId)
  const [row = {}, feeds, reviews] = yield* together(
    get<Record<string, number | null>>(MARKS, accountId, sinceMs),
    feedsIn(scopes),
    newestReviews(scopes),
  )
  const of = (...names: readonly string[]) => names.map((name) => row[name] ?? 0).join(' ')
  return {
    reviews: `${reviews} ${of('answers')}`,
    deliveries: of('delivery', 'attempts'),
    dead: of('died', 'notice', 'replayed'),
    apps: feedMark(feeds, scopes),
    destinations: of('hooks', 'paused', 'gone', 'watches', 'notice'),
    replays: of('replays', 'replayed', 'ended'),
  }
}

const MARKS = `select
  (select max(seq) from events where account_id = ?1) as delivery,
  (select sum(count) from hook_hours where account_id = ?1 and hour_at >= ?2) as attempts,
  (select sum(count) from hook_hours where account_id = ?1 and hour_at >= ?2 and outcome = -2) as died,
  (select max(seq) from notices where account_id = ?1) as notice,
  (select max(updated_at) from replies where account_id = ?1) as answers,
  (select count(*) from watches where account_id = ?1) as watches,
  h.hooks, h.paused, h.gone, r.replays, r.replayed, r.ended
  from (select count(*) as hooks, count(*) filter (where status = 'paused') as paused,
      count(*) filter (where status = 'gone') as gone
    from hooks where account_id = ?1 and deleted_at is null) h,
  (select count(*) as replays, sum(queued) as replayed, max(finished_at) as ended
    from replays where account_id = ?1) r`

/** A mark for the newest review of each app and its enrichment. */
function* newestReviews(scopes: readonly AppScope[]): Work<string> {
  const rows = yield* together(
    ...scopes.map(({ store, appId, markets }) =>
      get<{ mark: string }>(NEWEST, store, appId, markets.reviews),
    ),
  )
  return rows.map((row) => row?.mark ?? '-').join(' ')
}

const NEWEST = sql(
  (
    d,
  ) => `select r.seq || '.' || coalesce(r.enriched_at, 0) as mark from reviews r ${d.indexedBy('reviews_app')}
    where r.store = ?1 and r.app_id = ?2 and r.market ${d.among('?3', 'text')}
    order by r.occurred_at desc, r.seq desc limit 1`,
)
