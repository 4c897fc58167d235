import { z } from 'zod'
import type { Enrichment } from '../../model/enrichment.ts'
import type { EnrichmentFailure } from '../../model/enrichment-failure.ts'
import type { ReviewSourceName } from '../../model/review-source.ts'
import { SENTIMENTS, SEVERITIES, STOREFRONTS, STORES, type Store, THEMES } from '../../model/vocabulary.ts'

const flag = z.enum(['true', 'false']).transform((value) => value === 'true')
const stars = z
  .string()
  .regex(/^[1-5](,[1-5])*$/, 'stars: a list such as 1,2')
  .transform((value) => value.split(',').map(Number))

/** Filters of the review feed, also in the URL of the page. */
export const ReviewFilter = z.object({
  store: z.enum(STORES).optional(),
  appId: z.string().max(200).optional(),
  storefront: z.enum(STOREFRONTS).optional(),
  stars: stars.optional(),
  language: z
    .string()
    .regex(/^[a-z]{2}$/, 'language: two letters, ISO 639-1')
    .optional(),
  sentiment: z.enum(SENTIMENTS).optional(),
  severity: z.enum(SEVERITIES).optional(),
  theme: z.enum(THEMES).optional(),
  bug: flag.optional(),
  request: flag.optional(),
  version: z.string().max(100, 'version: at most 100 characters').optional(),
  feature: z.string().max(100, 'feature: at most 100 characters').optional(),
  text: z.string().trim().max(200).optional(),
  since: z.iso.datetime({ offset: true }).optional(),
  until: z.iso.datetime({ offset: true }).optional(),
})
export type ReviewFilter = z.infer<typeof ReviewFilter>

/** `GET /api/console/reviews` and `…/reviews/export?format=csv|jsonl`, which has no pages. Newest first. */
export const ReviewsQuery = ReviewFilter.extend({
  cursor: z.string().max(100).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
})

export type ReviewLine = {
  readonly fingerprint: string
  readonly store: Store
  readonly appId: string
  readonly appName: string | null
  readonly reviewId: string
  /** Storefront, or language for Google. */
  readonly market: string
  readonly rating: number
  readonly title: string | null
  readonly body: string
  readonly author: string | null
  readonly appVersion: string | null
  readonly occurredAt: string
  readonly observedAt: string
  readonly source: ReviewSourceName
  readonly edited: boolean | null
  /** The developer's answer on the public page. */
  readonly publicReply: { readonly text: string; readonly at: string | null } | null
  readonly enrichment: Enrichment | null
}
/** `GET /api/console/reviews/count`: counted up to 10,000. */
export type ReviewCount = { readonly count: number; readonly more: boolean }
export type ReviewsPage = { readonly reviews: readonly ReviewLine[]; readonly next: string | null }

/** `GET /api/console/reviews/:fingerprint`: a review with its events for this account. */
export type ReviewView = ReviewLine & {
  readonly enrichedBy: string | null
  readonly enrichmentFailure: EnrichmentFailure | null
  readonly events: readonly {
    readonly eventId: string
    readonly hookId: string
    /** Of the destination. */
    readonly name: string | null
    readonly targetUrl: string
    readonly status: string
    readonly attempts: number
  }[]
}

/** `POST /api/console/reviews/:fingerprint/translation`: the review in English, by the model server. */
export type TranslatedReview = { readonly title: string | null; readonly body: string }
