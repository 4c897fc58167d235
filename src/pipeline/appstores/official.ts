import type { MalformedRow } from '../../model/malformed-row.ts'
import type { StoreReview } from '../../model/review.ts'
import { connectionSealOf, type StoreConnection } from '../../model/store-connection.ts'
import type { Store } from '../../model/vocabulary.ts'
import { type Sealer, UnsealFailed } from '../../runtime/seal.ts'
import type { Pace } from './appstore.ts'

/**
 * The interface of a store's official API for the owner of an app: App Store Connect and the Google Play Developer API
 * (docs/stores.md, Official APIs). HTTP in, values out. Every failure of the store is a value with a sentence.
 * A client keeps only access tokens and the time of its last request per key.
 */

export type StoreCredentials = AppStoreConnectCredentials | GooglePlayCredentials
export type OfficialKind = StoreCredentials['kind']

export type AppStoreConnectCredentials = {
  readonly kind: 'appstoreconnect'
  /** The UUID of a team's keys; null for an individual key, which has none. */
  readonly issuerId: string | null
  /** Ten characters, as in the name of the `.p8` file. */
  readonly keyId: string
  /** The `.p8` file: an EC P-256 key in PKCS#8 PEM. */
  readonly privateKey: string
}

/** The fields of a service account's JSON file that are used. `token_uri` is not: the operator sets the address. */
export type GooglePlayCredentials = {
  readonly kind: 'googleplay-developer'
  /** `client_email`. */
  readonly clientEmail: string
  /** `private_key_id`. */
  readonly privateKeyId: string | null
  /** `private_key`: an RSA key in PKCS#8 PEM. */
  readonly privateKey: string
  /** The bucket of monthly reports, without `gs://` and path, e.g. `pubsite_prod_rev_0123`; null without history. */
  readonly reportsBucket: string | null
}

/** The sealed part of a connection. `appIds`: the package names of Google, which has no list of apps. */
export type SealedCredentials = {
  readonly credentials: StoreCredentials
  readonly appIds: readonly string[]
}

/** Null when another key of the installation sealed them. */
export function openCredentials(
  open: Sealer['open'],
  connection: Pick<StoreConnection, 'id' | 'accountId' | 'credentials'>,
): SealedCredentials | null {
  try {
    return JSON.parse(open(connection.credentials, connectionSealOf(connection))) as SealedCredentials
  } catch (error) {
    if (error instanceof UnsealFailed) return null
    throw error
  }
}

/** The problem when `openCredentials` returns null. */
export const SEALED_BY_ANOTHER_KEY =
  'The stored credentials cannot be decrypted, because RADAR_SECRET_KEY was replaced. Enter them again.'

/** The field of the credentials that a failure is about, for forms. */
export type CredentialField =
  | 'issuer_id'
  | 'key_id'
  | 'private_key'
  | 'service_account'
  | 'reports_bucket'
  | 'app_id'

export type OfficialFailureReason =
  /** The credentials cannot sign: not a key, or of the wrong type. Nothing was requested. */
  | 'invalid_credentials'
  /** The store does not know the key, or it was revoked. */
  | 'unauthorized'
  /** The key was rejected and this machine's clock differs from the store's. */
  | 'clock_skew'
  /** The key lacks the right for this operation. */
  | 'forbidden'
  /** Apple: the Account Holder must sign an agreement. Every request of the account fails until then. */
  | 'agreement_missing'
  /** Google: the API is not enabled in the project of the service account. */
  | 'api_disabled'
  /** No such app, or the key does not reach it. */
  | 'app_not_found'
  | 'review_not_found'
  /** Google: the bucket does not exist. */
  | 'bucket_not_found'
  /** A rate limit or quota; `retryAfterMs` when the store or its documented window says until when. */
  | 'rate_limited'
  /** The store refuses this text or request, e.g. a reply that is too long. Repeating it is useless. */
  | 'rejected'
  /** The store has no such operation: Google cannot delete a reply. Nothing was requested. */
  | 'unsupported'
  /** No answer, or 5xx. */
  | 'unavailable'
  /** The format is unknown; `raw` has the answer. */
  | 'changed'
  /** The service is stopping, or `pace` gave no permit. */
  | 'interrupted'

