import type { Feed, FeedSources, FeedView, PollOutcome } from '../../model/feed.ts'
import type { MalformedRow, QuarantinedRow } from '../../model/malformed-row.ts'
import type { Rating } from '../../model/rating.ts'
import type { Release } from '../../model/release.ts'
import type { Review } from '../../model/review.ts'
import type { FeedKind, Store, Storefront } from '../../model/vocabulary.ts'
import type { Instant } from '../../runtime/instant.ts'

/** A leased feed. Writes with a lease that has ended change nothing (fencing). */
export type LeasedFeed = Feed & {
  readonly lease: string
  /** When it was due; the epoch for a new feed. */
  readonly dueAt: Date
  /** Last observed aggregate; null for review feeds and before the first observation. */
  readonly baseline: Rating | null
  /** The creation of the oldest watch that may match its reviews; null without one. */
  readonly forwardFrom: Date | null
}

/** The result of one poll, for the operator. */
export type Poll = {
  readonly feedId: number
  readonly lease: string
  readonly polledAt: Instant
  readonly outcome: PollOutcome
  readonly source: string
  readonly detail: string | null
  /** Raw answer of a changed format, at most 64 KiB; replaces an older one. */
  readonly raw: string | null
}

/** The other findings of a poll of reviews. */
export type SourceFindings = {
  /** The state of the store's sources to store with the feed. */
  readonly sources: FeedSources
  /** Rows to quarantine, including already quarantined ones. */
  readonly malformed: readonly MalformedRow[]
  /** Paging reached every quarantined row of the feed: the next search for them is a day later. */
  readonly searchedAll: boolean
}

/** The part of a quarantined row that paging uses. */
export type KnownMalformedRow = {
  readonly rowKey: string
  readonly rawHash: string
  readonly checkedAt: Date
}

export type KnownReviews = {
  /** Fingerprints seen in this feed before. */
  readonly inFeed: ReadonlySet<string>
  /** Fingerprints not seen in this feed but in another market of the same app. */
  readonly inSiblings: ReadonlySet<string>
  /** The content hashes of those whose text is still stored. */
  readonly contentHashes: ReadonlyMap<string, string>
  /** The creation of the oldest watch for new reviews that may match; null without one. */
  readonly forwardFrom: Date | null
}

export type ReviewsDecision = {
  /** New in this feed; recorded forever. */
  readonly seen: readonly Review[]
  /** Texts to store: new and changed ones. A known fingerprint replaces text, stars, version and shown date. */
  readonly toStore: readonly Review[]
  /** Reviews that become occurrences of type review.created. They are in `toStore` or already stored. */
  readonly occurrences: readonly Review[]
  /**
   * New negative reviews become an occurrence of type reviews.spiked, if a watch has this type. Not at the first poll
   * after a time without polls, whose reviews are history.
   */
  readonly negatives?: { readonly occurrenceId: string; readonly newestAt: Date } | null
  readonly nextPollAt: Instant
  readonly intervalMs: number
  /** The estimated rate of the feed's reviews; null leaves it as it is. */
  readonly reviewsPerDay: number | null
}

export type RatingObservation = Poll & { readonly rating: Rating | null }

type RatingChange = { readonly occurrenceId: string; readonly previous: Rating; readonly current: Rating }

export type RatingDecision = {
  /** Null: unchanged. */
  readonly baseline: Rating | null
  /** A drop becomes an occurrence of type rating.dropped, with `previous` from the feed's own baseline. */
  readonly drop: RatingChange | null
  /** A rise becomes an occurrence of type rating.recovered, if a watch has this type. */
  readonly rise?: RatingChange | null
  readonly nextPollAt: Instant
  readonly intervalMs: number
}

export type EnrichmentRequest = {
  /** The time until which an occurrence waits for its enrichment; `now` or earlier for no wait. */
  readonly readyAt: Instant
  /** Whether to queue stored texts for enrichment. */
  readonly enrich: boolean
}

export type FeedClaim = {
  readonly store: Store
  readonly kind: FeedKind
  readonly now: Instant
  readonly lease: string
  readonly leaseMs: number
  readonly limit: number
  readonly sameMarket: boolean
}

