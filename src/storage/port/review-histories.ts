import type { ReviewHistory } from '../../model/review-history.ts'
import type { Store } from '../../model/vocabulary.ts'
import type { Instant } from '../../runtime/instant.ts'
import type { KnownOfficial, LeasedSource, OfficialDecision, OfficialReview } from './review-sources.ts'

/** A history that one node reads. Writes with a lease that has ended change nothing (fencing). */
export type LeasedHistory = ReviewHistory &
  Pick<LeasedSource, 'accountId' | 'connection'> & {
    readonly lease: string
    /** Null for the first page. */
    readonly cursor: string | null
    /** Number of consecutive failed pages. */
    readonly failures: number
  }

export type KnownHistory = KnownOfficial & {
  /** The shown dates of the stored reviews of this source, by fingerprint: an older copy does not replace a newer one. */
  readonly shownAt: ReadonlyMap<string, Date>
}

export type HistoryCommit = {
  readonly sourceId: number
  readonly lease: string
  readonly at: Instant
  /** The cursor of the next page; null at the end, which completes the history. */
  readonly next: string | null
  readonly nextAt: Instant
  readonly ratingsOnly: number
  readonly malformed: number
  readonly progress: ReviewHistory['progress']
}

/** Histories of official sources, one for each source, read page by page without occurrences. */
export type ReviewHistoryStorage = {
  /**
   * Starts the history of an app, or continues a stopped or failed one at its page. A completed one starts again. False
   * when the account's reviews of the app do not come from an official source.
   */
  readonly start: (
    accountId: string,
    app: { readonly store: Store; readonly appId: string },
    now: Instant,
  ) => Promise<boolean>
  /** False when no history of the app is running. */
  readonly stop: (
    accountId: string,
    app: { readonly store: Store; readonly appId: string },
    now: Instant,
  ) => Promise<boolean>
  /** By store and app id. */
  readonly list: (accountId: string) => Promise<ReviewHistory[]>
  /** Leases the running history that is due longest; null without one. Sources that an account left are not due. */
  readonly claim: (request: {
    readonly now: Instant
    readonly lease: string
    readonly leaseMs: number
  }) => Promise<LeasedHistory | null>
  /**
   * The commit of a page: calls the synchronous `decide`, writes seen and texts, and moves to the next page. Occurrences of
   * the decision are not written. `enrich` queues new texts. False when the lease has ended.
   */
  readonly commit: (
    page: HistoryCommit,
    fetched: readonly OfficialReview[],
    enrich: boolean,
    decide: (known: KnownHistory) => OfficialDecision,
  ) => Promise<boolean>
  /**
   * A failed page. `nextAt` null ends the history as failed. `fromStart` forgets the page, so that the history continues
   * with the first one. Does nothing when the lease has ended.
   */
  readonly fail: (
    of: { readonly sourceId: number; readonly lease: string; readonly at: Instant },
    problem: string,
    nextAt: Instant | null,
    fromStart: boolean,
  ) => Promise<void>
}
