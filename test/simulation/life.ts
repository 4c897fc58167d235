import { isStorefront, marketOf } from '../../src/model/market.ts'
import { STORES, type Store, type Storefront } from '../../src/model/vocabulary.ts'
import { createReviewIds } from '../../src/simulate/review-ids.ts'
import type { World } from '../../src/simulate/world.ts'
import { type Ledger, listingKey, type ReviewEntry, reviewKey } from './ledger.ts'
import type { Plan } from './plan.ts'
import type { Random } from './random.ts'
import type { Scheduler } from './scheduler.ts'
import type { Trace } from './trace.ts'

export const STOREFRONTS_SIMULATED: readonly Storefront[] = ['us', 'gb', 'de']

/** The app's id in a store. */
export function appIdOf(store: Store, app: number): string {
  return store === 'apple' ? String(1_000_000_000 + app) : `org.example.app${app}`
}

export type LifeDeps = {
  readonly world: World
  readonly ledger: Ledger
  readonly plan: Plan
  readonly random: Random
  readonly scheduler: Scheduler
  readonly trace: Trace
}

/** People who review, edit, remove and rate. Every change is in the ledger too. */
export type Life = {
  /** Apps and their old reviews. */
  readonly begin: () => void
  /** Goes on until `untilMs`. */
  readonly live: (untilMs: number) => void
  /** What no store shows in earnest goes away. */
  readonly removeMalformedRows: () => void
  /** Every listing falls by half a star. */
  readonly fallEverywhere: () => void
}

/** Reviews appear up to this long after the date they show. */
const LAG_MS_MAX = 90_000
const OLD_REVIEWS = 6

export function createLife({ world, ledger, plan, random, scheduler, trace }: LifeDeps): Life {
  const ids = createReviewIds(random.fork('ids').next)
  const ratings = new Map<string, { micros: number; count: number }>()
  const apps = Array.from({ length: plan.apps }, (_, app) => app)
  const malformed: { store: Store; appId: string; market: string; reviewId: string }[] = []
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
    world.addReview(
      { store, appId, market },
      {
        id,
        rating,
        title: `Title ${written}`,
        body: `Review ${written} of a simulated person.`,
        author: `person ${written}`,
        version: '1.0',
        publishedAt,
      },
    )
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
      shownFromMs: scheduler.nowMs(),
      shownUntilMs: null,
      stars: [rating],
      edited: false,
      shownAtMs: publishedAt.getTime(),
    })
    trace.note(`life writes ${store} ${market} ${id}`)
  }

  const anyShown = (): ReviewEntry | null => {
    const shown = [...ledger.reviews.values()].filter(({ shownUntilMs }) => shownUntilMs === null)
    return shown.length === 0 ? null : random.pick(shown)
  }
  const edit = () => {
    const review = anyShown()
    if (review === null) return
    const { store, appId, market, reviewId } = review
    const at = new Date(Math.floor(scheduler.nowMs() / 1000) * 1000)
    const rating = 1 + random.below(5)
    world.editReview(
      { store, appId, market, reviewId },
      { rating, body: `Edited at ${at.toISOString()}.` },
      at,
    )
    review.stars.push(rating)
    review.edited = true
    review.shownAtMs = at.getTime()
    trace.note(`life edits ${store} ${reviewId}`)
  }
  const remove = () => {
    const review = anyShown()
    if (review === null) return
    const { store, appId, market, reviewId } = review
    world.removeReview({ store, appId, market, reviewId })
    review.shownUntilMs = scheduler.nowMs()
    trace.note(`life removes ${store} ${reviewId}`)
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
    const moved = was.micros + Math.round(random.between(-0.4, 0.35) * 100) * 10_000
    const micros = Math.min(5_000_000, Math.max(1_500_000, moved))
    show(store, app, storefront, micros, was.count + 1 + random.below(20))
    trace.note(`life rates ${store} ${app} ${storefront} ${micros}`)
  }

  /** An app that only the greedy account wants: nothing happens to it. */
  const beginGreedy = (app: number) => {
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
    begin() {
      for (const app of apps) {
        for (const store of STORES) {
          world.addApp({
            store,
            appId: appIdOf(store, app),
            name: `App ${app}`,
            developer: 'Example',
            iconUrl: null,
          })
          for (const storefront of STOREFRONTS_SIMULATED)
            show(store, app, storefront, 4_000_000 + random.below(90) * 10_000, 100 + random.below(900))
        }
      }
      for (let extra = 0; extra < plan.greedyHooks; extra += 1) beginGreedy(plan.apps + extra)
      for (let old = 0; old < OLD_REVIEWS * apps.length; old += 1)
        write(scheduler.nowMs() - random.between(1, 48) * 3_600_000)
    },
    live(untilMs) {
      const every = (meanMs: number, happen: () => void) => {
        const next = () => {
          const atMs = scheduler.nowMs() + meanMs * random.between(0.1, 1.9)
          if (atMs < untilMs)
            scheduler.at(atMs, () => {
              happen()
              next()
            })
        }
        next()
      }
      const meanMs = 3_600_000 / plan.reviewsPerHour
      every(meanMs, () => write(scheduler.nowMs() - random.between(0, LAG_MS_MAX)))
      every(meanMs * 6, edit)
      every(meanMs * 15, remove)
      every(meanMs * 2, rate)
    },
    removeMalformedRows() {
      for (const where of malformed.splice(0)) world.removeReview(where)
    },
    fallEverywhere() {
      for (const [key, { micros, count }] of ratings) {
        const [store = 'apple', appId = '', storefront = 'us'] = key.split(' ')
        const app = apps.find((one) => appIdOf(store as Store, one) === appId)
        if (app !== undefined && isStorefront(storefront))
          show(store as Store, app, storefront, micros - 500_000, count + 1)
      }
    },
  }
}
