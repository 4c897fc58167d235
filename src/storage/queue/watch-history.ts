import type { Occurrence } from '../../model/occurrence.ts'
import type { RatingAt } from '../../model/rating-rule.ts'
import { SLIDE_MS_MAX } from '../../model/rating-slide.ts'
import {
  NEGATIVE_STARS_MAX,
  type NegativeReviews,
  SPIKE_LATE_MS_MAX,
  SPIKE_WINDOW_MS,
  STORE_AHEAD_MS_MAX,
  USUAL_MS,
} from '../../model/review-spike.ts'
import type { Store } from '../../model/vocabulary.ts'
import { msOf } from '../values.ts'

/** What fan-out reads for occurrences whose watches look back. The same on both engines. */

export type AppAt = {
  readonly store: Store
  readonly appId: string
  readonly at: Date
  /** How long reviews are stored. */
  readonly keptMs?: number | undefined
  /** How far back single reviews are needed; as far as a spike may be late by default. */
  readonly recentMs?: number | undefined
}

const HOUR_MS = 3_600_000

/** Parameters: store and app. */
export const REVIEW_MARKETS = (store: string, appId: string) =>
  `select market, baseline_at, known_from from feeds
   where store = ${store} and app_id = ${appId} and kind = 'reviews' and baseline_at is not null`

/** Parameters: store, app, and the first and the last instant. */
export const RECENT_NEGATIVES = (store: string, appId: string, from: string, to: string) =>
  `select occurred_at, market, review_id, rating from reviews
   where store = ${store} and app_id = ${appId} and rating <= ${NEGATIVE_STARS_MAX}
     and occurred_at > ${from} and occurred_at <= ${to}`

export const NEGATIVES_PER_HOUR = (store: string, appId: string, from: string, to: string) =>
  `select market, occurred_at / ${HOUR_MS} as hour, count(*) as count from reviews
   where store = ${store} and app_id = ${appId} and rating <= ${NEGATIVE_STARS_MAX}
     and occurred_at >= ${from} and occurred_at < ${to}
   group by market, occurred_at / ${HOUR_MS}`

export type MarketRow = { market: string; baseline_at: number; known_from: number | null }
export type RecentRow = { occurred_at: number; market: string; review_id: string; rating: number }
export type HourRow = { market: string; hour: number; count: number }

/** The periods of the two statements. */
export function spikePeriods({ at, recentMs = SPIKE_LATE_MS_MAX }: Pick<AppAt, 'at' | 'recentMs'>) {
  const atMs = msOf(at)
  const recentFrom = atMs - recentMs - SPIKE_WINDOW_MS
  return { until: atMs + STORE_AHEAD_MS_MAX, recentFrom, usualFrom: recentFrom - SPIKE_WINDOW_MS - USUAL_MS }
}

export function negativeReviewsOf(
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

/** A drop that has not recovered after this time is forgotten. */
const RECOVERY_MS_MAX = 180 * 24 * HOUR_MS

/**
 * The observed ratings of a feed since its baseline, until an instant. Parameters: store, app, market, the instant, and the
 * start of the period; the rating at its start is the one before it.
 */
export const RATINGS_UNTIL = (store: string, appId: string, market: string, at: string, from: string) =>
  `select r.observed_at, r.micros, r.count
   from feeds f join ratings r on r.feed_id = f.id and r.observed_at >= coalesce(f.baseline_at, 0)
     and r.observed_at <= ${at} and r.observed_at >= coalesce(
       (select max(b.observed_at) from ratings b where b.feed_id = f.id and b.observed_at <= ${from}), 0)
   where f.store = ${store} and f.app_id = ${appId} and f.kind = 'rating' and f.market = ${market}
   order by r.observed_at`

export type RatingRow = { observed_at: number; micros: number; count: number }

export function ratingsFromMs({ observedAt }: Pick<Occurrence, 'observedAt'>): number {
  return msOf(observedAt) - RECOVERY_MS_MAX - SLIDE_MS_MAX
}

export function ratingAtOf({ observed_at, micros, count }: RatingRow): RatingAt {
  return { observedAtMs: observed_at, micros, count }
}
