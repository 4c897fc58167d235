import type { Rating } from '../../model/rating.ts'
import type { Sentiment, Store, Storefront, Theme } from '../../model/vocabulary.ts'

/**
 * Figures over time. Like the reports, they are limited to the apps and markets that an account tracks or watches.
 * Periods are [since, until).
 */
export type StatisticsStorage = {
  /** Observed ratings of an app, newest first. Null when the account does not track or watch it. */
  readonly ratings: (
    accountId: string,
    app: { readonly store: Store; readonly appId: string },
    filter: {
      readonly storefront?: Storefront | undefined
      readonly since?: Date | undefined
      readonly until?: Date | undefined
    },
    page: { readonly limit: number; readonly before: RatingCursor | null },
  ) => Promise<RatingPage | null>
  /** The number of reviews for each combination of values, by day of publication. */
  readonly reviewCounts: (accountId: string, filter: CountFilter) => Promise<ReviewCount[]>
  /** The features that reviews request, most frequent first. */
  readonly requestedFeatures: (
    accountId: string,
    filter: CountFilter,
    limit: number,
  ) => Promise<RequestedFeature[]>
  /** The versions that reviews name, the one with the newest review first. */
  readonly reviewedVersions: (
    accountId: string,
    filter: CountFilter,
    limit: number,
  ) => Promise<ReviewedVersion[]>
}

export type CountFilter = {
  readonly store?: Store | undefined
  readonly appId?: string | undefined
  readonly storefront?: Storefront | undefined
  /** A version of the app. */
  readonly version?: string | undefined
  readonly since: Date
  readonly until: Date
}

/** Where a page ended. */
export type RatingCursor = { readonly observedAtMs: number; readonly feedId: number }

export type ObservedRating = {
  readonly storefront: Storefront
  readonly observedAt: Date
  readonly rating: Rating
}
export type RatingPage = { readonly ratings: readonly ObservedRating[]; readonly next: RatingCursor | null }

export type ReviewCount = {
  /** UTC midnight. */
  readonly day: Date
  readonly stars: number
  /** Null without an enrichment, like the flags. */
  readonly sentiment: Sentiment | null
  readonly themes: readonly Theme[]
  readonly isBugReport: boolean | null
  readonly isFeatureRequest: boolean | null
  readonly count: number
}

export type RequestedFeature = {
  readonly slug: string
  /** From the newest of the reviews. */
  readonly phrase: string | null
  readonly count: number
  readonly lastAt: Date
  /** Days (UTC midnight) with requests, oldest first. */
  readonly days: readonly { readonly day: Date; readonly count: number }[]
}

export type ReviewedVersion = {
  readonly version: string
  readonly count: number
  readonly firstAt: Date
  readonly lastAt: Date
}
