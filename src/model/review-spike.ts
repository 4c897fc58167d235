import { hashOf } from './canonical.ts'
import type { SpikeLimits } from './hook.ts'
import type { Store } from './vocabulary.ts'

/**
 * Spikes of negative reviews (docs/contract.md, Spikes). A review counts at the instant at which it was written, so that
 * reviews that are found late, such as after an outage, make no spike. All of this is pure.
 */

const HOUR_MS = 3_600_000
/** The window in which negative reviews are counted. */
export const SPIKE_WINDOW_MS = HOUR_MS
/** The usual number of negative reviews is the mean of this time before the window. */
export const USUAL_MS = 14 * 24 * HOUR_MS
/** Stores show reviews about a day late (docs/stores.md, Delay). A spike that is found later than this is history. */
export const SPIKE_LATE_MS_MAX = 48 * HOUR_MS
/** The clock of a store may be ahead by this. A later date is an error of the store. */
export const STORE_AHEAD_MS_MAX = 15 * 60_000
/** A spike that lasts is reported again after this time. */
const SPIKE_AGAIN_MS = 24 * HOUR_MS
/** Reviews with at most this many stars are negative. */
export const NEGATIVE_STARS_MAX = 2
/** The newest reviews of a spike that its event names. */
const REVIEWS_NAMED_MAX = 5

/** The identity of the reviews that one poll found, of which `fingerprint` is the newest negative one. */
export function spikeIdOf(store: Store, appId: string, market: string, fingerprint: string): string {
  return hashOf(['spike', store, appId, market, fingerprint])
}

export type NegativeReview = {
  readonly atMs: number
  readonly market: string
  readonly reviewId: string
  readonly rating: number
}

export type MarketHistory = {
  readonly market: string
  /** The first poll of the market. Earlier reviews are history: they count for the usual number only. */
  readonly polledFromMs: number
  /** The reviews of the market are known from here on. */
  readonly knownFromMs: number
}

/** The negative reviews of an app in all polled markets. */
export type NegativeReviews = {
  readonly markets: readonly MarketHistory[]
  /** Of the last `SPIKE_LATE_MS_MAX` and a window before, in any order. */
  readonly recent: readonly NegativeReview[]
  /** How many were written in each hour since the epoch, of `USUAL_MS` before the recent ones and later. */
  readonly perHour: readonly { readonly market: string; readonly hour: number; readonly count: number }[]
}

export const NO_NEGATIVE_REVIEWS: NegativeReviews = { markets: [], recent: [], perHour: [] }

/** Those of these markets only. */
export function ofMarkets(reviews: NegativeReviews, markets: readonly string[]): NegativeReviews {
  const isOf = ({ market }: { readonly market: string }) => markets.includes(market)
  return {
    markets: reviews.markets.filter(isOf),
    recent: reviews.recent.filter(isOf),
    perHour: reviews.perHour.filter(isOf),
  }
}

export type SpikeRule = SpikeLimits & {
  /** The creation of the watch: earlier reviews do not count. */
  readonly from: Date
  /** The markets that the watch covers. */
  readonly markets: readonly string[]
}

export type Spike = {
  /** The end of the hour with the most reviews: the instant of its last review. */
  readonly end: Date
  readonly count: number
  /** The usual number per hour. */
  readonly usual: number
  /** The newest reviews of the hour, newest first. */
  readonly newest: readonly NegativeReview[]
  /** The markets of all reviews of the hour. */
  readonly markets: readonly string[]
}

/**
 * The newest spike that is known at `at`, or null. `firedAt` is the end of the one that the watch reported last: the
 * next one begins when the hourly number was below the limit since then, or a day later, and counts none of the same
 * reviews.
 */
