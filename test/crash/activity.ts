import { fingerprintOf } from '../../src/model/review.ts'
import type { Clock } from '../../src/runtime/clock.ts'
import type { Fault } from '../../src/simulate/fault.ts'
import { createRandom, type Random } from '../../src/simulate/random.ts'
import type { World } from '../../src/simulate/world.ts'
import { publish, publishOld } from '../support/publish.ts'
import { addApp } from '../support/service.ts'
import { CONNECTED_APPS, connectedReviewId, type Owner } from './connected.ts'
import { MAIL_PREFIX, recipientsOf, SLACK_PREFIX, TELEGRAM_PREFIX } from './formatted.ts'
import { type Ledger, PULLED_PREFIX } from './ledger.ts'

export type App = { readonly store: 'apple' | 'google'; readonly appId: string; readonly market: string }

/** A hook of the run. `stars: null` means a hook for rating drops. */
export type PlannedHook = {
  readonly name: string
  readonly app: App
  readonly stars: readonly [number, number] | null
  /** Only reviews whose text contains this word. */
  readonly keyword?: string
}

const PUBLIC_APPS: readonly App[] = [1, 2, 3].flatMap((index): App[] => [
  { store: 'apple', appId: `90000${index}`, market: 'us' },
  { store: 'google', appId: `com.example.crash${index}`, market: 'en' },
])
export const APPS: readonly App[] = [...PUBLIC_APPS, ...CONNECTED_APPS]

/** Digests show some 30 events and count the others. So few reviews have the word that a digest shows all of them. */
const DIGEST_WORD = 'digest'
const DIGEST_OF = 16

/** Messages name a review by its fingerprint, which depends on its source. So the connected apps have only hooks for events. */
const CONNECTED_HOOKS = CONNECTED_APPS.flatMap((app): PlannedHook[] => [
  { name: `all-${app.appId}`, app, stars: [1, 5] },
  { name: `low-${app.appId}`, app, stars: [1, 2] },
  { name: `${PULLED_PREFIX}${app.appId}`, app, stars: [1, 5] },
])

const PUBLIC_HOOKS = PUBLIC_APPS.flatMap((app): PlannedHook[] => [
  { name: `all-${app.appId}`, app, stars: [1, 5] },
  { name: `all2-${app.appId}`, app, stars: [1, 5] },
  { name: `low-${app.appId}`, app, stars: [1, 2] },
  { name: `${PULLED_PREFIX}${app.appId}`, app, stars: [1, 5] },
  { name: `${SLACK_PREFIX}${app.appId}`, app, stars: [1, 5] },
  { name: `${TELEGRAM_PREFIX}${app.appId}`, app, stars: [3, 5] },
  { name: `${MAIL_PREFIX}${app.appId}`, app, stars: [1, 5], keyword: DIGEST_WORD },
  { name: `rating-${app.appId}`, app, stars: null },
])
export const HOOKS: readonly PlannedHook[] = [...PUBLIC_HOOKS, ...CONNECTED_HOOKS]

/** Reviews older than any hook: more than one page of Apple's feed. */
const OLD_REVIEWS = 60
/** Reviews that one action publishes at once: three pages for Apple, one for Google. */
const BURST = 130
/**
 * Apple shows the newest 500 reviews. Users stop writing while the service has not found this many of an app, so that a slow machine or a
 * long outage hides none; a burst fits on top.
 */
const UNFOUND_MAX = 300
/** They also stop while this many events have not arrived, so that a slow machine does not work through a backlog at each settle. */
const MISSING_MAX = 500
/** One rating drop is pending at a time: a drop replaced before its poll is not detected. */
const RATING_STEP_MICROS = 300
const RATING_START_MICROS = 4_990_000
const PAUSE_MS = [10, 60] as const

/** Faults of the stores, each for one or two requests. */
const FAULTS: readonly Fault[] = [
  { kind: 'transient_empty' },
  { kind: 'hole', page: 2 },
  { kind: 'drop' },
  { kind: 'status', status: 500 },
  { kind: 'slow', delayMs: 100 },
]

export type Activity = {
  readonly start: () => void
  readonly pause: () => Promise<void>
}

/** Idle apps, `count` in each store: enough to reach the stores' rate limits. */
export function idleApps(count: number): readonly App[] {
  return Array.from({ length: count }, (_, index): App[] => [
    { store: 'apple', appId: String(910_000 + index), market: 'us' },
    { store: 'google', appId: `com.example.idle${index}`, market: 'en' },
  ]).flat()
}

/** Fills the simulated stores with the initial reviews. */
export function populate(world: World, clock: Clock, idle: readonly App[]): void {
  for (const app of idle) addApp(world, app)
  for (const app of APPS) {
    addApp(world, app, { average: ratingText(RATING_START_MICROS), count: 10_000 })
    publishOld({ world, clock }, app, OLD_REVIEWS)
  }
}

