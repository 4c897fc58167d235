import type { StatisticsStorage } from '../../port/statistics.ts'
import { msOf } from '../../values.ts'
import { all, type Db, together } from '../../work.ts'
import { feedsIn } from './apps.ts'
import { scopesIn } from './scope.ts'
import { type RatingRow, ratingFeeds, ratingPageOf } from './statistics-rows.ts'

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