export function spikeOf(
  rule: SpikeRule,
  reviews: NegativeReviews,
  at: Date,
  firedAt: Date | null,
): Spike | null {
  const counted = countedReviews(rule, reviews, at.getTime())
  const usualAt = usualNumbers(rule.markets, reviews)
  const firedMs = firedAt?.getTime() ?? Number.NEGATIVE_INFINITY
  /** Reviews until here are part of another spike. */
  let reportedMs = firedMs
  /** Whether the last spike is over. */
  let isOver = firedAt === null
  let spike: Spike | null = null
  let isRising = false
  let from = 0 // the first review of the hour
  let first = 0 // the first review of the instant
  let fresh = 0 // the first review after the reported ones
  for (const [index, { atMs }] of counted.entries()) {
    while ((counted[from]?.atMs ?? atMs) <= atMs - SPIKE_WINDOW_MS) from += 1
    if (counted[first]?.atMs !== atMs) first = index
    // Of reviews of the same instant the last one has the whole number.
    if (atMs <= firedMs || counted[index + 1]?.atMs === atMs) continue
    // The hour before is not known completely.
    if (atMs < at.getTime() - SPIKE_LATE_MS_MAX) continue
    const usual = usualAt(atMs - SPIKE_WINDOW_MS)
    const limit = Math.max(rule.minReviews, rule.factor * usual)
    const wasBelow = first - from < limit
    if (wasBelow && isRising && spike !== null) reportedMs = spike.end.getTime()
    if (wasBelow) isRising = false
    if (wasBelow || atMs - firedMs >= SPIKE_AGAIN_MS) isOver = true
    while ((counted[fresh]?.atMs ?? atMs) <= reportedMs) fresh += 1
    const own = Math.max(from, fresh)
    const count = index + 1 - own
    if (!isOver || count < limit || (isRising && count <= (spike?.count ?? 0))) continue
    spike = spikeAt(atMs, usual, counted.slice(own, index + 1))
    isRising = true
  }
  return spike
}

function spikeAt(atMs: number, usual: number, reviews: readonly NegativeReview[]): Spike {
  return {
    end: new Date(atMs),
    count: reviews.length,
    usual,
    newest: reviews.slice(-REVIEWS_NAMED_MAX).reverse(),
    markets: [...new Set(reviews.map(({ market }) => market))],
  }
}

/** Those that the watch counts, oldest first. */
function countedReviews(
  { from, markets }: SpikeRule,
  reviews: NegativeReviews,
  nowMs: number,
): NegativeReview[] {
  const untilMs = nowMs + STORE_AHEAD_MS_MAX
  const fromMs = new Map(
    reviews.markets
      .filter(({ market }) => markets.includes(market))
      .map(({ market, polledFromMs }) => [market, Math.max(polledFromMs, from.getTime())]),
  )
  return reviews.recent
    .filter(({ atMs, market }) => atMs >= (fromMs.get(market) ?? Number.POSITIVE_INFINITY) && atMs <= untilMs)
    .sort((a, b) => a.atMs - b.atMs || (a.reviewId < b.reviewId ? -1 : 1))
}

/**
 * The usual number per hour before an instant: of each market the mean of the whole hours of `USUAL_MS` before it, of
 * which the first hour may be a part, since a market may be known for a shorter time.
 */
function usualNumbers(
  markets: readonly string[],
  { markets: histories, perHour }: NegativeReviews,
): (beforeMs: number) => number {
  const byMarket = Map.groupBy(perHour, ({ market }) => market)
  const known = new Map<number, number>()
  return (beforeMs) => {
    const endHour = Math.floor(beforeMs / HOUR_MS)
    const found = known.get(endHour)
    if (found !== undefined) return found
    let usual = 0
    for (const { market, knownFromMs } of histories) {
      if (!markets.includes(market)) continue
      const startHour = Math.max(endHour - USUAL_MS / HOUR_MS, Math.floor(knownFromMs / HOUR_MS))
      const hours = Math.max(1, endHour - startHour)
      const count = (byMarket.get(market) ?? [])
        .filter(({ hour }) => hour >= endHour - hours && hour < endHour)
        .reduce((sum, each) => sum + each.count, 0)
      usual += count / hours
    }
    known.set(endHour, usual)
    return usual
  }
}
