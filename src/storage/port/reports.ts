import type { Buckets } from '../../model/days.ts'
import type { EnrichmentFailure } from '../../model/enrichment-failure.ts'
import type { FeedView } from '../../model/feed.ts'
import type { FeedHealth } from '../../model/feed-health.ts'
import type { AppKey, HookName } from '../../model/hook.ts'
import type { Rating } from '../../model/rating.ts'
import type { Release } from '../../model/release.ts'
import type { AnswerState } from '../../model/reply.ts'
import type { EnrichedReview, PublicReply } from '../../model/review.ts'
import type { ReviewSourceName } from '../../model/review-source.ts'
import type { NegativeReviews } from '../../model/review-spike.ts'
import type { Triage, TriageStatus } from '../../model/triage.ts'
import type { Sentiment, Severity, Store, Storefront, Theme } from '../../model/vocabulary.ts'
import type { Instant } from '../../runtime/instant.ts'

/**
 * The queries of the console. Each is limited to one account: its own deliveries, and the reviews, ratings and feeds of
 * the apps and markets that it tracks or watches, although these are stored once for all accounts.
 */
export type ReportStorage = {
  /** Newest first by publication. Fewer than `limit` only at the end; `next` is null there. */
  readonly reviews: (
    accountId: string,
    filter: ReviewFilter,
    page: { readonly limit: number; readonly before: ReviewCursor | null },
  ) => Promise<ReviewPage>
  /** The number of matches, counted up to `max`. */
  readonly countReviews: (accountId: string, filter: ReviewFilter, max: number) => Promise<number>
  /**
   * Reviews since `since` that the account can answer through a store connection and that are in `TO_ANSWER_STATES`: fewest stars first,
   * then newest. At most `limit`.
   */
  readonly toAnswer: (accountId: string, since: Date, limit: number) => Promise<ReviewRecord[]>
  /** Their number, counted up to `max`. */
  readonly countToAnswer: (accountId: string, since: Date, max: number) => Promise<number>
  readonly review: (accountId: string, fingerprint: string) => Promise<ReviewRecord | null>
  /** Those of the reviews that the account sees, in no order. */
  readonly reviewsOf: (accountId: string, fingerprints: readonly string[]) => Promise<ReviewRecord[]>

  /** Every app of the account, by store and app id. */
  readonly apps: (accountId: string, now: Instant) => Promise<AppReport[]>
  /** Null when the account does not track or watch it. */
  readonly app: (
    accountId: string,
    app: { readonly store: Store; readonly appId: string },
    range: AppRange,
    now: Instant,
  ) => Promise<AppDetail | null>
  /** The ratings per storefront of each of the apps, in their order; empty for one that the account does not track or watch. */
  readonly ratingHistories: (
    accountId: string,
    apps: readonly AppKey[],
    since: Date,
  ) => Promise<readonly RatingHistory[]>

  /**
   * The negative reviews of each of the apps, in their order, in the markets of the account, as fan-out reads them for spikes, of the
   * last `recentMs`; without markets for an app that the account does not track or watch.
   */
  readonly negativeReviews: (
    accountId: string,
    apps: readonly AppKey[],
    period: { readonly at: Date; readonly recentMs: number },
  ) => Promise<readonly NegativeReviews[]>

  /** Figures for the buckets until `now`. Hours of deliveries belong to the bucket in which they begin. */
  readonly overview: (accountId: string, buckets: Buckets, now: Instant) => Promise<OverviewFigures>
  /** What fails at present. */
  readonly failures: (accountId: string) => Promise<AccountFailures>
  /** Figures of the last 24 hours by hook, including hooks without deliveries. */
  readonly hookHealth: (accountId: string, now: Instant) => Promise<ReadonlyMap<string, HookFigures>>
  /** Values that change when there is new data, fast enough to read every second. */
  readonly marks: (accountId: string, now: Instant) => Promise<Marks>
}

