import { hashOf } from './canonical.ts'
import type { Enrichment } from './enrichment.ts'
import type { Store } from './vocabulary.ts'

/** A review as a store showed it. */
export type StoreReview = {
  readonly reviewId: string
  readonly rating: number
  readonly title: string | null
  readonly body: string
  readonly author: string | null
  readonly appVersion: string | null
  /** The date the store shows: of the last edit, if the review was edited. */
  readonly shownAt: Date
  /** Whether the store marks it as edited; null when this source does not provide it. */
  readonly edited: boolean | null
}

/** A review as stored: once, for all hooks and accounts. */
export type Review = StoreReview & {
  readonly store: Store
  readonly appId: string
  readonly market: string
  readonly fingerprint: string
  readonly contentHash: string
  /** When it was first published, as far as the store provides it. */
  readonly occurredAt: Date
  readonly observedAt: Date
}

/** The name and developer of an app, as far as a store provided them: neither is ever a competitor of the app. */
export type AppNames = { readonly name: string; readonly developer: string | null }

/** A review with the names of its app; null until a store provided them. */
export type ReviewOfApp = Review & { readonly app: AppNames | null }

export type EnrichedReview = Review & { readonly enrichment: Enrichment | null }

/** Identity of a review, and so of its occurrence (docs/contract.md, Identity). Text and stars are no part of it. */
export function fingerprintOf(store: Store, appId: string, reviewId: string): string {
  return hashOf(['review', store, appId, reviewId])
}

/** Identity of a review that an account imported: apart from the store's, so that no account changes what others see. */
export function importFingerprintOf(
  accountId: string,
  store: Store,
  appId: string,
  reviewId: string,
): string {
  return hashOf(['imported review', accountId, store, appId, reviewId])
}

/** Hash of title and body for edit detection; an absent title and an empty one differ. */
export function contentHashOf(title: string | null, body: string): string {
  return hashOf(title === null ? ['content', body] : ['content', body, title])
}
