import type { Feed, FeedSources, FeedView, PollOutcome } from '../../model/feed.ts'
import type { OddRow, QuarantinedRow } from '../../model/odd-row.ts'
import type { Rating } from '../../model/rating.ts'
import type { Review } from '../../model/review.ts'
import type { FeedKind, Store, Storefront } from '../../model/vocabulary.ts'

/** A feed we hold the lease of. Writes with a lease that is no longer ours change nothing (fencing). */
export type LeasedFeed = Feed & {
  readonly lease: string
  /** When it was due; for a new feed the epoch. */
  readonly dueAt: Date
  /** Last observed aggregate; null for review feeds and before the first observation. */
  readonly baseline: Rating | null
  /** Creation of the oldest watch that could want its reviews; null when there is none. */
  readonly forwardFrom: Date | null
}

/** What one visit told, for the operator, whatever it moved. */
export type Visit = {
  readonly feedId: number
  readonly lease: string
  readonly polledAt: Date
  readonly outcome: PollOutcome
  readonly source: string
  readonly detail: string | null
  /** Raw answer of a changed shape, at most 64 KiB; replaces an older one. */
  readonly raw: string | null
}

/** The other findings of a poll of reviews. */
export type Sightings = {
  /** What the feed remembers of its store's sources from now on. */
  readonly sources: FeedSources
  /** Rows to quarantine, those that are quarantined already too. */
  readonly odd: readonly OddRow[]
  /** The walk went as deep as every quarantined row of the feed: none of them needs to be looked for again soon. */
  readonly lookedForAll: boolean
}

/** A quarantined row as a walk needs to know it. */
export type KnownOddRow = { readonly rowKey: string; readonly rawHash: string; readonly checkedAt: Date }

export type KnownReviews = {
  /** Fingerprints seen in this feed before. */
  readonly inFeed: ReadonlySet<string>
  /** Fingerprints not seen in this feed but in another market of the same app. */
  readonly inSiblings: ReadonlySet<string>
  /** Content hash of those whose text we still hold. */
  readonly contentHashes: ReadonlyMap<string, string>
  /** As in LeasedFeed, read inside the commit. */
  readonly forwardFrom: Date | null
}

export type ReviewsDecision = {
  /** New in this feed; recorded forever. */
  readonly seen: readonly Review[]
  /** Texts to keep: new ones and changed ones (same fingerprint replaces text, stars, version and shown date). */
  readonly keep: readonly Review[]
  /** Become occurrences of type review.created. Their reviews are among `keep` or are held already. */
  readonly occurrences: readonly Review[]
  readonly nextPollAt: Date
  readonly intervalMs: number
}

export type RatingObservation = Visit & { readonly rating: Rating | null }

export type RatingDecision = {
  /** Null leaves the baseline as it is. */
  readonly baseline: Rating | null
  /** A fall becomes an occurrence of type rating.dropped, with `previous` from the feed's own baseline. */
  readonly drop: { readonly occurrenceId: string; readonly previous: Rating; readonly current: Rating } | null
  readonly nextPollAt: Date
  readonly intervalMs: number
}

export type EnrichmentWish = {
  /** Until when an occurrence waits for its enrichment; `now` or earlier when there is none. */
  readonly readyAt: Date
  /** Whether kept texts queue for enrichment at all. */
  readonly enrich: boolean
}

export type FeedClaim = {
  readonly store: Store
  readonly kind: FeedKind
  readonly now: Date
  readonly lease: string
  readonly leaseMs: number
  readonly limit: number
  readonly sameMarket: boolean
}

