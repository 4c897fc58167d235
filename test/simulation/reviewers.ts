import { isStorefront, marketOf } from '../../src/model/market.ts'
import { STORES, type Store, type Storefront } from '../../src/model/vocabulary.ts'
import { createReviewIds } from '../../src/simulate/review-ids.ts'
import type { World } from '../../src/simulate/world.ts'
import { type Ledger, listingKey, type ReviewEntry, reviewKey } from './ledger.ts'
import { OFFICIAL_LAG_MS_MAX, type OfficialStore } from './official-store.ts'
import { OLDEST_REVIEW_MS, type Plan } from './plan.ts'
import type { Random } from './random.ts'
import type { Scheduler } from './scheduler.ts'
import type { Trace } from './trace.ts'

export const STOREFRONTS_SIMULATED: readonly Storefront[] = ['us', 'gb', 'de']

/** The app's id in a store. */
export function appIdOf(store: Store, app: number): string {
  return store === 'apple' ? String(1_000_000_000 + app) : `org.example.app${app}`
}

export type ReviewersDeps = {
  readonly world: World
  readonly ledger: Ledger
  readonly plan: Plan
  readonly random: Random
  readonly scheduler: Scheduler
  readonly trace: Trace
  /** Null without connected stores. */
  readonly official: OfficialStore | null
  readonly officialRandom: Random
}

/** Simulated people who write, edit and remove reviews and rate apps. The ledger records every change. */
export type Reviewers = {
  /** Creates the apps and their old reviews. */
  readonly createApps: () => void
  /** Schedules changes until `untilMs`: a review about every `meanMs`, and fewer edits and removals. */
  readonly start: (untilMs: number, meanMs?: number) => void
  /** Removes all malformed rows from the stores. */
  readonly removeMalformedRows: () => void
  /** Lowers the rating of every listing by half a star. */
  readonly dropAllRatings: () => void
}

/** The longest time between the date of a review and its appearance. */
const LAG_MS_MAX = 90_000
const OLD_REVIEWS = 6
const HOUR_MS = 3_600_000

/** People without a name write one of these. */
const NAMELESS_TEXTS = ['Great app', 'Does not start']
/** The name that Apple shows for people without one. */
const NAMELESS_AUTHOR = { apple: 'anonymous', google: null } as const