/** Makes random reviews, edits, ratings and store faults until paused. Adds every expected event to the ledger first. */
export function createActivity(options: {
  readonly world: World
  readonly clock: Clock
  readonly ledger: Ledger
  readonly seed: number
  readonly owner: Pick<Owner, 'changeSource' | 'answer'>
}): Activity {
  const { world, clock, ledger, owner } = options
  const random = createRandom(options.seed)
  const ratings = new Map<App, { micros: number; count: number; lastKey: string | null }>(
    APPS.map((app) => [app, { micros: RATING_START_MICROS, count: 10_000, lastKey: null }]),
  )
  let isRunning = false
  let loop: Promise<void> = Promise.resolve()

  /** Keys of the pulled events of reviews that may not have been found, by app. */
  const unfound = new Map<App, string[]>(APPS.map((app) => [app, []]))
  const mayWrite = (app: App): boolean => {
    if (ledger.missingCount() >= MISSING_MAX) return false
    const left = (unfound.get(app) ?? []).filter((key) => !ledger.isAccepted(key))
    unfound.set(app, left)
    return left.length < UNFOUND_MAX
  }
  let written = 0
  const write = (app: App) => {
    const rating = 1 + Math.floor(random.next() * 5)
    const number = written++
    const id = CONNECTED_APPS.includes(app)
      ? connectedReviewId(app, number)
      : `${app.store === 'apple' ? '8' : 'r-'}${String(number).padStart(9, '0')}`
    const word = written % DIGEST_OF === 0 ? DIGEST_WORD : 'title'
    const fingerprint = fingerprintOf(app.store, app.appId, id)
    for (const { name, app: its, stars, keyword } of HOOKS) {
      if (its !== app || stars === null || (keyword !== undefined && keyword !== word)) continue
      if (rating < stars[0] || rating > stars[1]) continue
      const [first, ...others] = recipientsOf(name)
      ledger.expect(`${first}/${id}`, fingerprint)
      for (const other of others) ledger.expect(`${other}/${id}`, fingerprint, false)
    }
    unfound.get(app)?.push(`${PULLED_PREFIX}${app.appId}/${id}`)
    publish({ world, clock }, app, { id, rating, body: `A ${word} of ${id}` })
  }

  const actions: readonly { readonly weight: number; readonly act: (app: App) => unknown }[] = [
    { weight: 60, act: (app) => mayWrite(app) && write(app) },
    {
      weight: 1,
      act: (app) => {
        if (!mayWrite(app)) return
        for (let index = 0; index < BURST; index += 1) write(app)
      },
    },
    { weight: 15, act: (app) => edit(world, app, random, clock) },
    { weight: 20, act: (app) => dropRating(app) },
    { weight: 4, act: owner.changeSource },
    { weight: 20, act: owner.answer },
    {
      weight: 4,
      act: (app) =>
        void world.setFault(
          { store: app.store, appId: app.appId, times: 1 + Math.floor(random.next() * 2) },
          random.pick(FAULTS),
        ),
    },
  ]

  const dropRating = (app: App) => {
    const rating = ratings.get(app)
    const hook = HOOKS.find((one) => one.app === app && one.stars === null)
    if (rating === undefined || hook === undefined) return
    if (rating.lastKey !== null && !ledger.isAccepted(rating.lastKey)) return
    rating.micros -= RATING_STEP_MICROS
    rating.count += 1
    rating.lastKey = `${hook.name}/${rating.micros / 1_000_000}/${rating.count}`
    ledger.expect(rating.lastKey)
    world.setRating(
      { store: app.store, appId: app.appId, storefront: 'us' },
      { average: ratingText(rating.micros), count: rating.count },
    )
  }

  async function runLoop(): Promise<void> {
    while (isRunning) {
      random.pickWeighted(actions, ({ weight }) => weight).act(random.pick(APPS))
      await new Promise((resolve) => setTimeout(resolve, random.between(...PAUSE_MS)))
    }
  }
  return {
    start: () => {
      if (isRunning) return
      isRunning = true
      loop = runLoop()
    },
    pause: async () => {
      isRunning = false
      await loop
    },
  }
}

/** Edits a random review, which must not cause an event. Apple has no edit history, so only seen reviews are edited there. */
function edit(world: World, app: App, random: Random, clock: Clock): void {
  const reviews = world.reviews(app)
  const old = reviews.filter(({ publishedAt }) => publishedAt.getTime() < clock.now().getTime() - 3_000_000)
  const candidates = app.store === 'apple' ? old : reviews
  if (candidates.length === 0) return
  const { id, body } = random.pick(candidates)
  // Its word stays, so that the same hooks match.
  const [words] = body.split(' Edited')
  world.editReview({ ...app, reviewId: id }, { body: `${words} Edited ${random.next()}.` }, clock.now())
}

function ratingText(micros: number): string {
  return (micros / 1_000_000).toFixed(6)
}
