import type { Enrichment, EnrichmentEngine } from '../../model/enrichment.ts'
import type { EnrichmentFailure } from '../../model/enrichment-failure.ts'
import type { ReviewOfApp } from '../../model/review.ts'

/** What was understood of a review, and by which engine: one may stand in for another. */
export type Enriched = { readonly enrichment: Enrichment; readonly engine: EnrichmentEngine }

/** The engine gave the review up, and why. It is not tried again. */
export type GivenUp = { readonly enrichment: null; readonly failure: EnrichmentFailure }

/** Null: not reached before `signal` aborted. It may be tried again. */
export type EnrichResult = Enriched | GivenUp | null

/** What understands reviews, as the enrich stage sees it. */
export type Enricher = {
  /** Named for reviews that nothing could be made of. */
  readonly engine: EnrichmentEngine
  /** Reviews it takes at once. */
  readonly reviewsMax: number
  /** Batches it works on at once. */
  readonly batchesMax: number
  /** One answer per review, in the order asked. Ends soon after `signal` aborts. */
  readonly enrich: (reviews: readonly ReviewOfApp[], signal: AbortSignal) => Promise<readonly EnrichResult[]>
  /** Absent when there is nothing to prepare: it takes reviews at once. */
  readonly preparation?: Preparation
}

/** Work before the first review: the node is not ready, and claims none, until it is done. */
export type Preparation = {
  /** Begins it, once; `onReady` is called when it is done. */
  readonly begin: (onReady: () => void) => void
  /** Why it takes no reviews yet, in a sentence; null when it does. */
  readonly pending: () => string | null
}