export type OfficialFailure = {
  readonly kind: 'failed'
  readonly reason: OfficialFailureReason
  /** A sentence for the user of the credentials: what is wrong and what to do. Contains no secret. */
  readonly detail: string
  readonly field?: CredentialField
  /** The HTTP status; null without an answer. */
  readonly status: number | null
  readonly retryAfterMs?: number
  /** The raw answer of a `changed` format, at most 64 KiB. */
  readonly raw?: string
  /** A write failed after it was sent: the store may have applied it. A repeated `reply` reads first. */
  readonly mayHaveApplied?: true
}

/** What the store said about its rate limit in its last answer. */
export type Quota = { readonly limit: number; readonly remaining: number }

export type OfficialContext = {
  /** Awaited before each request, tokens included. */
  readonly pace: Pace
  readonly signal: AbortSignal
}

export type ReachedApp = {
  readonly store: Store
  /** The id that the public pages use: Apple's number, Google's package name. */
  readonly appId: string
  /** Null for Google, which has no list of apps. */
  readonly name: string | null
  /** Apple's bundle id; null for Google. */
  readonly bundleId: string | null
}

/** `unknown`: only the first use shows it. Apple has no request for the rights of a key. */
export type Right = 'granted' | 'denied' | 'unknown'

export type CredentialCheck =
  | {
      readonly kind: 'ok'
      readonly apps: readonly ReachedApp[]
      /** Requested apps that the key does not reach, each with its reason. */
      readonly unreachable: readonly { readonly appId: string; readonly failure: OfficialFailure }[]
      readonly rights: {
        readonly readReviews: Right
        readonly reply: Right
        /** Google: the bucket of reports can be listed. Apple: the same as `readReviews`. */
        readonly history: Right
      }
      /** Things that work less than they could, as sentences, e.g. a bucket that cannot be read. */
      readonly warnings: readonly string[]
      readonly quota: Quota | null
    }
  | OfficialFailure

export type ReachedAppsAnswer =
  | { readonly kind: 'ok'; readonly apps: readonly ReachedApp[]; readonly quota: Quota | null }
  | OfficialFailure

export type OfficialReply = {
  /** Apple's id of the answer; null for Google. */
  readonly replyId: string | null
  readonly text: string
  readonly state: 'pending' | 'published'
  readonly updatedAt: Date | null
}

/** `edited` is null except in Google's reports. `reviewId` is the id of this source. */
export type OfficialReview = StoreReview & {
  /** Apple's alpha-3 code as the store wrote it, e.g. `USA`, `XKS`; null for Google. */
  readonly territory: string | null
  /** The storefront as a lowercase alpha-2 code, one of ours or not; null for Google and for an unknown territory. */
  readonly storefront: string | null
  /** The reviewer's device language as BCP 47, e.g. `en-US`; null for Apple. It need not be that of the text. */
  readonly language: string | null
  /** When it was first submitted; only Google's reports say so. */
  readonly submittedAt: Date | null
  /**
   * The public ids that this id may contain: at most two for Apple. A hint, to be checked against rating and title,
   * never an identity. Empty when it contains none. Google's id is the public one where both are UUIDs.
   */
  readonly publicReviewIds: readonly string[]
  readonly reply: OfficialReply | null
}

export type OfficialReviewsPage =
  | {
      readonly kind: 'ok'
      readonly source: OfficialKind
      /** Newest first. Empty is trusted: the store has no (further) reviews. */
      readonly reviews: readonly OfficialReview[]
      /** An opaque cursor; null at the end. */
      readonly next: string | null
      readonly malformed: readonly MalformedRow[]
      /** All reviews of the app, as far as the store says so. */
      readonly total: number | null
      readonly quota: Quota | null
    }
  | OfficialFailure

export type OneReviewAnswer =
  | { readonly kind: 'ok'; readonly review: OfficialReview; readonly quota: Quota | null }
  | OfficialFailure

