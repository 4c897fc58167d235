import { STORES } from '../model/vocabulary.ts'
import type { Clock } from '../runtime/clock.ts'
import { type ActivityRatings, createActivityRatings } from './activity-ratings.ts'
import { createRandom, type Random } from './random.ts'
import { anyStorefront, createReviewers, type Reviewers } from './reviewers.ts'
import {
  firstApp,
  NEWEST_RELEASE_DAYS_AGO,
  REVIEWER_WEIGHTS,
  SIMULATED_APPS,
  type SimulatedApp,
} from './simulated-apps.ts'
import type { World } from './world.ts'

/** Simulated activity of people who review a few invented apps in both stores. The same seed and clock give the same activity. */

/** Times of the first events, so that a demo shows each event type within ten seconds. */
const OPENING_MS = { review: 1_200, drop: 4_000, edit: 7_000, drift: 2_500 }
const DROP_INTERVAL_MS = [20_000, 40_000] as const
const EDIT_INTERVAL_MS = [20_000, 60_000] as const
const DRIFT_INTERVAL_MS = 5_000
/** The number of complaints after a broken release, the time between them, and the pause until the next ones. */
const COMPLAINT_BURST = { complaints: 30, gapMs: 500, pauseMs: 600_000 }

const DAY_MS = 24 * 3_600_000

export type ActivityOptions = {
  readonly clock: Clock
  /** Rate for all apps, stores and storefronts together; above 0. */
  readonly reviewsPerMinute: number
  /** A lower rate after some time; by default the rate stays. */
  readonly calm?: { readonly afterMs: number; readonly reviewsPerMinute: number }
  readonly seed: number
  readonly signal: AbortSignal
  /** The age of the oldest review; by default more than a year. */
  readonly oldReviewsDays?: number
  /** A broken release of the first app, which people complain about; by default none. */
  readonly release?: { readonly version: string; readonly afterMs: number }
  /** The activity starts when this resolves; by default at once. */
  readonly startWhen?: Promise<unknown>
}

/**
 * Adds the apps and their old reviews to `world` before it returns. Then adds reviews, edits and rating changes until `signal` aborts;
 * `done` resolves after that.
 */
export function startActivity(world: World, options: ActivityOptions): { readonly done: Promise<void> } {
  if (!(options.reviewsPerMinute > 0)) throw new RangeError('reviewsPerMinute must be above 0.')
  const random = createRandom(options.seed)
  const now = options.clock.now().getTime()
  for (const { name, developer, appIds, versions } of SIMULATED_APPS) {
    for (const store of STORES) {
      const released = {
        version: versions[0] ?? '1.0',
        releasedAt: new Date(now - NEWEST_RELEASE_DAYS_AGO * DAY_MS),
      }
      world.addApp({ store, appId: appIds[store], name, developer, iconUrl: null, release: released })
    }
  }
  const reviewers = createReviewers(world, random, now)
  for (const app of SIMULATED_APPS)
    for (const store of STORES) reviewers.addOldReviews(app, store, options.oldReviewsDays)
  const ratings = createActivityRatings(
    world,
    random,
    SIMULATED_APPS,
    (storefront) => REVIEWER_WEIGHTS[storefront],
  )
  return { done: run(world, options, random, reviewers, ratings) }
}

async function run(
  world: World,
  options: ActivityOptions,
  random: Random,
  reviewers: Reviewers,
  ratings: ActivityRatings,
): Promise<void> {
  const { clock, signal } = options
  await options.startWhen
  const startedAt = clock.now().getTime()
  const meanGapMs = () => {
    const { calm } = options
    const isCalm = calm !== undefined && clock.now().getTime() - startedAt >= calm.afterMs
    return 60_000 / (isCalm ? calm.reviewsPerMinute : options.reviewsPerMinute)
  }
  const anyApp = () => random.pickWeighted(SIMULATED_APPS, (app) => app.share)
  const opening = [...STORES]
  let drops = 0

  const actions: Action[] = [
    {
      dueAt: startedAt + OPENING_MS.review,
      act: () => {
        // The first review in each store is for the first app in `us`, which a demo watches.
        const store = opening.shift()
        if (store !== undefined) reviewers.write(firstApp(), store, 'us', clock.now())
        else reviewers.write(anyApp(), random.pick(STORES), anyStorefront(random), clock.now())
        return store === undefined ? meanGapMs() * random.between(0.3, 1.7) : Math.min(meanGapMs(), 800)
      },
    },
    {
      dueAt: startedAt + OPENING_MS.drift,
      act: () => {
        ratings.drift()
        return DRIFT_INTERVAL_MS
      },
    },
    {
      dueAt: startedAt + OPENING_MS.drop,
      act: () => {
        ratings.drop(drops === 0 ? firstApp() : anyApp())
        drops += 1
        return random.between(...DROP_INTERVAL_MS)
      },
    },
    {
      dueAt: startedAt + OPENING_MS.edit,
      act: () => {
        reviewers.edit(clock.now())
        return random.between(...EDIT_INTERVAL_MS)
      },
    },
  ]
  const { release } = options
  if (release !== undefined) {
    let complaints = 0
    actions.push({
      dueAt: startedAt + release.afterMs,
      act: () => {
        if (complaints % COMPLAINT_BURST.complaints === 0) ratings.drop(firstApp())
        if (complaints === 0) publishRelease(world, firstApp(), release.version, clock.now())
        complaints += 1
        reviewers.complain(firstApp(), random.pick(STORES), 'us', release.version, clock.now())
        return complaints % COMPLAINT_BURST.complaints === 0 ? COMPLAINT_BURST.pauseMs : COMPLAINT_BURST.gapMs
      },
    })
  }
  while (!signal.aborted) {
    const next = actions.reduce((first, one) => (one.dueAt < first.dueAt ? one : first))
    const waitMs = next.dueAt - clock.now().getTime()
    if (waitMs > 0) await clock.sleep(waitMs, signal)
    if (signal.aborted) return
    const gapMs = next.act()
    // After a suspension of the machine, the activity does not catch up in a burst.
    next.dueAt = Math.max(next.dueAt, clock.now().getTime() - 1_000) + gapMs
  }
}

function publishRelease(world: World, app: SimulatedApp, version: string, releasedAt: Date): void {
  for (const store of STORES) {
    const listed = world.app({ store, appId: app.appIds[store] })
    if (listed !== null) world.addApp({ ...listed, release: { version, releasedAt } })
  }
}

/** `act` returns the milliseconds until its next call. */
type Action = { dueAt: number; readonly act: () => number }
