import type { Store } from '../../../model/vocabulary.ts'
import type { FeedDemand } from '../../port/feeds.ts'
import type { Database } from '../connect.ts'

const DAY_MS = 24 * 3_600_000

/** Both read one index alone. */
const REVIEW_FEEDS_BY_RATE = `
  select reviews_per_day, count(*)::integer as feeds from feeds
  where store = $1 and kind = 'reviews' and next_poll_at is not null group by reviews_per_day`
const RATING_POLLS_PER_DAY = `
  select coalesce(sum(${DAY_MS}.0 / interval_ms), 0)::double precision as polls from feeds
  where store = $1 and kind = 'rating' and next_poll_at is not null`

/** The body of `FeedStorage.demand`. */
export function demandOf(db: Database, store: Store): Promise<FeedDemand> {
  return db.snapshot(async (tx) => {
    const reviews = await tx.all<{ reviews_per_day: number | null; feeds: number }>(
      REVIEW_FEEDS_BY_RATE,
      store,
    )
    const ratings = await tx.get<{ polls: number }>(RATING_POLLS_PER_DAY, store)
    return {
      reviews: reviews.map((row) => ({ reviewsPerDay: row.reviews_per_day, feeds: row.feeds })),
      ratingPollsPerDay: ratings?.polls ?? 0,
    }
  })
}
