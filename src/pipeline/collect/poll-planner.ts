import type { Clock } from '../../runtime/clock.ts'
import type { FeedStorage } from '../../storage/port/feeds.ts'
import type { AppStore } from '../appstores/appstore.ts'
import { type PollPlan, planPolls, relaxedPlan } from './poll-plan.ts'
import type { PollSettings } from './schedule.ts'

export type PollPlannerDeps = {
  readonly storage: { readonly feeds: Pick<FeedStorage, 'demand'> }
  readonly appStore: Pick<AppStore, 'store' | 'ratingBatchMax'>
  readonly clock: Clock
}

/** Returns the current plan of a store's review feeds. */
export type PollPlanner = () => Promise<PollPlan>

/** Demand changes slowly, and counting a million feeds takes a tenth of a second. */
const PLAN_AGE_MS_MAX = 10 * 60_000

/**
 * Plans from the stored demand, again every ten minutes. Each node plans for itself, from the same rows. With a fixed interval
 * nothing is read.
 */
export function createPollPlanner(
  { storage, appStore, clock }: PollPlannerDeps,
  settings: PollSettings,
  requestsPerMinute: number,
): PollPlanner {
  const limits = {
    requestsPerDayMax: requestsPerMinute * 24 * 60,
    ratingsPerRequest: appStore.ratingBatchMax,
  }
  let plan: Promise<PollPlan> | null = null
  let plannedAtMs = 0
  const read = async () => planPolls(await storage.feeds.demand(appStore.store), settings, limits)
  return async () => {
    if (settings.fixedIntervalMs !== null) return relaxedPlan(settings)
    if (plan === null || clock.monotonicMs() - plannedAtMs > PLAN_AGE_MS_MAX) {
      const reading = read()
      plan = reading
      plannedAtMs = clock.monotonicMs()
      // The next poll reads again.
      reading.catch(() => {
        if (plan === reading) plan = null
      })
    }
    return plan
  }
}
