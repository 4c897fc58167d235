import { hashOf } from './canonical.ts'
import type { Enrichment } from './enrichment.ts'
import type { Store } from './vocabulary.ts'

/** The answer of a developer, as a public page shows it. */
export type PublicReply = {
  readonly text: string
  /** The last change; null when the page shows no date. */
  readonly at: Date | null
}

/** Maximum stored characters of a public answer. Stores allow 5,970. */
export const PUBLIC_REPLY_CHARS_MAX = 10_000

/** A review as returned by a store. */
export type StoreReview = {
  readonly reviewId: string
  readonly rating: number
  readonly title: string | null
  readonly body: string
  readonly author: string | null
  readonly appVersion: string | null
  /** The date in the store: of the last edit, if the review was edited. */
  readonly shownAt: Date
  /** Whether the store marks it as edited; null when this source does not provide it. */
  readonly edited: boolean | null
  /** Null when the source shows that there is none; absent when it shows no answers. */
  readonly publicReply?: PublicReply | null | undefined
}

/** A stored review, shared by all hooks and accounts. */
export type Review = StoreReview & {
  readonly store: Store
  readonly appId: string
  readonly market: string
  readonly fingerprint: string
  readonly contentHash: string
  /** The date of its first publication, as far as the store provides it. */
  readonly occurredAt: Date
  readonly observedAt: Date
}

/** The name and developer of an app, as far as a store provided them. Neither counts as a competitor of the app. */
export type AppNames = { readonly name: string; readonly developer: string | null }

/** A review with the names of its app; null until a store has provided them. */
export type ReviewOfApp = Review & { readonly app: AppNames | null }

export type EnrichedReview = Review & { readonly enrichment: Enrichment | null }

/** The identity of a review and of its occurrence (docs/contract.md, Identity). Text and stars are not part of it. */
export function fingerprintOf(store: Store, appId: string, reviewId: string): string {
  return hashOf(['review', store, appId, reviewId])
}

/**
 * The identity of a review that an account imported. It differs from the store's, so that an import does not change the reviews of other
 * accounts.
 */
export function importFingerprintOf(
  accountId: string,
  store: Store,
  appId: string,
  reviewId: string,
): string {
  return hashOf(['imported review', accountId, store, appId, reviewId])
}

/** Hash of title and body, to detect edits; an absent title and an empty one differ. */
export function contentHashOf(title: string | null, body: string): string {
  return hashOf(title === null ? ['content', body] : ['content', body, title])
}

/** The stored form of a review, dated as the store shows it. */
export function reviewOf(
  { store, appId, market }: Pick<Review, 'store' | 'appId' | 'market'>,
  shown: StoreReview,
  observedAt: Date,
): Review {
  return {
    ...shown,
    store,
    appId,
    market,
    fingerprint: fingerprintOf(store, appId, shown.reviewId),
    contentHash: contentHashOf(shown.title, shown.body),
    occurredAt: shown.shownAt,
    observedAt,
  }
}

/** Of a review that does not exist, and of one that the account does not see. */
export const NO_REVIEW = 'The account has no review with this fingerprint.'
