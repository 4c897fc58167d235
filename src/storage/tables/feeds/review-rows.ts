import type { Enrichment } from '../../../model/enrichment.ts'
import type { AppNames, EnrichedReview, Review, ReviewOfApp } from '../../../model/review.ts'
import { type Store, THEMES } from '../../../model/vocabulary.ts'
import { dateOf, hexOf, parsedOrNull } from '../../values.ts'

/** Rows of reviews, the same on both engines. */

/** Columns of `reviews r`, with the prefix `r_`, so that a review can be read together with its occurrence. */
export const REVIEW_COLUMNS = `r.store as r_store, r.app_id as r_app_id, r.review_id as r_review_id, r.market as r_market,
  r.rating as r_rating, r.title as r_title, r.body as r_body, r.author as r_author, r.app_version as r_app_version,
  r.shown_at as r_shown_at, r.edited as r_edited, r.fingerprint as r_fingerprint, r.content_hash as r_content_hash,
  r.occurred_at as r_occurred_at, r.observed_at as r_observed_at, r.enrichment as r_enrichment`

export type ReviewRow = {
  r_store: Store
  r_app_id: string
  r_review_id: string
  r_market: string
  r_rating: number
  r_title: string | null
  r_body: string
  r_author: string | null
  r_app_version: string | null
  r_shown_at: number
  r_edited: number | null
  r_fingerprint: Uint8Array
  r_content_hash: Uint8Array
  r_occurred_at: number
  r_observed_at: number
  r_enrichment: string | null
}

/** Columns of `apps a`, left-joined. */
export const APP_COLUMNS = 'a.name as a_name, a.developer as a_developer'

export type AppRow = { a_name: string | null; a_developer: string | null }

export function reviewOfApp(row: ReviewRow & AppRow): ReviewOfApp {
  const app: AppNames | null = row.a_name === null ? null : { name: row.a_name, developer: row.a_developer }
  return { ...reviewOf(row), app }
}

export function reviewOf(row: ReviewRow): Review {
  return {
    store: row.r_store,
    appId: row.r_app_id,
    reviewId: row.r_review_id,
    market: row.r_market,
    rating: row.r_rating,
    title: row.r_title,
    body: row.r_body,
    author: row.r_author,
    appVersion: row.r_app_version,
    shownAt: dateOf(row.r_shown_at),
    edited: row.r_edited === null ? null : row.r_edited === 1,
    fingerprint: hexOf(row.r_fingerprint),
    contentHash: hexOf(row.r_content_hash),
    occurredAt: dateOf(row.r_occurred_at),
    observedAt: dateOf(row.r_observed_at),
  }
}

export function enrichedReviewOf(row: ReviewRow): EnrichedReview {
  return { ...reviewOf(row), enrichment: parsedOrNull<Enrichment>(row.r_enrichment) }
}

/** Bit i represents THEMES[i]. */
export function themesMask(themes: readonly string[]): number {
  return THEMES.reduce((mask, theme, bit) => (themes.includes(theme) ? mask | (1 << bit) : mask), 0)
}
