import type { Occurrence } from '../../../model/occurrence.ts'
import type { NegativeReviews } from '../../../model/review-spike.ts'
import {
  type AppAt,
  type HourRow,
  type MarketRow,
  NEGATIVES_PER_HOUR,
  negativeReviewsOf,
  RATINGS_UNTIL,
  type RatingRow,
  RECENT_NEGATIVES,
  REVIEW_MARKETS,
  type RecentRow,
  ratingAtOf,
  ratingsFromMs,
  spikePeriods,
} from '../../queue/watch-history.ts'
import { msOf } from '../../values.ts'
import type { Queries } from '../connect.ts'

const MARKETS = REVIEW_MARKETS('$1', '$2')
export const RECENT = RECENT_NEGATIVES('$1', '$2', '$3', '$4')
export const PER_HOUR = NEGATIVES_PER_HOUR('$1', '$2', '$3', '$4')
const RATINGS = RATINGS_UNTIL('$1', '$2', '$3', '$4', '$5')

/** The occurrence with what its watches look back at. */
export async function withHistory(
  db: Queries,
  occurrence: Occurrence,
  keptMs: number | undefined,
): Promise<Occurrence> {
  const { store, appId, market, observedAt } = occurrence
  if (occurrence.eventType === 'reviews.spiked') {
    return { ...occurrence, negatives: await negativesOf(db, { store, appId, at: observedAt, keptMs }) }
  }
  if (occurrence.eventType !== 'rating.recovered') return occurrence
  const from = ratingsFromMs(occurrence)
  const rows = await db.all<RatingRow>(RATINGS, store, appId, market, msOf(observedAt), from)
  return { ...occurrence, history: rows.map(ratingAtOf) }
}

export async function negativesOf(db: Queries, app: AppAt): Promise<NegativeReviews> {
  const { store, appId } = app
  const { until, recentFrom, usualFrom } = spikePeriods(app)
  // Sent together over one connection.
  const [markets, recent, perHour] = await Promise.all([
    db.all<MarketRow>(MARKETS, store, appId),
    db.all<RecentRow>(RECENT, store, appId, recentFrom, until),
    db.all<HourRow>(PER_HOUR, store, appId, usualFrom, until),
  ])
  return negativeReviewsOf(app, markets, recent, perHour)
}