export type FeedStorage = {
  /**
   * Leases due feeds of one store and kind until `now + leaseMs`; no two callers get the same one. Accounts are served in
   * rotation, each with the feed that has been due longest, and new feeds alternate with all others: with N accounts that
   * have due feeds, each has one among any 2 N leased (`fair-picks.ts`). With `sameMarket` all are of one market, that of
   * the account that is served next, so that they can share one request.
   */
  readonly claim: (request: FeedClaim) => Promise<LeasedFeed[]>
  /** Releases leases without a poll: the feeds are due again at their old time. */
  readonly release: (feeds: readonly LeasedFeed[]) => Promise<void>
  /** Which of these fingerprints this feed has seen. One round trip for any number. */
  readonly known: (feedId: number, fingerprints: readonly string[]) => Promise<ReadonlySet<string>>

  /**
   * The commit of detection for reviews: reads the known reviews, calls the synchronous `decide`, writes seen, texts
   * and occurrences, schedules the next poll and releases the lease. Returns `false` and writes nothing when the lease
   * has ended. Quarantines malformed rows up to the limit of the feed, and removes quarantined rows whose review was
   * fetched.
   */
  readonly commitReviews: (
    poll: Poll,
    fetched: readonly Review[],
    pagingIncomplete: boolean,
    enrichment: EnrichmentRequest,
    decide: (known: KnownReviews) => ReviewsDecision,
    sourceFindings?: SourceFindings,
  ) => Promise<boolean>
  /** The same for a batch of ratings. Returns the feed ids that were written; the others' leases have ended. */
  readonly commitRatings: (
    observations: readonly RatingObservation[],
    decide: (observation: RatingObservation, baseline: Rating | null, intervalMs: number) => RatingDecision,
  ) => Promise<ReadonlySet<number>>
  /** A failed poll: counts the failure, stores the raw answer, releases the lease. */
  readonly commitFailures: (polls: readonly (Poll & { readonly nextPollAt: Instant })[]) => Promise<void>

  /**
   * Stores name, developer and icon from a store's answer; the newest answer wins. Keeps each release, with the earliest
   * date that the store has shown for it.
   */
  readonly saveApps: (
    apps: readonly {
      readonly store: Store
      readonly appId: string
      readonly name: string
      readonly developer: string | null
      readonly iconUrl: string | null
      readonly release?: Release | null
    }[],
    now: Instant,
  ) => Promise<void>
  /** Whether the app has neither a stored name nor a rating feed, whose lookups would store it. */
  readonly isNameless: (app: { readonly store: Store; readonly appId: string }) => Promise<boolean>
  /** The names of these apps, by `store/appId`, without apps whose name is unknown. */
  readonly appNames: (
    apps: readonly { readonly store: Store; readonly appId: string }[],
  ) => Promise<ReadonlyMap<string, string>>
  /** For the operator: active feeds, failing ones first, then by id. */
  readonly list: (filter: { readonly failingOnly: boolean; readonly limit: number }) => Promise<FeedView[]>
  /**
   * Active feeds that are overdue by an interval or longer, or whose next poll is later than any rule allows: the
   * count, and `limit` of them, the most overdue first. Without feeds that were never polled.
   */
  readonly overdue: (
    now: Instant,
    limit: number,
  ) => Promise<{ readonly count: number; readonly feeds: readonly FeedView[] }>
  readonly rawAnswer: (feedId: number) => Promise<string | null>
  /** For the operator: active feeds that may be frozen, then those on a fallback, by id. */
  readonly unusual: (filter: { readonly limit: number }) => Promise<FeedView[]>
  /** The quarantined rows of a feed, for paging. */
  readonly knownMalformedRows: (feedId: number) => Promise<readonly KnownMalformedRow[]>
  /** For the operator: quarantined rows, those last seen first. */
  readonly quarantined: (filter: { readonly limit: number }) => Promise<QuarantinedRow[]>
  /**
   * The growth of an app's number of ratings since `since`, in total over these storefronts; null without an
   * observation from before that.
   */
  readonly ratingsGrowth: (
    app: { readonly store: Store; readonly appId: string },
    storefronts: readonly Storefront[],
    since: Date,
  ) => Promise<number | null>
  readonly counts: () => Promise<FeedCount[]>
  /** What the active feeds of a store ask for, to plan its requests. */
  readonly demand: (store: Store) => Promise<FeedDemand>
}

export type FeedDemand = {
  /** How many review feeds have each estimated rate; null for those that no poll has estimated. */
  readonly reviews: readonly { readonly reviewsPerDay: number | null; readonly feeds: number }[]
  /** Polls of single ratings per day at their current intervals. */
  readonly ratingPollsPerDay: number
}

export type FeedCount = {
  readonly store: Store
  readonly kind: FeedKind
  readonly active: number
  readonly failing: number
  readonly due: number
  /** Read from another source than the primary one. */
  readonly fallback: number
  /** Suspected to be frozen. */
  readonly frozen: number
  /** Rows in quarantine, including those of feeds that are no longer polled. */
  readonly quarantined: number
}

/** No poll is scheduled later than twice its interval plus this, the longest wait after a failure or `Retry-After`. */
export const POLL_AHEAD_MS_MAX = 2 * 24 * 3_600_000

/** The rate limit and backoff of a store, one row for all nodes (docs/architecture.md, Rates). */
export type PaceState = {
  /** Theoretical arrival time of the generic cell rate algorithm, ms since the epoch. */
  readonly arrivalAtMs: number
  readonly blockedUntil: Date | null
  /** Blocks in a row; 0 after a good answer. */
  readonly blocks: number
  readonly lastDetail: string | null
}

export type PaceStorage = {
  /**
   * Reads, calls the synchronous `change` with `now` by the clock of the state, writes what it returns; null writes nothing. Returns the
   * state after it.
   */
  readonly change: (
    store: Store,
    now: Instant,
    change: (state: PaceState, now: Instant) => PaceState | null,
  ) => Promise<PaceState>
  readonly get: (store: Store) => Promise<PaceState>
}