/** An absent part does not filter. */
export type ReviewFilter = {
  readonly store?: Store | undefined
  readonly appId?: string | undefined
  /** Of any of these; for Google, of their languages. */
  readonly storefronts?: readonly Storefront[] | undefined
  readonly stars?: readonly number[] | undefined
  readonly language?: string | undefined
  readonly sentiment?: Sentiment | undefined
  readonly severity?: Severity | undefined
  readonly theme?: Theme | undefined
  readonly bug?: boolean | undefined
  readonly request?: boolean | undefined
  /** A version of the app. */
  readonly version?: string | undefined
  /** The slug of a feature request. */
  readonly feature?: string | undefined
  /** In the account that asks, like the next two. */
  readonly status?: TriageStatus | undefined
  /** A user; null: nobody. */
  readonly assignee?: string | null | undefined
  /** Normalized. */
  readonly tag?: string | undefined
  /** Of the account's answers. */
  readonly answer?: AnswerState | undefined
  /** Each of its words must occur in title, text, author, English summary or requested feature, ignoring case. */
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
  /** The account imported it; other accounts do not see it. */
  readonly isImported: boolean
  readonly source: ReviewSourceName
  /** The answer that the public page showed last; null without one, and when no source of the page shows answers. */
  readonly publicReply: PublicReply | null
  /** Of the account's answer, or of the public one. */
  readonly answerState: AnswerState
  /** The engine of its enrichment; null without one. */
  readonly enrichedBy: string | null
  /** Why it has no enrichment; null with one and before the first try. */
  readonly enrichmentFailure: EnrichmentFailure | null
  /** In the account that asks. */
  readonly triage: Triage
}
export type ReviewPage = { readonly reviews: readonly ReviewRecord[]; readonly next: ReviewCursor | null }

/** Reviews by stars, index 0 is one star. */
export type StarCounts = readonly [number, number, number, number, number]

export type AppReport = {
  readonly store: Store
  readonly appId: string
  readonly name: string | null
  readonly developer: string | null
  readonly iconUrl: string | null
  readonly ticked: readonly Storefront[]
  /** Of the account's watches, tracked or not. */
  readonly needed: readonly Storefront[]
  /** Of the watches that remain when the account stops tracking the app: all but those of sets of all apps. */
  readonly kept: readonly Storefront[]
  readonly ratings: readonly { readonly storefront: Storefront; readonly rating: Rating }[]
  /** Published in the last 7 days. */
  readonly reviews7d: number
  readonly lastReviewAt: Date | null
  readonly feeds: readonly FeedView[]
  /** Hooks with a watch on it. */
  readonly hooks: number
  /** How many watches and watch sets name the app, by the source of their hook. */
  readonly namedBy: readonly { readonly source: string; readonly rules: number }[]
}

export type RatingPoint = { readonly at: Date; readonly rating: Rating }

/** A rating drop that is large (model/rating.ts) or matches a watch of the account. */
export type RatingDrop = {
  readonly store: Store
  readonly appId: string
  readonly storefront: Storefront
  readonly at: Date
  readonly before: Rating
  readonly now: Rating
}

export type RatingDrops<Further = unknown> = {
  readonly total: number
  /** Newest first, at most 100. */
  readonly newest: readonly (RatingDrop & Further)[]
}

/** Per storefront, oldest first, including the last one before the range as its start. */
export type RatingHistory = readonly {
  readonly storefront: Storefront
  readonly points: readonly RatingPoint[]
}[]

export type AppRange = {
  /** Until now. */
  readonly days: Buckets
  /** The beginning of the period for comparison, which is as long as these days so far. */
  readonly before: Date
}

export type SentimentCounts = Readonly<Partial<Record<Sentiment, number>>>

/** Counts of a group of reviews. */
export type ReviewTally = {
  readonly count: number
  readonly starsSum: number
  /** With one or two stars. */
  readonly low: number
}

