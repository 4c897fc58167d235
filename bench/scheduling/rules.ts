import { estimateReviewsPerDay } from '../../src/pipeline/collect/arrival-rate.ts'
import { type PollPlan, planPolls, pollIntervalMs } from '../../src/pipeline/collect/poll-plan.ts'
import { POLL_SETTINGS } from '../../src/pipeline/collect/schedule.ts'
import type { FeedDemand } from '../../src/storage/port/feeds.ts'
import type { FeedArrivals } from './arrivals.ts'
import type { Rule } from './simulate.ts'

const HOUR_MS = 3_600_000
const { intervalMsMax } = POLL_SETTINGS.reviews
/** Of the earlier rule. */
const EARLIER_HOURS_MIN = 0.25
const bounded = (hours: number) => Math.min(intervalMsMax / HOUR_MS, Math.max(EARLIER_HOURS_MIN, hours))

/** The earlier rule: half the interval after new reviews, half more after none. */
export function halvingRule(feeds: number): Rule {
  const hours = new Float64Array(feeds).fill(EARLIER_HOURS_MIN)
  const polled = new Uint8Array(feeds)
  return ({ feed, hasNewData }) => {
    if (polled[feed] === 1) hours[feed] = bounded((hours[feed] ?? 0) * (hasNewData ? 0.5 : 1.5))
    polled[feed] = 1
    return hours[feed] ?? 0
  }
}

/** The service's rule: rates estimated from the page, and a plan for the demand, again every ten minutes. */
export function plannedRule(
  feeds: number,
  requestsPerDay: number,
  intervalMsMin = POLL_SETTINGS.reviews.intervalMsMin,
): Rule {
  const settings = { ...POLL_SETTINGS.reviews, intervalMsMin }
  const rates = new Float64Array(feeds)
  const demand = new Map<number, number>()
  const count = (rate: number, change: number) => demand.set(rate, (demand.get(rate) ?? 0) + change)
  const limits = { requestsPerDayMax: requestsPerDay, ratingsPerRequest: 1 }
  let plan: PollPlan | null = null
  let plannedAtHours = 0
  return ({ feed, nowHours, shownAtHours }) => {
    const shownAt = Array.from(shownAtHours, (atHours) => new Date(atHours * HOUR_MS))
    const rate = estimateReviewsPerDay(shownAt, new Date(nowHours * HOUR_MS))
    const before = rates[feed] ?? 0
    if (before > 0) count(before, -1)
    count(rate, 1)
    rates[feed] = rate
    // All first polls are at hour 0. To save time, only every hundredth of them and the last one make a plan.
    const isDue = nowHours === 0 ? feed % 100 === 99 || feed === feeds - 1 : nowHours - plannedAtHours > 1 / 6
    if (plan === null || isDue) {
      plan = planPolls(demandOf(demand), settings, limits)
      plannedAtHours = nowHours
    }
    return pollIntervalMs(rate, plan) / HOUR_MS
  }
}

function demandOf(groups: ReadonlyMap<number, number>): FeedDemand {
  return {
    reviews: [...groups]
      .filter(([, feeds]) => feeds > 0)
      .map(([reviewsPerDay, feeds]) => ({ reviewsPerDay, feeds })),
    ratingPollsPerDay: 0,
  }
}

/** The best fixed intervals for known rates and this number of requests, without bounds. */
export function optimalRule(feeds: readonly FeedArrivals[], requestsPerDay: number): Rule {
  const demand = (factor: number) =>
    feeds.reduce((sum, { perDay }) => {
      const days = factor / Math.sqrt(perDay)
      return sum + (2 - Math.exp(-perDay * days)) / days
    }, 0)
  let tooShort = 1e-6
  let longEnough = 1e6
  for (let step = 0; step < 60; step += 1) {
    const middle = Math.sqrt(tooShort * longEnough)
    if (demand(middle) > requestsPerDay) tooShort = middle
    else longEnough = middle
  }
  return ({ feed }) => (24 * longEnough) / Math.sqrt(feeds[feed]?.perDay ?? 1)
}