export type ReplyAnswer =
  /** The store shows this reply now. `written` is false when it was there already, so nothing was sent. */
  | { readonly kind: 'ok'; readonly reply: OfficialReply; readonly written: boolean }
  /** The store has another reply than `replaces`. Nothing was written. */
  | { readonly kind: 'conflict'; readonly reply: OfficialReply | null }
  | OfficialFailure

export type DeleteReplyAnswer =
  /** `deleted` is false when there was none. Apple may show it for up to a day. */
  { readonly kind: 'ok'; readonly deleted: boolean } | OfficialFailure

/** A part of an app's history. Pages are bounded in size, and each cursor resumes in another process. */
export type HistoryPage =
  | {
      readonly kind: 'ok'
      readonly reviews: readonly OfficialReview[]
      /** Null at the end of the history. */
      readonly next: string | null
      /** Rows without a text, which are ratings only. */
      readonly ratingsOnly: number
      readonly malformed: readonly MalformedRow[]
      /** Reviews of `total` (Apple) or bytes of `total` (Google) up to the end of this page; null when unknown. */
      readonly progress: { readonly done: number; readonly total: number } | null
    }
  | OfficialFailure

type ReviewQuery = {
  readonly credentials: StoreCredentials
  readonly appId: string
  readonly reviewId: string
}

/** The client of one kind. Credentials of the other kind are a bug, and throw. */
export type OfficialStore = {
  readonly kind: OfficialKind
  readonly store: Store
  /** The most characters of a reply: 350 for Google, 5,970 for Apple (docs/stores.md, Replies). */
  readonly replyCharsMax: number
  /** The most replies to reviews of an app in 24 hours; null without a documented quota (docs/stores.md). */
  readonly repliesPerDayMax: number | null
  /** Whether `apps` lists the apps; Google cannot, so its package names come from the user. */
  readonly listsApps: boolean
  /** Tests credentials before they are stored. `appIds` are the apps to try: required for Google, optional for Apple. */
  readonly check: (
    query: { readonly credentials: StoreCredentials; readonly appIds: readonly string[] },
    context: OfficialContext,
  ) => Promise<CredentialCheck>
  /** All apps that the key reaches. `unsupported` for Google. */
  readonly apps: (
    query: { readonly credentials: StoreCredentials },
    context: OfficialContext,
  ) => Promise<ReachedAppsAnswer>
  /** One page of the newest reviews of all storefronts. Google shows those created or changed in the last 7 days. */
  readonly reviewsPage: (
    query: { readonly credentials: StoreCredentials; readonly appId: string; readonly cursor: string | null },
    context: OfficialContext,
  ) => Promise<OfficialReviewsPage>
  /**
   * The app versions of new reviews, by review id: from the lists of the newest versions for Apple, whose reviews have none. Empty for
   * Google, whose reviews have theirs. Best effort: what fails or is not found is missing.
   */
  readonly appVersions: (
    query: {
      readonly credentials: StoreCredentials
      readonly appId: string
      readonly reviewIds: readonly string[]
    },
    context: OfficialContext,
  ) => Promise<ReadonlyMap<string, string>>
  /** One review with its reply. */
  readonly review: (query: ReviewQuery, context: OfficialContext) => Promise<OneReviewAnswer>
  /**
   * Writes a reply, after reading the present one. `replaces` is the text that the caller knows, null for none: another
   * present text is a `conflict`. A present reply with the wanted text counts as written, so a repeated call is safe.
   */
  readonly reply: (
    query: ReviewQuery & { readonly text: string; readonly replaces: string | null },
    context: OfficialContext,
  ) => Promise<ReplyAnswer>
  /** Deletes the present reply. `unsupported` for Google. */
  readonly deleteReply: (query: ReviewQuery, context: OfficialContext) => Promise<DeleteReplyAnswer>
  /** All reviews that the store has, page by page. `unsupported` for Google credentials without a bucket. */
  readonly history: (
    query: { readonly credentials: StoreCredentials; readonly appId: string; readonly cursor: string | null },
    context: OfficialContext,
  ) => Promise<HistoryPage>
}
