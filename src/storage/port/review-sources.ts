import type { Review } from '../../model/review.ts'
import type { LinkableReview } from '../../model/review-link.ts'
import type { ReviewSource } from '../../model/review-source.ts'
import type { StoreConnection } from '../../model/store-connection.ts'
import type { Store } from '../../model/vocabulary.ts'
import type { Instant } from '../../runtime/instant.ts'
import type { EnrichmentRequest } from './feeds.ts'

/** A source that one node polls. Writes with a lease that has ended change nothing (fencing). */
export type LeasedSource = ReviewSource & {
  readonly lease: string
  readonly connection: Pick<StoreConnection, 'id' | 'accountId' | 'kind' | 'credentials'>
  /** The last poll ended before a known page. */
  readonly pagingIncomplete: boolean
}

export type SourcePoll = {
  readonly sourceId: number
  readonly lease: string
  readonly polledAt: Instant
  readonly nextPollAt: Instant
}

/** A review of an official source, with the public ids that its id may contain. */
export type OfficialReview = {
  readonly review: Review
  readonly publicFingerprints: readonly string[]
  /** The published answer that the source shows; null for none. */
  readonly replyText: string | null
}

export type KnownOfficial = {
  /** Fingerprints that this source has shown. */
  readonly seen: ReadonlySet<string>
  /** The content hashes of those whose text is still stored. */
  readonly contentHashes: ReadonlyMap<string, string>
  /** The creation of the account's oldest watch for reviews of the app; null without one. */
  readonly forwardFrom: Date | null
  /** Fingerprints of public reviews that any public feed of the app has seen. */
  readonly publicSeen: ReadonlySet<string>
  /** The newest public reviews of the account's markets, for links by content. */
  readonly publicReviews: readonly LinkableReview[]
  /** The last good public poll before the change to this source: of the feed for which it is the longest ago. */
  readonly publicUntil: Date | null
  /** When the account changed to this source; null in the commit that does. */
  readonly changedAt: Date | null
  /** Whether other accounts still get the public reviews, so that this account must not see both. */
  readonly isPublicPolled: boolean
}

export type OfficialDecision = {
  readonly seen: readonly OfficialReview[]
  readonly toStore: readonly Review[]
  readonly occurrences: readonly Review[]
}

/**
 * The official sources of apps, one for each account and app. Reviews of such a source have a private market and a private
 * fingerprint, so no other account sees them or gets events of them. A change of source and its first reviews are one
 * commit: until then the account gets public reviews, and from then on official ones.
 */
export type ReviewSourceStorage = {
  /** Starts the change to an official source, which is polled at once. False when the account has no such connection. */
  readonly use: (
    accountId: string,
    app: { readonly store: Store; readonly appId: string },
    connectionId: string,
    now: Instant,
  ) => Promise<boolean>
  /**
   * Changes back to the public pages. Public reviews that the official source did not show become events. False without an official source.
   */
  readonly leave: (
    accountId: string,
    app: { readonly store: Store; readonly appId: string },
    now: Instant,
  ) => Promise<boolean>
  /** By store and app id. */
  readonly list: (accountId: string) => Promise<ReviewSource[]>
  /**
   * Sources whose last good poll was before then, except those in the state `public` and of apps that the account no longer tracks; of all
   * accounts without `accountId`.
   */
  readonly stale: (store: Store, before: Instant, accountId: string | null) => Promise<ReviewSource[]>
  /** Leases due sources, the one due longest first; no two callers get the same one. */
  readonly claim: (request: {
    readonly now: Instant
    readonly lease: string
    readonly leaseMs: number
    readonly limit: number
  }) => Promise<LeasedSource[]>
  /** Which of these fingerprints the source has shown, with their current content hash where the text is stored. */
  readonly known: (
    sourceId: number,
    fingerprints: readonly string[],
  ) => Promise<ReadonlyMap<string, string | null>>
  /**
   * The commit of a good poll: reads the known reviews, calls the synchronous `decide`, writes seen, texts and occurrences, and releases
   * the lease. Keeps answers that the source shows, also those of other tools. The first one completes the change to the official source.
   * False when the lease has ended.
   */
  readonly commit: (
    poll: SourcePoll,
    fetched: readonly OfficialReview[],
    pagingIncomplete: boolean,
    enrichment: EnrichmentRequest,
    decide: (known: KnownOfficial) => OfficialDecision,
  ) => Promise<boolean>
  /** A failed poll. Does nothing when the lease has ended. */
  readonly fail: (poll: SourcePoll, problem: string) => Promise<void>
}
