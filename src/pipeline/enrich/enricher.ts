import type { Enrichment, EnrichmentEngine } from '../../model/enrichment.ts'
import type { EnrichmentFailure } from '../../model/enrichment-failure.ts'
import type { ReviewOfApp } from '../../model/review.ts'

/** The enrichment of a review and its engine, which may be a fallback. */
export type Enriched = { readonly enrichment: Enrichment; readonly engine: EnrichmentEngine }

/** The engine failed on the review, which is not retried. */
export type FailedEnrichment = { readonly enrichment: null; readonly failure: EnrichmentFailure }

/** Null: `signal` aborted before the review. It may be retried. */
export type EnrichResult = Enriched | FailedEnrichment | null

/** A review as an engine reads it. `isAwaited` is false when no event waits for it. */
export type ReviewToRead = ReviewOfApp & { readonly isAwaited?: boolean }

/** An enrichment engine, as the enrich stage uses it. */
export type Enricher = {
  /** The engine recorded for failed reviews. */
  readonly engine: EnrichmentEngine
  /** Reviews per batch. */
  readonly reviewsMax: number
  /** Batches in parallel. */
  readonly batchesMax: number
  /** One answer per review, in the order of the input. Ends soon after `signal` aborts. */
  readonly enrich: (reviews: readonly ReviewToRead[], signal: AbortSignal) => Promise<readonly EnrichResult[]>
  /** Absent when the engine is ready at once. */
  readonly preparation?: Preparation
}

/** Work before the first review. Until it ends, the node is not ready and claims no reviews. */
export type Preparation = {
  /** Starts the preparation once, and calls `onReady` at its end. */
  readonly begin: (onReady: () => void) => void
  /** Why the engine is not ready, in a sentence; null when it is. */
  readonly pending: () => string | null
}
