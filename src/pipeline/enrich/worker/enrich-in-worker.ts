import type { EnrichmentEngine } from '../../../model/enrichment.ts'
import { storefrontsOf } from '../../../model/market.ts'
import type { ReviewOfApp } from '../../../model/review.ts'
import type { EnrichResult } from '../enricher.ts'
import type { EngineWorker, WorkerResult } from './engine-worker.ts'
import { type EngineInput, INPUT_CHARS_MAX } from './wire.ts'

/** The worker's engine as an `Enricher`. */
export function enrichInWorker(worker: EngineWorker, engine: EnrichmentEngine) {
  return async (reviews: readonly ReviewOfApp[], signal: AbortSignal): Promise<EnrichResult[]> => {
    const results = await worker.enrich(reviews.map(inputOf), signal)
    return results.map((result) => resultOf(result, engine))
  }
}

function inputOf({ title, body, rating, store, market, app }: ReviewOfApp): EngineInput {
  const [storefront = null] = storefrontsOf(store, 'reviews', market)
  return {
    title: title === null ? null : title.slice(0, INPUT_CHARS_MAX),
    body: body.slice(0, INPUT_CHARS_MAX),
    rating,
    storefront,
    app,
  }
}

function resultOf(result: WorkerResult, engine: EnrichmentEngine): EnrichResult {
  if (result.kind === 'aborted') return null
  if (result.kind === 'failed') return { enrichment: null, failure: result.failure }
  return { enrichment: result.enrichment, engine }
}
