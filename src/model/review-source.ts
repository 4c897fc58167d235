import { hashOf } from './canonical.ts'
import type { Review } from './review.ts'
import type { Store } from './vocabulary.ts'

/**
 * The source of an app's reviews for one account, exactly one at a time. `switching`: still the public pages, until the first
 * good poll of the official source. `public`: again the public pages, after an official source.
 */
export const SOURCE_STATES = ['switching', 'official', 'public'] as const
export type SourceState = (typeof SOURCE_STATES)[number]

/** An app whose reviews an account gets, or got, by its own credentials. */
export type ReviewSource = {
  readonly id: number
  readonly accountId: string
  readonly store: Store
  readonly appId: string
  readonly state: SourceState
  /** Null in the state `public`. */
  readonly connectionId: string | null
  /** The last change of the state. */
  readonly changedAt: Date
  readonly nextPollAt: Date | null
  readonly lastPolledAt: Date | null
  /** The last successful poll. */
  readonly lastOkAt: Date | null
  /** Since when polls fail; null while they succeed. */
  readonly failingSince: Date | null
  readonly failures: number
  /** Why the last poll failed; null after a good one. */
  readonly problem: string | null
}

/** Google's interface shows only the reviews of this time. Apple's shows all. */
export const GOOGLE_SHOWN_MS = 7 * 24 * 3_600_000
/** With the last good poll this long ago, two days are left to act. */
export const GOOGLE_AT_RISK_MS = 5 * 24 * 3_600_000

/** The identity of a review that an account gets by its credentials. It differs from the public one, so that no other account sees it. */
export function officialFingerprintOf(
  accountId: string,
  store: Store,
  appId: string,
  reviewId: string,
): string {
  return hashOf(['official review', accountId, store, appId, reviewId])
}

/** The source of a stored review, as interfaces show it. */
export const REVIEW_SOURCES = ['public', 'appstoreconnect', 'googleplay-developer', 'import'] as const
export type ReviewSourceName = (typeof REVIEW_SOURCES)[number]

/** `owner`: the account of the private market of the review; null for a review of the public pages. */
export function sourceNameOf(
  { store, appId, reviewId, fingerprint }: Pick<Review, 'store' | 'appId' | 'reviewId' | 'fingerprint'>,
  owner: string | null,
): ReviewSourceName {
  if (owner === null) return 'public'
  if (officialFingerprintOf(owner, store, appId, reviewId) !== fingerprint) return 'import'
  return store === 'apple' ? 'appstoreconnect' : 'googleplay-developer'
}

/** Whether an account got the review by its own credentials. */
export function isOfficial(source: ReviewSourceName): boolean {
  return source === 'appstoreconnect' || source === 'googleplay-developer'
}
