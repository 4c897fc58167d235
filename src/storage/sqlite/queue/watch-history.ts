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
import type { Connection } from '../connect.ts'

const MARKETS = REVIEW_MARKETS('?', '?')
export const RECENT = RECENT_NEGATIVES('?', '?', '?', '?')
export const PER_HOUR = NEGATIVES_PER_HOUR('?', '?', '?', '?')
const RATINGS = RATINGS_UNTIL('?1', '?2', '?3', '?4', '?5')

/** The occurrence with what its watches look back at. */
export function withHistory(db: Connection, occurrence: Occurrence, keptMs: number | undefined): Occurrence {
  const { store, appId, market, observedAt } = occurrence
  if (occurrence.eventType === 'reviews.spiked') {
    return { ...occurrence, negatives: negativesOf(db, { store, appId, at: observedAt, keptMs }) }
  }
  if (occurrence.eventType !== 'rating.recovered') return occurrence
  const rows = db.all<RatingRow>(RATINGS, store, appId, market, msOf(observedAt), ratingsFromMs(occurrence))
  return { ...occurrence, history: rows.map(ratingAtOf) }
}

export function negativesOf(db: Connection, app: AppAt): NegativeReviews {
  const { store, appId } = app
  const { until, recentFrom, usualFrom } = spikePeriods(app)
  return negativeReviewsOf(
    app,
    db.all<MarketRow>(MARKETS, store, appId),
    db.all<RecentRow>(RECENT, store, appId, recentFrom, until),
    db.all<HourRow>(PER_HOUR, store, appId, usualFrom, until),
  )
}
