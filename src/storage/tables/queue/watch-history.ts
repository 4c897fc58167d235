import type { Occurrence } from '../../../model/occurrence.ts'
import { SLIDE_MS_MAX } from '../../../model/rating-slide.ts'
import {
  NEGATIVE_STARS_MAX,
  type NegativeReviews,
  SPIKE_LATE_MS_MAX,
  SPIKE_WINDOW_MS,
  STORE_AHEAD_MS_MAX,
  USUAL_MS,
} from '../../../model/review-spike.ts'
import type { Store } from '../../../model/vocabulary.ts'
import { msOf } from '../../values.ts'
import { all, together, type Work } from '../../work.ts'

type AppAt = {
  readonly store: Store
  readonly appId: string
  readonly at: Date
  /** How long reviews are stored. */
  readonly keptMs?: number | undefined
  /** How far back single reviews are needed; as far as a spike may be late by default. */
  readonly recentMs?: number | undefined
}

const HOUR_MS = 3_600_000

/** The occurrence with the history that its watches need. */
export function* withHistory(occurrence: Occurrence, keptMs: number | undefined): Work<Occurrence> {
  const { store, appId, market, observedAt } = occurrence
  if (occurrence.eventType === 'reviews.spiked') {
    return { ...occurrence, negatives: yield* negativesOf({ store, appId, at: observedAt, keptMs }) }
  }
  if (occurrence.eventType !== 'rating.recovered') return occurrence
  const untilMs = msOf(observedAt)
  const sinceMs = untilMs - RECOVERY_MS_MAX - SLIDE_MS_MAX
  const rows = yield* all<RatingRow>(RATINGS, store, appId, market, untilMs, sinceMs)
  return {
    ...occurrence,
    history: rows.map(({ observed_at, micros, count }) => ({ observedAtMs: observed_at, micros, count })),
  }
}

/** A drop that has not recovered after this time is forgotten. */
const RECOVERY_MS_MAX = 180 * 24 * HOUR_MS

type RatingRow = { observed_at: number; micros: number; count: number }

/**
 * The observed ratings of a feed since its baseline, until an instant. Parameters: store, app, market, the instant, and the
 * start of the period; the rating at its start is the one before it.
 */
const RATINGS = `select r.observed_at, r.micros, r.count
  from feeds f join ratings r on r.feed_id = f.id and r.observed_at >= coalesce(f.baseline_at, 0)
    and r.observed_at <= ?4 and r.observed_at >= coalesce(
      (select max(b.observed_at) from ratings b where b.feed_id = f.id and b.observed_at <= ?5), 0)
  where f.store = ?1 and f.app_id = ?2 and f.kind = 'rating' and f.market = ?3
  order by r.observed_at`

export function* negativesOf(app: AppAt): Work<NegativeReviews> {
  const { store, appId } = app
  const { until, recentFrom, usualFrom } = spikePeriods(app)
  const [markets, recent, perHour] = yield* together(
    all<MarketRow>(MARKETS, store, appId),
    all<RecentRow>(RECENT, store, appId, recentFrom, until),
    all<HourRow>(PER_HOUR, store, appId, usualFrom, until),
  )
  return negativeReviewsOf(app, markets, recent, perHour)
}

const MARKETS = `select market, baseline_at, known_from from feeds
  where store = ?1 and app_id = ?2 and kind = 'reviews' and baseline_at is not null`

export const RECENT = `select occurred_at, market, review_id, rating from reviews
  where store = ?1 and app_id = ?2 and rating <= ${NEGATIVE_STARS_MAX} and occurred_at > ?3 and occurred_at <= ?4`

export const PER_HOUR = `select market, occurred_at / ${HOUR_MS} as hour, count(*) as count from reviews
  where store = ?1 and app_id = ?2 and rating <= ${NEGATIVE_STARS_MAX} and occurred_at >= ?3 and occurred_at < ?4
  group by market, occurred_at / ${HOUR_MS}`

type MarketRow = { market: string; baseline_at: number; known_from: number | null }
type RecentRow = { occurred_at: number; market: string; review_id: string; rating: number }
type HourRow = { market: string; hour: number; count: number }

/** The periods of the two statements. */
function spikePeriods({ at, recentMs = SPIKE_LATE_MS_MAX }: Pick<AppAt, 'at' | 'recentMs'>) {
  const atMs = msOf(at)
  const recentFrom = atMs - recentMs - SPIKE_WINDOW_MS
  return { until: atMs + STORE_AHEAD_MS_MAX, recentFrom, usualFrom: recentFrom - SPIKE_WINDOW_MS - USUAL_MS }
}

function negativeReviewsOf(
  { at, keptMs = Number.POSITIVE_INFINITY }: Pick<AppAt, 'at' | 'keptMs'>,
  markets: readonly MarketRow[],
  recent: readonly RecentRow[],
  perHour: readonly HourRow[],
): NegativeReviews {
  return {
    markets: markets.map(({ market, baseline_at, known_from }) => ({
      market,
      polledFromMs: baseline_at,
      knownFromMs: Math.max(known_from ?? baseline_at, msOf(at) - keptMs),
    })),
    recent: recent.map(({ occurred_at, market, review_id, rating }) => ({
      atMs: occurred_at,
      market,
      reviewId: review_id,
      rating,
    })),
    perHour,
  }
}
