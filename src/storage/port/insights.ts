import type { EnrichmentFailure } from '../../model/enrichment-failure.ts'
import type { FeedView } from '../../model/feed.ts'
import type { Rating } from '../../model/rating.ts'
import type { EnrichedReview } from '../../model/review.ts'
import type { Sentiment, Severity, Store, Storefront, Theme } from '../../model/vocabulary.ts'

/**
 * What people look at. Everything is limited to one account: its own deliveries, and of reviews, ratings and feeds
 * those of the apps and markets that its ticks and watches ask for, though they are stored once for all accounts.
 */
export type InsightsStorage = {
  /** Newest first by publication. Fewer than `limit` only at the end; `next` is null there. */
  readonly reviews: (
    accountId: string,
    filter: ReviewFilter,
    page: { readonly limit: number; readonly before: ReviewCursor | null },
  ) => Promise<ReviewPage>
  readonly review: (accountId: string, fingerprint: string) => Promise<ReviewRecord | null>

  /** Every app the account watches, by store and app id. */
  readonly apps: (accountId: string, now: Date) => Promise<AppInsight[]>
  /** Null when the account does not watch it. Figures cover [since, now). */
  readonly app: (
    accountId: string,
    app: { readonly store: Store; readonly appId: string },
    since: Date,
    now: Date,
  ) => Promise<AppDetail | null>

  /** Figures over [since, now), in buckets of `bucketMs` from `since` on. */
  readonly overview: (accountId: string, since: Date, bucketMs: number, now: Date) => Promise<OverviewFigures>
  /** Over the last 24 hours, by hook; a hook that sent nothing has figures too. */
  readonly hookHealth: (accountId: string, now: Date) => Promise<ReadonlyMap<string, HookFigures>>
  /** Numbers that grow or change when there is something new; cheap enough to ask for every second. */
  readonly marks: (accountId: string, now: Date) => Promise<Marks>
}

/** An absent part lets everything through. */
export type ReviewFilter = {
  readonly store?: Store | undefined
  readonly appId?: string | undefined
  readonly storefront?: Storefront | undefined
  readonly stars?: readonly number[] | undefined
  readonly language?: string | undefined
  readonly sentiment?: Sentiment | undefined
  readonly severity?: Severity | undefined
  readonly theme?: Theme | undefined
  readonly bug?: boolean | undefined
  readonly request?: boolean | undefined
  /** Every word of it stands somewhere in title, text or author, in any case. */
  readonly text?: string | undefined
  /** Published within [since, until). */
  readonly since?: Date | undefined
  readonly until?: Date | undefined
}

/** Where a page ended. */
export type ReviewCursor = { readonly occurredAtMs: number; readonly seq: number }

export type ReviewRecord = EnrichedReview & {
  readonly seq: number
  readonly appName: string | null
  /** The engine that made its enrichment; null without one. */
  readonly enrichedBy: string | null
  /** Why it has none; null when it has one, or none was tried yet. */
  readonly enrichmentFailure: EnrichmentFailure | null
}
export type ReviewPage = { readonly reviews: readonly ReviewRecord[]; readonly next: ReviewCursor | null }

/** Reviews by stars, index 0 is one star. */
export type StarCounts = readonly [number, number, number, number, number]

export type AppInsight = {
  readonly store: Store
  readonly appId: string
  readonly name: string | null
  readonly developer: string | null
  readonly iconUrl: string | null
  readonly ticked: readonly Storefront[]
  /** By the account's watches, beyond those ticked. */
  readonly needed: readonly Storefront[]
  readonly ratings: readonly { readonly storefront: Storefront; readonly rating: Rating }[]
  /** Published in the last 7 days. */
  readonly reviews7d: number
  readonly lastReviewAt: Date | null
  readonly feeds: readonly FeedView[]
  /** Hooks with a watch on it. */
  readonly hooks: number
}

export type RatingPoint = { readonly at: Date; readonly rating: Rating }

export type AppDetail = AppInsight & {
  /** Per storefront, oldest first. */
  readonly history: readonly { readonly storefront: Storefront; readonly points: readonly RatingPoint[] }[]
  /** Days (UTC midnight) that have reviews, oldest first. */
  readonly volume: readonly { readonly day: Date; readonly stars: StarCounts }[]
  /** Days on which a theme was seen, with how often and how often in a negative review. */
  readonly themes: readonly {
    readonly theme: Theme
    readonly day: Date
    readonly count: number
    readonly negative: number
  }[]
  readonly sentiments: Readonly<Partial<Record<Sentiment, number>>>
}

export type OverviewFigures = {
  readonly apps: number
  readonly hooks: number
  readonly reviews: number
  readonly drops: number
  readonly delivered: number
  readonly failedAttempts: number
  /** Deliveries that became dead letters, by their last attempt or without one: expired, or their hook was gone. */
  readonly died: number
  readonly pending: number
  readonly held: number
  readonly dead: number
  /** Of what is pending and not held. */
  readonly oldestDueAt: Date | null
  readonly p95Ms: number | null
  /** One for each bucket. */
  readonly series: readonly {
    readonly at: Date
    readonly reviews: number
    readonly delivered: number
    readonly failed: number
  }[]
  /** Listings whose aggregate changed, largest fall first, at most 20. */
  readonly movements: readonly {
    readonly store: Store
    readonly appId: string
    readonly appName: string | null
    readonly storefront: Storefront
    readonly before: Rating
    readonly now: Rating
  }[]
  /** Those that did not bring anything when they were visited last, at most 100. */
  readonly failingFeeds: readonly (FeedView & { readonly appName: string | null })[]
  /** Something was ever delivered. */
  readonly everDelivered: boolean
}

export type HookFigures = {
  readonly delivered: number
  readonly failedAttempts: number
  /** Deliveries that became dead letters in this time, whatever became of those since. */
  readonly died: number
  readonly pending: number
  readonly dead: number
  /** Of accepted attempts, as precise as storage/latency.ts says; null without any. */
  readonly p50Ms: number | null
  readonly p95Ms: number | null
  readonly lastDeliveredAt: Date | null
  /** While its circuit breaker is open. */
  readonly breakerOpenUntil: Date | null
  /** Oldest first, 24 of them, the last one is the present hour. */
  readonly perHour: readonly { readonly delivered: number; readonly failed: number }[]
}

/** Compared only for being different from the last ones. */
export type Marks = {
  readonly reviews: string
  readonly deliveries: string
  readonly dead: string
  readonly apps: string
  readonly destinations: string
  readonly replays: string
}
