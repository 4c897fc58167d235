import { ratingMicros } from '../model/decimal.ts'
import type { Rating } from '../model/rating.ts'
import type { StoreReview } from '../model/review.ts'
import type { FeedKind, Store } from '../model/vocabulary.ts'
import { releasesOf, SIMULATED_APPS } from './simulated-apps.ts'
import type { World } from './world.ts'

/** What the simulated stores showed before the simulation began, from what they show now. */

const DAY_MS = 24 * 3_600_000

/** Falls of the rating of each app in all storefronts; it is back after some days. */
const FALLS = [
  { app: 0, daysAgo: 24, micros: 90_000, backDays: 6 },
  { app: 0, daysAgo: 10.5, micros: 170_000, backDays: 8 },
  { app: 1, daysAgo: 17, micros: 60_000, backDays: 3 },
  { app: 2, daysAgo: 4, micros: 110_000, backDays: 9 },
] as const
/** The share of all ratings that a day adds. */
const GROWTH_PER_DAY = 0.002
/** How much a rating varies. */
const NOISE_MICROS = 4_000
/** One feed changed its format some days ago and stays unreadable. */
const BROKEN = { app: 1, store: 'google', market: 'ja', daysAgo: 2 } as const

type PastFeed = {
  readonly kind: FeedKind
  readonly store: Store
  readonly appId: string
  readonly market: string
}

export function createPastStores(world: World, now: Date) {
  const daysBefore = (at: Date) => (now.getTime() - at.getTime()) / DAY_MS
  const indexOf = ({ store, appId }: PastFeed) =>
    SIMULATED_APPS.findIndex(({ appIds }) => appIds[store] === appId)
  return {
    releases: SIMULATED_APPS.flatMap((app) =>
      (['apple', 'google'] as const).flatMap((store) =>
        releasesOf(app, now).map((release) => ({
          ...release,
          store,
          appId: app.appIds[store],
          name: app.name,
          developer: app.developer,
        })),
      ),
    ),
    reviews: (feed: PastFeed): StoreReview[] =>
      feed.kind === 'rating'
        ? []
        : world.reviews(feed).map(({ id, version, publishedAt, rating, title, body, author }) => ({
            ...{ rating, title, body, author },
            reviewId: id,
            appVersion: version,
            shownAt: publishedAt,
            edited: false,
          })),
    rating: (feed: PastFeed, at: Date): Rating | null => {
      const shown = world.rating({ ...feed, storefront: feed.market })
      const present = shown === null ? null : ratingMicros(shown.average)
      if (shown === null || present === null) return null
      const days = daysBefore(at)
      const lost = FALLS.filter(({ app }) => app === indexOf(feed)).map(({ daysAgo, micros, backDays }) =>
        days > daysAgo ? 0 : micros * Math.max(0, 1 - (daysAgo - days) / backDays),
      )
      const noise = NOISE_MICROS * Math.sin(shown.count + days * 7)
      const micros = present - lost.reduce((sum, each) => sum + each, 0) + noise
      return {
        micros: Math.round(Math.min(Math.max(micros, 1_000_000), 5_000_000)),
        count: Math.max(1, Math.round(shown.count * (1 - GROWTH_PER_DAY * days))),
      }
    },
    problem: ({ kind, store, market, ...feed }: PastFeed, at: Date): string | null => {
      const isBroken = kind === 'reviews' && store === BROKEN.store && market === BROKEN.market
      return isBroken &&
        indexOf({ kind, store, market, ...feed }) === BROKEN.app &&
        daysBefore(at) < BROKEN.daysAgo
        ? "The format of Google Play's response changed: a review has no id at [0]."
        : null
    },
  }
}
