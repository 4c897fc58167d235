import { DELAY_MS } from '../../model/first-reviews.ts'

/**
 * The rate of a feed's reviews, estimated from the dates that the store shows. Nothing has to be remembered between polls: the newest page
 * is the history (docs/polling.md).
 */

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/**
 * A store shows a review about a day after it was written (docs/stores.md, Delay), so a page says nothing about the time since its newest
 * review, up to this long. Reviews that are shown sooner prove a shorter delay.
 */
const DELAY_MS_MAX = Math.max(...Object.values(DELAY_MS))
/** Older reviews count less, with this time constant. */
const LONG_TERM_MS = 20 * DAY_MS
/** A burst after a release, or the end of one, shows within this time. */
const SHORT_TERM_MS = 12 * HOUR_MS
/** The long-term rate counts as much as this many reviews of the short term. */
const SHORT_TERM_PRIOR_REVIEWS = 2
/** Before any evidence: one review per day, worth a tenth of a review. Twenty days without one make it 0.005 per day. */
const PRIOR_REVIEWS = 0.1
const PRIOR_MS = PRIOR_REVIEWS * DAY_MS
/** A store that shows fewer reviews has no older ones; its pages have 50 or more. */
const FULL_PAGE_REVIEWS_MIN = 20

export const REVIEWS_PER_DAY_MIN = 2 ** -8
export const REVIEWS_PER_DAY_MAX = 2 ** 16
/** Estimates are rounded to half an octave, so that feeds can be counted by rate and rarely change their group. */
const STEPS_PER_OCTAVE = 2

/**
 * The expected reviews per day that the store shows at `now`, of a feed that shows reviews of these dates in any order; a power of the
 * square root of two between `REVIEWS_PER_DAY_MIN` and `REVIEWS_PER_DAY_MAX`. It is the mean of a gamma distribution whose evidence decays:
 * a long-term estimate, which is the prior of a short-term one. Reviews dated after `now` count as written now.
 */
export function estimateReviewsPerDay(shownAt: readonly Date[], now: Date): number {
  const datedAgesMs = shownAt.map((date) => Math.max(0, now.getTime() - date.getTime()))
  const delayMs = Math.min(DELAY_MS_MAX, ...datedAgesMs)
  const agesMs = datedAgesMs.map((ageMs) => ageMs - delayMs)
  // A full page does not show older reviews.
  const windowMs = agesMs.length < FULL_PAGE_REVIEWS_MIN ? Number.POSITIVE_INFINITY : Math.max(...agesMs)
  const longTerm = decayed(agesMs, windowMs, LONG_TERM_MS)
  const longTermRate = (longTerm.reviews + PRIOR_REVIEWS) / (longTerm.exposureMs + PRIOR_MS)
  const shortTerm = decayed(agesMs, windowMs, SHORT_TERM_MS)
  const priorMs = SHORT_TERM_PRIOR_REVIEWS / longTermRate
  const rate = (shortTerm.reviews + SHORT_TERM_PRIOR_REVIEWS) / (shortTerm.exposureMs + priorMs)
  return rounded(rate * DAY_MS)
}

/** The number of reviews and the time in which they were written, both with exponentially less weight for the past. */
function decayed(agesMs: readonly number[], windowMs: number, timeConstantMs: number) {
  return {
    reviews: agesMs.reduce((sum, ageMs) => sum + Math.exp(-ageMs / timeConstantMs), 0),
    exposureMs: timeConstantMs * (1 - Math.exp(-windowMs / timeConstantMs)),
  }
}

function rounded(perDay: number): number {
  const limited = Math.min(REVIEWS_PER_DAY_MAX, Math.max(REVIEWS_PER_DAY_MIN, perDay))
  return 2 ** (Math.round(STEPS_PER_OCTAVE * Math.log2(limited)) / STEPS_PER_OCTAVE)
}