export function createReviewers(deps: ReviewersDeps): Reviewers {
  const { world, ledger, plan, random, scheduler, trace, official, officialRandom } = deps
  const ids = createReviewIds(random.fork('ids').next)
  const ratings = new Map<string, { micros: number; count: number }>()
  const apps = Array.from({ length: plan.apps }, (_, app) => app)
  const malformed: { store: Store; appId: string; market: string; reviewId: string }[] = []
  const startedAtMs = scheduler.nowMs()
  let written = 0

  const write = (publishedAtMs: number) => {
    const store = random.pick(STORES)
    const appId = appIdOf(store, random.pick(apps))
    const storefront = random.pick(STOREFRONTS_SIMULATED)
    const market = marketOf(store, 'reviews', storefront)
    // Stores show whole seconds.
    const publishedAt = new Date(Math.floor(publishedAtMs / 1000) * 1000)
    const id = ids(store, publishedAt)
    const isMalformed = plan.malformedRows && random.chance(0.03)
    const rating = isMalformed ? 0 : 1 + random.below(5)
    written += 1
    const nameless =
      !isMalformed && officialRandom.chance(plan.connections?.namelessShare ?? 0)
        ? officialRandom.pick(NAMELESS_TEXTS)
        : null
    const place = { store, appId, market }
    const review = {
      id,
      rating,
      title: nameless === null ? `Title ${written}` : null,
      body: nameless ?? `Review ${written} of a simulated person.`,
      author: nameless === null ? `person ${written}` : NAMELESS_AUTHOR[store],
      version: '1.0',
      publishedAt,
    }
    // The official API may show it before the public pages.
    const publicLagMs =
      official !== null && scheduler.nowMs() > startedAtMs && officialRandom.chance(0.3)
        ? officialRandom.between(0, OFFICIAL_LAG_MS_MAX)
        : 0
    if (!isMalformed) official?.reviews.addReview(place, review)
    if (publicLagMs === 0) world.addReview(place, review)
    else scheduler.after(publicLagMs, () => world.addReview(place, review))
    if (isMalformed) {
      malformed.push({ store, appId, market, reviewId: id })
      return
    }
    if (plan.deadly && random.chance(0.02)) ledger.deadlyReviews.add(reviewKey(store, appId, id))
    ledger.reviews.set(reviewKey(store, appId, id), {
      store,
      appId,
      market,
      reviewId: id,
      publishedAtMs: publishedAt.getTime(),
      shownFromMs: scheduler.nowMs() + publicLagMs,
      shownUntilMs: null,
      stars: [rating],
      edited: false,
      namelessText: nameless,
      shownAtMs: publishedAt.getTime(),
    })
    trace.note(`reviewer writes ${store} ${market} ${id}`)
  }

  const anyShown = (): ReviewEntry | null => {
    const shown = [...ledger.reviews.values()].filter(
      ({ shownFromMs, shownUntilMs }) => shownUntilMs === null && shownFromMs <= scheduler.nowMs(),
    )
    return shown.length === 0 ? null : random.pick(shown)
  }
  const edit = () => {
    const review = anyShown()
    if (review === null) return
    const { store, appId, market, reviewId } = review
    const at = new Date(Math.floor(scheduler.nowMs() / 1000) * 1000)
    const rating = 1 + random.below(5)
    const change = { rating, body: `Edited at ${at.toISOString()}.` }
    world.editReview({ store, appId, market, reviewId }, change, at)
    official?.reviews.editReview({ store, appId, market, reviewId }, change, at)
    review.stars.push(rating)
    review.edited = true
    review.shownAtMs = at.getTime()
    trace.note(`reviewer edits ${store} ${reviewId}`)
  }
  const remove = () => {
    const review = anyShown()
    if (review === null) return
    const { store, appId, market, reviewId } = review
    world.removeReview({ store, appId, market, reviewId })
    official?.reviews.removeReview({ store, appId, market, reviewId })
    review.shownUntilMs = scheduler.nowMs()
    trace.note(`reviewer removes ${store} ${reviewId}`)
  }

  const show = (store: Store, app: number, storefront: Storefront, micros: number, count: number) => {
    const appId = appIdOf(store, app)
    const key = listingKey(store, appId, storefront)
    world.setRating({ store, appId, storefront }, { average: (micros / 1_000_000).toFixed(5), count })
    ratings.set(key, { micros, count })
    const one = {
      rating: `${micros} ${count}`,
      fromMs: scheduler.nowMs(),
      repeatedAtMs: Number.NEGATIVE_INFINITY,
    }
    ledger.ratings.set(key, [...(ledger.ratings.get(key) ?? []), one])
  }
  const rate = () => {
    const [store, app] = [random.pick(STORES), random.pick(apps)]
    const storefront = random.pick(STOREFRONTS_SIMULATED)
    const was = ratings.get(listingKey(store, appIdOf(store, app), storefront))
    if (was === undefined) return
    const changed = was.micros + Math.round(random.between(-0.4, 0.35) * 100) * 10_000
    const micros = Math.min(5_000_000, Math.max(1_500_000, changed))
    show(store, app, storefront, micros, was.count + 1 + random.below(20))
    trace.note(`reviewer rates ${store} ${app} ${storefront} ${micros}`)
  }

  /** An app that only the greedy account tracks. Its reviews and ratings never change. */
  const createGreedyApp = (app: number) => {
    for (const store of STORES) {
      const appId = appIdOf(store, app)
      world.addApp({ store, appId, name: `App ${app}`, developer: 'Example', iconUrl: null })
      world.setRating({ store, appId, storefront: 'us' }, { average: '4.5', count: 10 })
      const publishedAt = new Date(scheduler.nowMs() - 86_400_000)
      const review = { rating: 5, title: 'Old', body: 'An old review.', author: 'person', version: '1.0' }
      world.addReview(
        { store, appId, market: marketOf(store, 'reviews', 'us') },
        { ...review, id: ids(store, publishedAt), publishedAt },
      )
    }
  }

  return {
    createApps() {
      for (const app of apps) {
        for (const store of STORES) {
          const one = { store, appId: appIdOf(store, app), name: `App ${app}`, developer: 'Example' }
          for (const shows of [world, official?.reviews]) shows?.addApp({ ...one, iconUrl: null })
          for (const storefront of STOREFRONTS_SIMULATED)
            show(store, app, storefront, 4_000_000 + random.below(90) * 10_000, 100 + random.below(900))
        }
      }
      for (let extra = 0; extra < plan.greedyHooks; extra += 1) createGreedyApp(plan.apps + extra)
      for (let old = 0; old < OLD_REVIEWS * apps.length; old += 1)
        write(
          scheduler.nowMs() - random.between(HOUR_MS, plan.connections?.oldestReviewMs ?? OLDEST_REVIEW_MS),
        )
    },
    start(untilMs, meanMs = 3_600_000 / plan.reviewsPerHour) {
      const every = (meanMs: number, change: () => void) => {
        const next = () => {
          const atMs = scheduler.nowMs() + meanMs * random.between(0.1, 1.9)
          if (atMs < untilMs)
            scheduler.at(atMs, () => {
              change()
              next()
            })
        }
        next()
      }
      every(meanMs, () => write(scheduler.nowMs() - random.between(0, LAG_MS_MAX)))
      every(meanMs * 6, edit)
      every(meanMs * 15, remove)
      every(meanMs * 2, rate)
    },
    removeMalformedRows() {
      for (const where of malformed.splice(0)) world.removeReview(where)
    },
    dropAllRatings() {
      for (const [key, { micros, count }] of ratings) {
        const [store = 'apple', appId = '', storefront = 'us'] = key.split(' ')
        const app = apps.find((one) => appIdOf(store as Store, one) === appId)
        if (app !== undefined && isStorefront(storefront))
          show(store as Store, app, storefront, micros - 500_000, count + 1)
      }
    },
  }
}
