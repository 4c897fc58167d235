import { STOREFRONTS, STORES, type Storefront } from '../model/vocabulary.ts'
import type { Random } from './random.ts'
import type { SimulatedApp } from './simulated-apps.ts'
import type { World } from './world.ts'

export type ActivityRatings = ReturnType<typeof createActivityRatings>

type Listing = {
  readonly app: SimulatedApp
  readonly store: (typeof STORES)[number]
  readonly storefront: Storefront
  readonly usual: number
  average: number
  count: number
}

/** Number of listings that change in one step. */
const DRIFT_LISTINGS = 24
/** The share of a drop that recovers in one step. Recovery is faster than the drops, so that ratings can always drop again. */
const RECOVERY_SHARE = 0.2
const AVERAGE_MIN = 1.5
const AVERAGE_MAX = 4.95

/** Ratings per app, store and storefront. They grow, vary slightly, sometimes drop, and recover. */
export function createActivityRatings(
  world: World,
  random: Random,
  apps: readonly SimulatedApp[],
  weightOf: (storefront: Storefront) => number,
) {
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
    // Apple shows five decimals, Google all digits of its number (seen 2026-07).
    const printed = store === 'apple' ? String(Number(average.toFixed(5))) : String(average)
    world.setRating({ store, appId: app.appIds[store], storefront }, { average: printed, count })
  }
  listings.forEach(show)

  return {
    /** Adds a few ratings to a random app and storefront. */
    drift: (): void => {
      for (const listing of random.shuffled(listings).slice(0, DRIFT_LISTINGS)) {
        listing.count += Math.ceil(random.between(0, 8))
        listing.average +=
          (listing.usual - listing.average) * RECOVERY_SHARE + random.between(-0.000_4, 0.000_6)
        show(listing)
      }
    },
    /** Lowers the app's rating by 0.1 to 0.3 stars in every storefront of both stores. */
    drop: (app: SimulatedApp): void => {
      for (const listing of listings.filter((one) => one.app === app)) {
        listing.count += Math.ceil(random.between(20, 200))
        listing.average -= random.between(0.1, 0.3)
        show(listing)
      }
    },
  }
}