export type FeedStorage = {
  /**
   * Leases due feeds of one store and kind until `now + leaseMs`; no two callers get the same one. Accounts are served in
   * turn, each with the feed that has been due longest, and feeds not polled yet in turn with all others: with N accounts
   * that have due feeds, each gets one into any 2 N leased (`fair-picks.ts`). With `sameMarket` all are of one market, that
   * of the account that is served next, so that they can share one request.
   */
  readonly claim: (request: FeedClaim) => Promise<LeasedFeed[]>
  /** Gives leases back as they were: the feeds are due again at their old time. */
  readonly release: (feeds: readonly LeasedFeed[]) => Promise<void>
  /** Which of these fingerprints this feed has seen. One round trip, whatever their number. */
  readonly known: (feedId: number, fingerprints: readonly string[]) => Promise<ReadonlySet<string>>

  /**
   * The commit of detection for reviews: reads what is known, calls the synchronous `decide`, writes seen, texts and
   * occurrences, moves the feed and releases its lease. `false`, and nothing written, when the lease is not ours.
   * Odd rows go into quarantine, as long as the feed has room there; a quarantined row whose review was fetched leaves it.
   */
  readonly commitReviews: (
    visit: Visit,
    fetched: readonly Review[],
    walkIncomplete: boolean,
    wish: EnrichmentWish,
    decide: (known: KnownReviews) => ReviewsDecision,
    sightings?: Sightings,
  ) => Promise<boolean>
  /** The same for a batch of ratings. Returns the feed ids that were written; the others' leases are not ours. */
  readonly commitRatings: (
    observations: readonly RatingObservation[],
    decide: (observation: RatingObservation, baseline: Rating | null, intervalMs: number) => RatingDecision,
  ) => Promise<ReadonlySet<number>>
  /** A visit that moved no state: counts a failure, keeps the raw answer, releases the lease. */
  readonly commitTrouble: (visits: readonly (Visit & { readonly nextPollAt: Date })[]) => Promise<void>

  /** Name, developer and icon as a store told them; the newest wins. */
  readonly saveApps: (
    apps: readonly {
      readonly store: Store
      readonly appId: string
      readonly name: string
      readonly developer: string | null
      readonly iconUrl: string | null
    }[],
    now: Date,
  ) => Promise<void>
  /** Whether nothing was told of the app yet, and it has no rating feed whose look-ups will tell. */
  readonly isNameless: (app: { readonly store: Store; readonly appId: string }) => Promise<boolean>
  /** For the operator: active feeds, failing ones first, then by id. */
  readonly list: (filter: { readonly failingOnly: boolean; readonly limit: number }) => Promise<FeedView[]>
  /**
   * Active feeds that should have been polled an interval ago or more, so twice their interval after the last time, or whose next
   * poll lies further ahead than any rule puts it: how many, and `limit` of them, the most overdue first. Feeds that were
   * never polled are not among them.
   */
  readonly overdue: (
    now: Date,
    limit: number,
  ) => Promise<{ readonly count: number; readonly feeds: readonly FeedView[] }>
  readonly rawAnswer: (feedId: number) => Promise<string | null>
  /** For the operator: active feeds that may be frozen, then those that another source serves, by id. */
  readonly unusual: (filter: { readonly limit: number }) => Promise<FeedView[]>
  /** The quarantined rows of a feed, for its walk. */
  readonly knownOddRows: (feedId: number) => Promise<readonly KnownOddRow[]>
  /** For the operator: quarantined rows, those last seen first. */
  readonly quarantined: (filter: { readonly limit: number }) => Promise<QuarantinedRow[]>
  /**
   * By how much the number of ratings of an app grew since `since` in these storefronts, summed; null when no rating
   * feed of it has been observed since before then.
   */
  readonly ratingsGrowth: (
    app: { readonly store: Store; readonly appId: string },
    storefronts: readonly Storefront[],
    since: Date,
  ) => Promise<number | null>
  readonly counts: () => Promise<FeedCount[]>
}

export type FeedCount = {
  readonly store: Store
  readonly kind: FeedKind
  readonly active: number
  readonly failing: number
  readonly due: number
  /** Served by another source than the primary one. */
  readonly fallback: number
  /** Suspected to be frozen. */
  readonly frozen: number
  /** Rows in quarantine, of feeds that are no longer polled too. */
  readonly quarantined: number
}

/** No poll is put further ahead than twice its interval and this: the longest wait after a failure, and what a store may ask for. */
export const POLL_AHEAD_MS_MAX = 2 * 24 * 3_600_000

/** The rate limit and the backing off of a store, one row for the whole installation (DESIGN 5.5). */
export type PaceState = {
  /** Theoretical arrival time of the generic cell rate algorithm, ms since the epoch. */
  readonly arrivalAtMs: number
  readonly blockedUntil: Date | null
  /** Blocks in a row; 0 after an answer that was none. */
  readonly blocks: number
  readonly lastDetail: string | null
}

export type PaceStorage = {
  /** Reads, calls the synchronous `change`, writes what it returns; null writes nothing. Returns the state after it. */
  readonly change: (store: Store, change: (state: PaceState) => PaceState | null) => Promise<PaceState>
  readonly get: (store: Store) => Promise<PaceState>
}