export type AppDetail = AppReport & {
  readonly history: RatingHistory
  readonly drops: RatingDrops
  readonly days: readonly {
    readonly at: Date
    readonly stars: StarCounts
    readonly sentiments: SentimentCounts
  }[]
  readonly before: { readonly from: Date; readonly until: Date; readonly stars: StarCounts }
  /** Releases in the range, oldest first, at most 100. */
  readonly releases: readonly Release[]
  /** Those seen in either period, most frequent first. */
  readonly themes: readonly {
    readonly theme: Theme
    readonly count: number
    /** In negative reviews. */
    readonly negative: number
    /** One value for each part of the range: a day for up to a month, otherwise several days. */
    readonly trend: readonly number[]
    /** In the period before. */
    readonly before: number
  }[]
  /** Most frequent first, at most 50. `firstAt` includes both periods. Null: the store returned no version. */
  readonly versions: readonly (ReviewTally & { readonly version: string | null; readonly firstAt: Date })[]
  /** Most reviews first. */
  readonly markets: readonly (ReviewTally & { readonly market: string })[]
  /** Most frequent first, at most 20. */
  readonly requests: readonly { readonly slug: string; readonly count: number; readonly before: number }[]
}

export type OverviewFigures = {
  readonly apps: number
  readonly hooks: number
  readonly reviews: number
  readonly drops: RatingDrops<{ readonly appName: string | null }>
  readonly delivered: number
  readonly failedAttempts: number
  /** Deliveries that became dead letters, after their last attempt, by expiry, or because their hook was gone. */
  readonly died: number
  readonly pending: number
  /** The pending ones of failing hooks. */
  readonly late: number
  readonly held: number
  readonly dead: number
  /** Of pending deliveries of active hooks. */
  readonly oldestDueAt: Date | null
  readonly p95Ms: number | null
  /** One for each bucket. */
  readonly series: readonly {
    readonly at: Date
    readonly reviews: number
    readonly delivered: number
    readonly failed: number
  }[]
  /** Listings whose rating changed, largest drop first, at most 20. */
  readonly movements: readonly {
    readonly store: Store
    readonly appId: string
    readonly appName: string | null
    readonly storefront: Storefront
    readonly before: Rating
    readonly now: Rating
  }[]
  /** Whether any event was ever delivered. */
  readonly everDelivered: boolean
}

/** How many apps have a failing feed. */
export type FailingApps = { readonly store: Store; readonly health: FeedHealth; readonly apps: number }

export type AccountFailures = {
  readonly hooks: FailingHooks
  /** Whose last poll failed, at most 100 of each store and health, failing longest first. */
  readonly feeds: readonly (FeedView & { readonly appName: string | null })[]
  /** All apps with such a feed. */
  readonly failingApps: readonly FailingApps[]
  /** The number of dead letters. */
  readonly dead: number
  /** Paused e-mail destinations with recipients who get no mails, oldest first, at most 100. */
  readonly pausedMails: readonly { readonly id: string; readonly pending: number }[]
}

/** Active hooks whose last attempts failed (HookFigures, failingSince). */
export type FailingHooks = {
  readonly total: number
  /** Failing longest first, at most 10. */
  readonly longest: readonly (HookName & {
    readonly id: string
    readonly failingSince: Date
    readonly pending: number
  })[]
}

export type HookFigures = {
  readonly delivered: number
  readonly failedAttempts: number
  /** Deliveries that became dead letters in this time, with any current state. */
  readonly died: number
  readonly pending: number
  /** The pending ones while the hook is failing, else 0. */
  readonly late: number
  readonly dead: number
  /** Of accepted attempts, with the precision of tables/queue/latency.ts; null without any. */
  readonly p50Ms: number | null
  readonly p95Ms: number | null
  /**
   * The last accepted delivery, if it is among the newest 20 or the 20 before the first pending one. Else the start of the last hour of
   * this time with an accepted delivery; null without one.
   */
  readonly lastDeliveredAt: Date | null
  /** While its circuit breaker is open. */
  readonly breakerOpenUntil: Date | null
  /** The last `failing` notice, unless a `recovered` one came later. */
  readonly failingSince: Date | null
  /** The last 24 hours, oldest first, including the current hour. */
  readonly perHour: readonly { readonly delivered: number; readonly failed: number }[]
}

/** Values that are only compared for equality. */
export type Marks = {
  readonly reviews: string
  readonly deliveries: string
  readonly dead: string
  readonly apps: string
  readonly destinations: string
  readonly replays: string
}
