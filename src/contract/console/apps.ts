import type { FeedHealth } from '../../model/feed-health.ts'
import type { Sentiment, Storefront } from '../../model/vocabulary.ts'
import type { TrackedApp } from '../v1/apps.ts'
import type { ReviewRow } from '../v1/reviews.ts'

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

/** `GET /api/console/apps/:store/:app_id?days=7|30|90|365&zone=Europe/Berlin` */
export type AppPage = {
  readonly app: TrackedApp
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
  readonly newestLow: readonly ReviewRow[]
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
