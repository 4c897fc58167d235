import { STOREFRONTS, STORES, type Storefront } from '../model/vocabulary.ts'
import type { LifeApp } from './life-apps.ts'
import type { Random } from './life-random.ts'
import type { World } from './world.ts'

/** Ratings per app, store and storefront: they grow, vary slightly, drop at times, and recover. */
export type LifeRatings = {
  /** Adds a few ratings to a random app and storefront. */
  readonly drift: () => void
  /** The app loses 0.1 to 0.3 stars in every storefront of both stores. */
  readonly fall: (app: LifeApp) => void
}

type Listing = {
  readonly app: LifeApp
  readonly store: (typeof STORES)[number]
  readonly storefront: Storefront
  readonly usual: number
  average: number
  count: number
}

/** Listings that change in one step. */
const DRIFT_LISTINGS = 24
/** The share of a drop that recovers in one step: faster than drops come, so that ratings can always drop again. */
const RECOVERY_SHARE = 0.2
const AVERAGE_MIN = 1.5
const AVERAGE_MAX = 4.95

export function createLifeRatings(
  world: World,
  random: Random,
  apps: readonly LifeApp[],
  weightOf: (storefront: Storefront) => number,
): LifeRatings {
  const listings = apps.flatMap((app) =>
    STORES.flatMap((store) =>
      STOREFRONTS.map((storefront): Listing => {
        const usual = app.usualAverage + random.between(-0.2, 0.2)
        const count = Math.round(weightOf(storefront) * random.between(400, 4000))
        return { app, store, storefront, usual, average: usual, count }
      }),
    ),
  )
  const show = (listing: Listing) => {
    listing.average = Math.min(Math.max(listing.average, AVERAGE_MIN), AVERAGE_MAX)
    const { app, store, storefront, average, count } = listing
    // Apple prints five decimals, Google all digits of its number (seen 2026-07).
    const printed = store === 'apple' ? String(Number(average.toFixed(5))) : String(average)
    world.setRating({ store, appId: app.appIds[store], storefront }, { average: printed, count })
  }
  listings.forEach(show)

  return {
    drift: () => {
      for (const listing of random.shuffled(listings).slice(0, DRIFT_LISTINGS)) {
        listing.count += Math.ceil(random.between(0, 8))
        listing.average +=
          (listing.usual - listing.average) * RECOVERY_SHARE + random.between(-0.000_4, 0.000_6)
        show(listing)
      }
    },
    fall: (app) => {
      for (const listing of listings.filter((one) => one.app === app)) {
        listing.count += Math.ceil(random.between(20, 200))
        listing.average -= random.between(0.1, 0.3)
        show(listing)
      }
    },
  }
}
