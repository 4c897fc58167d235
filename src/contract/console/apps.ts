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
/** One answer per store that was searched; a store that failed has a sentence with the reason. */
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

export const FEED_HEALTHS = ['waiting', 'well', 'stale', 'blocked', 'gone', 'changed'] as const
export type FeedHealth = (typeof FEED_HEALTHS)[number]

export type FeedLine = {
  readonly kind: 'reviews' | 'rating'
  /** Storefront, or language for Google reviews. */
  readonly market: string
  readonly health: FeedHealth
  /** The reason for its state, as a sentence. */
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

/** `GET /api/console/apps` */
export type AppLine = {
  readonly store: Store
  readonly appId: string
  readonly name: string | null
  readonly developer: string | null
  readonly iconUrl: string | null
  /** Tracked in the console. */
  readonly storefronts: readonly Storefront[]
  /** Polled because a subscription needs them, beyond those tracked. */
  readonly neededStorefronts: readonly Storefront[]
  readonly ratings: readonly {
    readonly storefront: Storefront
    readonly rating: number
    readonly count: number
  }[]
  readonly reviews7d: number
  readonly lastReviewAt: string | null
  /** The worst of its feeds. */
  readonly health: FeedHealth
  readonly destinations: number
}

/** `GET /api/console/apps/:store/:appId?days=7|30|90|365&zone=Europe/Berlin` */
export type AppPage = AppLine & {
  /** The end of the last day so far. */
  readonly until: string
  readonly feeds: readonly FeedLine[]
  /** Per storefront, each change of the aggregate, oldest first. */
  readonly ratingHistory: readonly {
    readonly storefront: Storefront
    readonly points: readonly {
      readonly at: string
      readonly rating: number
      readonly count: number
    }[]
  }[]
  /** Falls of at least 0.05, or that a subscription matches, newest first. */
  readonly drops: readonly RatingDropLine[]
  /** Oldest first, every day of the range, in the zone of the request. */
  readonly days: readonly {
    /** When it begins. */
    readonly at: string
    readonly stars: StarCounts
    /** Of enriched reviews. */
    readonly sentiments: Readonly<Partial<Record<Sentiment, number>>>
  }[]
  /** The same length of time before the range, until the same time of day. */
  readonly before: { readonly from: string; readonly until: string; readonly stars: StarCounts }
  /** Seen in the range or in the time before it, most frequent first; empty while enrichment is off. */
  readonly themes: readonly {
    readonly theme: string
    readonly count: number
    readonly negative: number
    /** Mentions over the range in equal parts, at most 31: days up to a month, then several days each. */
    readonly trend: readonly number[]
    readonly before: number
  }[]
  /** Most reviews first; `firstSeenAt` is that of the first review of the version in the range or the time before it. */
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

/** Reviews per stars, index 0 is one star. */
export type StarCounts = readonly [number, number, number, number, number]

export type ReviewTally = {
  readonly count: number
  /** Of the stars. */
  readonly average: number
  /** With one or two stars. */
  readonly low: number
}
