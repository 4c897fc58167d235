import type { BatchReply, Reply, ReplyState } from '../../model/reply.ts'
import type { StoreConnection } from '../../model/store-connection.ts'
import type { Store } from '../../model/vocabulary.ts'
import type { Instant } from '../../runtime/instant.ts'

type ReviewKey = { readonly store: Store; readonly appId: string; readonly fingerprint: string }

/** The review of an official source that a review of the account is, and the connection to answer it with. */
export type ReplyTarget = {
  readonly store: Store
  readonly appId: string
  readonly reviewId: string
  readonly connectionId: string
}

/** An answer that one node sends, deletes or follows. */
export type ClaimedReply = Reply & {
  readonly lease: string
  readonly attempts: number
  /** The last text that this service sent, or may have sent. */
  readonly sentText: string | null
  readonly connection: Pick<StoreConnection, 'id' | 'accountId' | 'kind' | 'credentials'>
}

export type ReplyStep = {
  readonly state: ReplyState
  readonly shownText: string | null
  readonly problem: string | null
  /** When to continue; null at an end. */
  readonly nextAt: Instant | null
  /** The store was not asked to publish it: it counts neither towards the quota nor as an attempt. */
  readonly isUnsent?: true
}

/** What the account requests. A draft does not change an answer that is under way. */
export type ReplyRequest =
  | { readonly kind: 'draft'; readonly text: string | null }
  | {
      readonly kind: 'publish'
      readonly text: string
      readonly author: string
      /** Not sent before; until then it can be undone. Absent or null: sent at once. */
      readonly undoUntil?: Instant | null
      /** Of a request for several reviews. */
      readonly batchId?: string
    }
  | { readonly kind: 'delete'; readonly author: string }

/**
 * Why an answer of a batch was not stored. `no_review`: it was erased meanwhile. `pending`: one is under way. `published`: the review has
 * one, and was not edited since.
 */
export type BatchSkip = 'no_review' | 'not_connected' | 'pending' | 'published'

/**
 * Answers to reviews: the table between a request and the store. A claim stores the text as sent before the request is made, so a
 * killed process knows what the store may show.
 */
export type ReplyStorage = {
  /** Null for a review that does not come from, and is not linked to, a connection that is the source of its app. */
  readonly target: (accountId: string, review: ReviewKey) => Promise<ReplyTarget | null>
  /** Those of several reviews that have one, by fingerprint. */
  readonly targets: (
    accountId: string,
    reviews: readonly ReviewKey[],
  ) => Promise<ReadonlyMap<string, ReplyTarget>>
  readonly get: (accountId: string, fingerprint: string) => Promise<Reply | null>
  /**
   * Is due when an attempt under way has ended, so that no two attempts write at once. Null when the connection was removed, and nothing
   * was stored.
   */
  readonly request: (
    accountId: string,
    fingerprint: string,
    target: ReplyTarget,
    request: ReplyRequest,
    now: Instant,
  ) => Promise<Reply | null>
  /**
   * Publishes answers to several reviews, in one commit, and replaces none that is under way or that the store shows, unless the review was
   * edited since. Returns why the others were not stored, by fingerprint.
   */
  readonly requestBatch: (
    accountId: string,
    asked: readonly { readonly fingerprint: string; readonly target: ReplyTarget; readonly text: string }[],
    batch: { readonly batchId: string; readonly author: string; readonly undoUntil: Instant | null },
    now: Instant,
  ) => Promise<ReadonlyMap<string, BatchSkip>>
  /**
   * Takes back answers that are not sent yet, of one review or of a batch: the answer of before is restored. The draft is one that was
   * saved meanwhile; else, of a batch, the one of before; else the text. Returns how many.
   */
  readonly undo: (
    accountId: string,
    of: { readonly fingerprint: string } | { readonly batchId: string },
    now: Instant,
  ) => Promise<number>
  /** The answers of a batch that no later request replaced. Those to reviews that had no draft or answer before are in the order asked. */
  readonly batch: (accountId: string, batchId: string) => Promise<BatchReply[]>
  /** Leases due answers, oldest due first. None before `undoUntil`. */
  readonly claim: (request: {
    readonly now: Instant
    readonly lease: string
    readonly leaseMs: number
    readonly limit: number
  }) => Promise<ClaimedReply[]>
  /** False when the lease has ended or the account has requested something else, whose attempt is then due. */
  readonly settle: (claimed: ClaimedReply, step: ReplyStep, now: Instant) => Promise<boolean>
  /**
   * When the `count`th newest of the sent answers to reviews of the app was sent, of all accounts; null when fewer were sent. An
   * answer that was sent again counts once.
   */
  readonly nthNewestSentAt: (store: Store, appId: string, count: number) => Promise<Date | null>
  /** By connection: when the newest answer that the store accepted through it was sent. */
  readonly lastAcceptedAt: (accountId: string) => Promise<ReadonlyMap<string, Date>>
}
