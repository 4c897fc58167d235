import type { FeedSources } from '../../model/feed.ts'
import type { StoreReview } from '../../model/review.ts'
import { NEWEST_TOLERANCE_MS } from '../../model/source-health.ts'

/** Selects a store's source: which to request first, when to compare two, and when one may be frozen. Pure. */

const HOUR_MS = 3_600_000

/** How often the sources before a fallback are probed: four requests a day per feed. */
export const SOURCE_PROBE_MS = 6 * HOUR_MS
/** The minimum time between two comparisons with another source. */
export const OTHER_SOURCE_MS = 6 * HOUR_MS
/** A date further ahead than this does not count as the newest. */
const AHEAD_MS_MAX = 24 * HOUR_MS

/**
 * A suspicious pause: no new review for ten times the mean interval and at least two days, on a page of ten or more. At
 * a random moment the probability of such a pause is 1 in 22,000 (e^-10).
 */
const PAUSE_FACTOR = 10
const PAUSE_MS_MIN = 48 * HOUR_MS
const PAUSE_REVIEWS_MIN = 10
/** A pause with fewer new ratings proves nothing. */
export const RATINGS_GROWTH_MIN = 20

/** The source to request first; null for the usual order, which also probes the sources before the fallback. */
export function firstSource({ fallback }: FeedSources, now: Date): string | null {
  return fallback === null || isDue(fallback.probedAt, SOURCE_PROBE_MS, now) ? null : fallback.source
}

export function mayCompare({ lastComparedAt }: FeedSources, now: Date): boolean {
  return lastComparedAt === null || isDue(lastComparedAt, OTHER_SOURCE_MS, now)
}

/** An instant in the future comes from a wrong clock and counts as due. */
function isDue(at: Date, everyMs: number, now: Date): boolean {
  const ageMs = now.getTime() - at.getTime()
  return ageMs >= everyMs || ageMs < 0
}

/** The date of the newest review; null when no date counts. */
export function newestOf(reviews: readonly Pick<StoreReview, 'shownAt'>[], now: Date): Date | null {
  const untilMs = now.getTime() + AHEAD_MS_MAX
  const plausible = reviews.map((review) => review.shownAt.getTime()).filter((ms) => ms <= untilMs)
  return plausible.length === 0 ? null : new Date(Math.max(...plausible))
}

/** Whether the newest review is older than one seen before. */
export function isOlderThanKnown(newest: Date | null, { newestShownAt }: FeedSources): boolean {
  return newest !== null && newestShownAt !== null && isNewer(newestShownAt, newest)
}

export function isNewer(one: Date, other: Date): boolean {
  return one.getTime() - other.getTime() > NEWEST_TOLERANCE_MS
}

/** The start of a suspicious pause on a page of newest reviews; null without one. */
export function suspiciousPauseStart(
  reviews: readonly Pick<StoreReview, 'shownAt'>[],
  now: Date,
): Date | null {
  const newest = newestOf(reviews, now)
  if (newest === null || reviews.length < PAUSE_REVIEWS_MIN) return null
  const oldestMs = Math.min(...reviews.map((review) => review.shownAt.getTime()))
  const meanIntervalMs = (newest.getTime() - oldestMs) / (reviews.length - 1)
  const pauseMs = now.getTime() - newest.getTime()
  return pauseMs > Math.max(PAUSE_MS_MIN, PAUSE_FACTOR * meanIntervalMs) ? newest : null
}

/**
 * The fallback after a poll. A source becomes the fallback when it serves two polls in a row, so that a page missing
 * for minutes does not switch the source for hours. It stays the fallback until the primary source serves again, and is
 * requested first between probes.
 */
export function nextFallback(
  { fallback }: FeedSources,
  poll: {
    readonly now: Date
    /** The source of the first page; null when none served, or only one that does not show the newest reviews. */
    readonly served: string | null
    readonly primary: string
    /** The source that served the poll before. */
    readonly lastSource: string | null
    /** The source that was requested first; null for the usual order. */
    readonly startedWith: string | null
    /** The failures of the sources before it. */
    readonly reason: string
  },
): FeedSources['fallback'] {
  const { now, served, primary, lastSource, startedWith, reason } = poll
  if (served === primary) return null
  if (served === null) {
    return fallback === null || startedWith !== null ? fallback : { ...fallback, probedAt: now }
  }
  if (served === startedWith) return fallback
  if (fallback !== null) return { ...fallback, source: served, reason, probedAt: now }
  return served === lastSource ? { source: served, since: now, reason, probedAt: now } : null
}
