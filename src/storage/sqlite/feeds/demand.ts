import type { Store } from '../../../model/vocabulary.ts'
import type { FeedDemand } from '../../port/feeds.ts'
import type { Connection } from '../connect.ts'

const DAY_MS = 24 * 3_600_000

/** Both read one index alone. */
export const REVIEW_FEEDS_BY_RATE = `
  select reviews_per_day, count(*) as feeds from feeds
  where store = ? and kind = 'reviews' and next_poll_at is not null group by reviews_per_day`
export const RATING_POLLS_PER_DAY = `
  select total(${DAY_MS}.0 / interval_ms) as polls from feeds
  where store = ? and kind = 'rating' and next_poll_at is not null`

/** The body of `FeedStorage.demand`. */
export function demandOf(db: Connection, store: Store): FeedDemand {
  return db.snapshot(() => ({
    reviews: db
      .all<{ reviews_per_day: number | null; feeds: number }>(REVIEW_FEEDS_BY_RATE, store)
      .map((row) => ({ reviewsPerDay: row.reviews_per_day, feeds: row.feeds })),
    ratingPollsPerDay: db.get<{ polls: number }>(RATING_POLLS_PER_DAY, store)?.polls ?? 0,
  }))
}
