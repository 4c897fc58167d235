import { STORES } from '../model/vocabulary.ts'
import type { Clock } from '../runtime/clock.ts'
import { firstApp, LIFE_APPS, PEOPLE } from './life-apps.ts'
import { anyStorefront, createPeople, type People } from './life-people.ts'
import { createRandom, type Random } from './life-random.ts'
import { createLifeRatings, type LifeRatings } from './life-ratings.ts'
import type { World } from './world.ts'

/**
 * People who review a few invented apps in both simulated stores. The same seed and clock give the same activity.
 */

/** Times of the first events: a demo shows each event type within ten seconds. */
const OPENING_MS = { review: 1_200, fall: 4_000, edit: 7_000, drift: 2_500 }
const FALL_EVERY_MS = [20_000, 40_000] as const
const EDIT_EVERY_MS = [20_000, 60_000] as const
const WANDER_EVERY_MS = 5_000
/** The storm after a broken release, and the time until people complain again. */
const STORM = { complaints: 60, gapMs: 500, pauseMs: 600_000 }

export type LifeOptions = {
  readonly clock: Clock
  /** Over all apps, stores and storefronts; above 0. */
  readonly reviewsPerMinute: number
  readonly seed: number
  readonly signal: AbortSignal
  /** How old the back catalogue is; absent: more than a year. */
  readonly backDays?: number
  /** A release of the first app that breaks something: people complain about it. Absent: no release. */
  readonly release?: { readonly version: string; readonly afterMs: number }
  /** The activity after the back catalogue waits for this. Absent: it starts at once. */
  readonly beginWhen?: Promise<unknown>
}

/**
 * Fills `world` with the apps and their back catalogue before it returns. Then adds reviews, edits and rating changes
 * until `signal` aborts; `done` resolves after that.
 */
export function startLife(world: World, options: LifeOptions): { readonly done: Promise<void> } {
  if (!(options.reviewsPerMinute > 0)) throw new RangeError('reviewsPerMinute must be above 0.')
  const random = createRandom(options.seed)
  for (const { name, developer, appIds } of LIFE_APPS) {
    for (const store of STORES) world.addApp({ store, appId: appIds[store], name, developer, iconUrl: null })
  }
  const people = createPeople(world, random)
  const now = options.clock.now().getTime()
  for (const app of LIFE_APPS) for (const store of STORES) people.fillBack(app, store, now, options.backDays)
  const ratings = createLifeRatings(world, random, LIFE_APPS, (storefront) => PEOPLE[storefront])
  return { done: live(options, random, people, ratings) }
}

async function live(
  options: LifeOptions,
  random: Random,
  people: People,
  ratings: LifeRatings,
): Promise<void> {
  const { clock, signal } = options
  const meanGapMs = 60_000 / options.reviewsPerMinute
  await options.beginWhen
  const began = clock.now().getTime()
  const anyApp = () => random.pickWeighted(LIFE_APPS, (app) => app.share)
  const opening = [...STORES]
  let falls = 0

  const happenings: Happening[] = [
    {
      dueAt: began + OPENING_MS.review,
      happen: () => {
        // The first reviews: one in each store for the first app in the first storefront, which a demo watches.
        const store = opening.shift()
        if (store !== undefined) people.write(firstApp(), store, 'us', clock.now())
        else people.write(anyApp(), random.pick(STORES), anyStorefront(random), clock.now())
        return store === undefined ? meanGapMs * random.between(0.3, 1.7) : Math.min(meanGapMs, 800)
      },
    },
    {
      dueAt: began + OPENING_MS.drift,
      happen: () => {
        ratings.drift()
        return WANDER_EVERY_MS
      },
    },
    {
      dueAt: began + OPENING_MS.fall,
      happen: () => {
        ratings.fall(falls === 0 ? firstApp() : anyApp())
        falls += 1
        return random.between(...FALL_EVERY_MS)
      },
    },
    {
      dueAt: began + OPENING_MS.edit,
      happen: () => {
        people.edit(clock.now())
        return random.between(...EDIT_EVERY_MS)
      },
    },
  ]
  const { release } = options
  if (release !== undefined) {
    let complaints = 0
    happenings.push({
      dueAt: began + release.afterMs,
      happen: () => {
        if (complaints % STORM.complaints === 0) ratings.fall(firstApp())
        complaints += 1
        people.complain(firstApp(), random.pick(STORES), 'us', release.version, clock.now())
        return complaints % STORM.complaints === 0 ? STORM.pauseMs : STORM.gapMs
      },
    })
  }
  while (!signal.aborted) {
    const next = happenings.reduce((first, one) => (one.dueAt < first.dueAt ? one : first))
    const waitMs = next.dueAt - clock.now().getTime()
    if (waitMs > 0) await clock.sleep(waitMs, signal)
    if (signal.aborted) return
    const gapMs = next.happen()
    // A suspended machine does not catch up in a burst.
    next.dueAt = Math.max(next.dueAt, clock.now().getTime() - 1_000) + gapMs
  }
}

/** `happen` returns the milliseconds until its next call. */
type Happening = { dueAt: number; readonly happen: () => number }
