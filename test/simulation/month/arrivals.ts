import type { World } from '../../../src/simulate/world.ts'
import type { Random } from '../random.ts'
import { DAY_MS, DELAY_MS, DRAIN_MS, type MonthPlan, REFERENCE_APP } from './month.ts'

/** Reviews of one day of a feed: log-normal with this median and deviation, at most so many. */
const RATE = { median: 0.3, sigma: 1.5, most: 60 } as const
/** One every two minutes. */
const REFERENCE_PER_DAY = 720
/** Enough that pages have an order, and that the oldest reviews differ from the newest. */
const EARLIER_REVIEWS = 60
const EARLIER_WAIT_MS_MAX = 60 * DAY_MS

export type Arrival = { readonly appId: string; readonly reviewId: string; readonly shownFromMs: number }

export const MARKET = 'us'

export function appIdOf(feed: number): string {
  return String(900_000_001 + feed)
}

/** Adds the apps with their earlier reviews, and shows each review of the month from its time on. */
export function createArrivals(plan: MonthPlan, world: World, random: Random) {
  const arrivals: (Arrival & { readonly writtenMs: number })[] = []
  let reviews = 0
  const idOf = () => {
    reviews += 1
    return String(10_000_000_000 + reviews)
  }
  const show = (appId: string, id: string, writtenMs: number) =>
    world.addReview(
      { store: 'apple', appId, market: MARKET },
      {
        ...{ id, rating: 4, title: `Review ${id}`, body: `It works (${id}).`, author: `Author ${id}` },
        ...{ version: null, publishedAt: new Date(writtenMs) },
      },
    )

  function addApp(appId: string, perDay: number, untilMs = plan.untilMs): void {
    world.addApp({ store: 'apple', appId, name: appId, developer: 'Developer', iconUrl: null })
    const meanMs = DAY_MS / perDay
    const wait = () => -Math.log(1 - random.next()) * meanMs
    const earlier: number[] = []
    for (let atMs = plan.fromMs - DELAY_MS.most; earlier.length < EARLIER_REVIEWS; ) {
      atMs -= Math.min(EARLIER_WAIT_MS_MAX, wait())
      earlier.push(atMs)
    }
    for (const atMs of earlier.toReversed()) show(appId, idOf(), atMs)
    for (let atMs = plan.fromMs - DELAY_MS.least + wait(); ; atMs += wait()) {
      const shownFromMs = atMs + random.between(DELAY_MS.least, DELAY_MS.most)
      if (shownFromMs >= untilMs) break
      arrivals.push({ appId, reviewId: idOf(), writtenMs: atMs, shownFromMs })
    }
  }

  for (let feed = 0; feed < plan.feeds; feed += 1) addApp(appIdOf(feed), Math.min(RATE.most, rateOf(random)))
  // Its store goes on after the month.
  addApp(REFERENCE_APP, REFERENCE_PER_DAY, plan.untilMs + DRAIN_MS)
  arrivals.sort((a, b) => a.shownFromMs - b.shownFromMs)
  let shown = 0
  return {
    /** Of the polled apps. */
    all: arrivals.filter(({ appId }) => appId !== REFERENCE_APP),
    showUntil(nowMs: number): void {
      for (
        let next = arrivals[shown];
        next !== undefined && next.shownFromMs <= nowMs;
        next = arrivals[shown]
      ) {
        show(next.appId, next.reviewId, next.writtenMs)
        shown += 1
      }
    },
  }
}

function rateOf(random: Random): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
  return RATE.median * Math.exp(RATE.sigma * normal)
}
