import { z } from 'zod'
import { type Sentiment, STOREFRONTS, STORES, type Store, type Storefront } from '../../model/vocabulary.ts'
import type { ReviewLine } from './reviews.ts'

/** `GET /api/console/apps/find?text=…&store=…&storefront=…`: a name, a store link, an id or a package name. */
export const FindAppQuery = z.object({
  text: z
    .string({ error: 'text: is required' })
    .trim()
    .min(1, 'text: is required')
    .max(300, 'text: at most 300 characters'),
  store: z.enum(STORES, { error: 'store: apple or google' }).optional(),
  storefront: z.enum(STOREFRONTS, { error: `storefront: one of ${STOREFRONTS.join(', ')}` }).default('us'),
})
export type FoundApp = {
  readonly store: Store
  readonly appId: string
  readonly name: string
  readonly developer: string | null
  readonly iconUrl: string | null
  readonly rating: number | null
  readonly ratingCount: number | null
}
/** The apps found. `problems` has an error message for each store that failed. */
export type FoundApps = {
  readonly apps: readonly FoundApp[]
  readonly problems: readonly { readonly store: Store; readonly message: string }[]
}

/** `PUT /api/console/apps/:store/:appId`: replaces the tracked storefronts; an empty list stops tracking. */
export const TrackBody = z.object({
  storefronts: z
    .array(z.enum(STOREFRONTS, { error: `storefronts: each one of ${STOREFRONTS.join(', ')}` }))
    .max(STOREFRONTS.length),
})

/** `unrated`: the store answers, but shows no rating of the app yet. */
export const FEED_HEALTHS = ['waiting', 'well', 'unrated', 'stale', 'blocked', 'gone', 'changed'] as const
export type FeedHealth = (typeof FEED_HEALTHS)[number]

export type FeedLine = {
  readonly kind: 'reviews' | 'rating'
  /** Storefront, or language for Google reviews. */
  readonly market: string
  readonly health: FeedHealth
  /** The reason for `health`, as a sentence. */
  readonly reason: string | null
  readonly source: string | null
  readonly lastOkAt: string | null
  readonly nextPollAt: string | null
}

export type RatingDropLine = {
  readonly storefront: Storefront
  readonly at: string
  readonly before: number
  readonly now: number
}

export type ReleaseLine = {
  /** Null: the store shows no version. */
  readonly version: string | null
  readonly at: string
}

/** `GET /api/console/apps` */
export type AppLine = {
  readonly store: Store
  readonly appId: string
  readonly name: string | null
  readonly developer: string | null
  readonly iconUrl: string | null
  /** Tracked in the console. */
  readonly storefronts: readonly Storefront[]
  /** Storefronts that are polled only because a subscription needs them. */
  readonly neededStorefronts: readonly Storefront[]
  readonly ratings: readonly {
    readonly storefront: Storefront
    readonly rating: number
    readonly count: number
  }[]
  readonly reviews7d: number
  readonly lastReviewAt: string | null
  /** The health of its worst feed. */
  readonly health: FeedHealth
  readonly destinations: number
}

/** `GET /api/console/apps/:store/:appId?days=7|30|90|365&zone=Europe/Berlin` */
export type AppPage = AppLine & {
  /** The end of the range, which is the time of the request. */
  readonly until: string
  readonly feeds: readonly FeedLine[]
  /** The changes of the aggregate rating per storefront, oldest first. */
  readonly ratingHistory: readonly {
    readonly storefront: Storefront
    readonly points: readonly {
      readonly at: string
      readonly rating: number
      readonly count: number
    }[]
  }[]
  /** Drops of at least 0.05 or that match a subscription, newest first. */
  readonly drops: readonly RatingDropLine[]
  /** Every day of the range in the time zone of the request, oldest first. */
  readonly days: readonly {
    /** The start of the day. */
    readonly at: string
    readonly stars: StarCounts
    /** Sentiments of the enriched reviews. */
    readonly sentiments: Readonly<Partial<Record<Sentiment, number>>>
  }[]
  /** The previous period of the same length. */
  readonly before: { readonly from: string; readonly until: string; readonly stars: StarCounts }
  /** Releases in the range whose dates the store has shown, oldest first. */
  readonly releases: readonly ReleaseLine[]
  /** Themes of the range and the previous period, most frequent first; empty while enrichment is off. */
  readonly themes: readonly {
    readonly theme: string
    readonly count: number
    readonly negative: number
    /** Mentions in at most 31 equal parts of the range: days up to a month, else several days each. */
    readonly trend: readonly number[]
    readonly before: number
  }[]
  /** Most reviews first. `firstSeenAt` is the time of the version's first review in the range or the previous period. */
  readonly versions: readonly (ReviewTally & {
    readonly version: string | null
    readonly firstSeenAt: string
  })[]
  /** Storefronts, or languages for Google; most reviews first. */
  readonly markets: readonly (ReviewTally & { readonly market: string })[]
  /** Most frequent first. */
  readonly requests: readonly { readonly slug: string; readonly count: number; readonly before: number }[]
  /** The newest reviews of the range with one or two stars. */
  readonly newestLow: readonly ReviewLine[]
}

/** Reviews by stars; index 0 is one star. */
export type StarCounts = readonly [number, number, number, number, number]

export type ReviewTally = {
  readonly count: number
  /** The average of the stars. */
  readonly average: number
  /** Reviews with one or two stars. */
  readonly low: number
}

/** `GET /api/console/apps/:store/:appId/atom-feeds`, newest first. */
export type AtomFeedLine = { readonly id: string; readonly createdAt: string }
/** `POST` of the same. Only this response has the address. */
export type CreatedAtomFeed = AtomFeedLine & { readonly url: string }
