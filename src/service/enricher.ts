import type { Enrichment } from '../model/enrichment.ts'
import { storefrontsOf } from '../model/market.ts'
import type { Review } from '../model/review.ts'
import type { Enricher } from '../pipeline/enrich/enricher.ts'
import { createModelEngine } from '../pipeline/enrich/llm/model-engine.ts'
import { createOfflineEngine, OFFLINE_ENGINE } from '../pipeline/enrich/offline/engine.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Egress } from '../runtime/egress/egress.ts'
import type { Log } from '../runtime/log.ts'
import type { Meter } from '../runtime/meter.ts'
import type { Storage } from '../storage/port.ts'
import type { Config } from './config/config.ts'

export type EnricherDeps = {
  readonly storage: Pick<Storage, 'occurrences'>
  /** The operator's: the model server is one of their choice. */
  readonly egress: Egress
  readonly clock: Clock
  readonly log: Log
  readonly meter: Meter
}

/** Chosen: the offline engine takes about a millisecond a review, and nothing else runs meanwhile. */
const OFFLINE_REVIEWS_MAX = 25
/** Three batches of the model's own size, as many as it asks about at once. */
const MODEL_REVIEWS_MAX = 18

/** The enrichment that the settings ask for; null when it is off. */
export function createEnricher(settings: Config['enrichment'], deps: EnricherDeps): Enricher | null {
  if (settings.kind === 'off') return null
  const offline = createOffline()
  if (settings.kind === 'offline') {
    return {
      engine: OFFLINE_ENGINE,
      reviewsMax: OFFLINE_REVIEWS_MAX,
      batchesMax: 1,
      enrich: async (reviews) =>
        reviews.map((review) => ({ enrichment: offline(review), engine: OFFLINE_ENGINE })),
    }
  }
  const { occurrences } = deps.storage
  const enrich = createModelEngine(
    {
      ...deps,
      url: settings.url,
      model: settings.model,
      apiKey: settings.apiKey,
      offline,
      offlineEngine: OFFLINE_ENGINE,
      cached: occurrences.cachedEnrichments,
      cache: occurrences.cacheEnrichment,
      spend: occurrences.spendModelRequests,
      knownSlugs: occurrences.knownSlugs,
      countFallback: (reason) => deps.meter.count('enrichment_fallbacks_total', { reason }),
    },
    { dailyLimit: settings.dailyLimit },
  )
  return {
    engine: { name: 'llm', version: settings.model },
    reviewsMax: MODEL_REVIEWS_MAX,
    batchesMax: 2,
    enrich,
  }
}

/** Its tables take a few hundred milliseconds to read: a start need not wait for them. */
function createOffline(): (review: Review) => Enrichment {
  let engine: ReturnType<typeof createOfflineEngine> | null = null
  return (review) => {
    engine ??= createOfflineEngine()
    const [storefront = null] = storefrontsOf(review.store, 'reviews', review.market)
    return engine({ title: review.title, body: review.body, rating: review.rating, storefront })
  }
}
