import type { FeedDemand } from '../../storage/port/feeds.ts'
import type { PollSettings } from './schedule.ts'

/**
 * How often the review feeds of a store are polled, from the number of feeds at each rate of reviews and the store's request limit.
 *
 * A feed with rate r that is polled every I finds its reviews I / 2 late on average and costs 1 / I requests. For a given number of
 * requests the mean delay of all reviews is smallest when I is proportional to 1 / sqrt(r) (Cho and Garcia-Molina, "Effective page refresh
 * policies for web crawlers", 2003, with delay as the measure). So one number describes a plan: the interval of a feed with one review per
 * day.
 */
export type PollPlan = {
  readonly intervalAtOnePerDayMs: number
  readonly intervalMsMin: number
  readonly intervalMsMax: number
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** While the limit allows it: hourly polls at 36 reviews per day or more. More buys little, since stores show a review a day late. */
export const RELAXED_INTERVAL_AT_ONE_PER_DAY_MS = 6 * HOUR_MS
/** The share of the limit that plans use; the rest is for first polls, more pages, retries and app searches. */
const PLANNED_SHARE = 0.9
/** Reviews get at least this share of the limit, however many requests the ratings take. */
const REVIEWS_SHARE_MIN = 0.6
/** When the limit is short, no feed is polled less often than a fourth as often as if all were polled equally often. */
const UNEQUAL_MAX = 4
/** Above this interval all feeds wait longer than planned. */
export const INTERVAL_MS_MAX = 7 * DAY_MS
/** The rate of a feed that no poll has estimated yet. */
const UNKNOWN_REVIEWS_PER_DAY = 1
/** Enough for an interval within a thousandth of the best one. */
const BISECTION_STEPS = 24

export function pollIntervalMs(reviewsPerDay: number, plan: PollPlan): number {
  const intervalMs = plan.intervalAtOnePerDayMs / Math.sqrt(reviewsPerDay)
  return Math.round(Math.min(plan.intervalMsMax, Math.max(plan.intervalMsMin, intervalMs)))
}

/** The plan without a limit. */
export function relaxedPlan({ intervalMsMin, intervalMsMax }: PollSettings): PollPlan {
  return { intervalAtOnePerDayMs: RELAXED_INTERVAL_AT_ONE_PER_DAY_MS, intervalMsMin, intervalMsMax }
}

/** Requests per day for the reviews of these feeds: one per poll, and a second one when it finds new reviews. */
export function requestsPerDay(demand: FeedDemand, plan: PollPlan): number {
  return demand.reviews.reduce((sum, { reviewsPerDay, feeds }) => {
    const perDay = reviewsPerDay ?? UNKNOWN_REVIEWS_PER_DAY
    const intervalDays = pollIntervalMs(perDay, plan) / DAY_MS
    return sum + (feeds * (2 - Math.exp(-perDay * intervalDays))) / intervalDays
  }, 0)
}

/**
 * The plan for this demand: the relaxed one if its requests fit, otherwise the one with the smallest intervals that do. With too
 * many feeds even for the longest intervals, the result has those. `ratingsPerRequest` is how many ratings one request gets.
 */
export function planPolls(
  demand: FeedDemand,
  settings: PollSettings,
  {
    requestsPerDayMax,
    ratingsPerRequest,
  }: { readonly requestsPerDayMax: number; readonly ratingsPerRequest: number },
): PollPlan {
  const relaxed = relaxedPlan(settings)
  const forRatings = demand.ratingPollsPerDay / ratingsPerRequest
  const budget = Math.max(
    PLANNED_SHARE * requestsPerDayMax - forRatings,
    REVIEWS_SHARE_MIN * requestsPerDayMax,
  )
  if (requestsPerDay(demand, relaxed) <= budget) return relaxed
  const feeds = demand.reviews.reduce((sum, group) => sum + group.feeds, 0)
  const equalMs = (feeds * DAY_MS) / budget
  const intervalMsMax = Math.min(INTERVAL_MS_MAX, Math.max(settings.intervalMsMax, UNEQUAL_MAX * equalMs))
  const plan = (intervalAtOnePerDayMs: number) => ({ ...relaxed, intervalMsMax, intervalAtOnePerDayMs })
  // Bisection of the logarithm: requests fall with the interval.
  let tooShort = RELAXED_INTERVAL_AT_ONE_PER_DAY_MS
  let longEnough = 1_000 * INTERVAL_MS_MAX
  for (let step = 0; step < BISECTION_STEPS; step += 1) {
    const middle = Math.sqrt(tooShort * longEnough)
    if (requestsPerDay(demand, plan(middle)) > budget) tooShort = middle
    else longEnough = middle
  }
  return plan(longEnough)
}
