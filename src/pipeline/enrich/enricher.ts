import type { Enrichment, EnrichmentEngine } from '../../model/enrichment.ts'
import type { Review } from '../../model/review.ts'

/** What was understood of a review, and by which engine: one may stand in for another. */
export type Enriched = { readonly enrichment: Enrichment; readonly engine: EnrichmentEngine }

/** What understands reviews, as the enrich stage sees it. */
export type Enricher = {
  /** Named for reviews that nothing could be made of. */
  readonly engine: EnrichmentEngine
  /** Reviews it takes at once. */
  readonly reviewsMax: number
  /** Batches it works on at once. */
  readonly batchesMax: number
  /** One answer per review, in the order asked; null when it gave up on one. Ends soon after `signal` aborts. */
  readonly enrich: (reviews: readonly Review[], signal: AbortSignal) => Promise<readonly (Enriched | null)[]>
}
