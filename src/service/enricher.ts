import { OFFLINE_ENGINE } from '../../packages/language/src/identity.ts'
import type { Meter } from '../model/metrics.ts'
import type { DraftReply } from '../model/reply-draft.ts'
import type { TranslateReview } from '../model/review-translation.ts'
import type { Enricher } from '../pipeline/enrich/enricher.ts'
import { createDraftReply } from '../pipeline/enrich/llm/draft/draft-reply.ts'
import type { ModelBreaker } from '../pipeline/enrich/llm/model-breaker.ts'
import { createModelEngine } from '../pipeline/enrich/llm/model-engine.ts'
import { createTranslateReview } from '../pipeline/enrich/llm/translation/translate-review.ts'
import { createEngineWorker } from '../pipeline/enrich/worker/engine-worker.ts'
import { enrichInWorker } from '../pipeline/enrich/worker/enrich-in-worker.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Egress } from '../runtime/egress/egress.ts'
import type { Log } from '../runtime/log.ts'
import type { Storage } from '../storage/port/storage.ts'
import type { Config } from './config/config.ts'

export type EnricherDeps = {
  readonly storage: Pick<Storage, 'occurrences'>
  /** The unguarded egress, because the operator chooses the model server. */
  readonly egress: Egress
  readonly clock: Clock
  readonly log: Log
  readonly meter: Meter
  /** Of the model server: one for the enrichment, drafts and translations. */
  readonly breaker: ModelBreaker
}

/** Reviews per commit. A larger batch would save little, and a crash would repeat more reviews. */
const OFFLINE_REVIEWS_MAX = 50
/** One batch is enriched while the results of the other are stored, so the worker does not wait for commits. */
const OFFLINE_BATCHES_MAX = 2
/** The reviews of three requests, which are sent in parallel. */
const MODEL_REVIEWS_MAX = 18

/**
 * The configured enrichment; null when it is off. Its worker starts when the enrich stage prepares it, so a node
 * without that role never loads it.
 */
export function createEnricher(
  settings: Config['enrichment'],
  deps: EnricherDeps,
): (Enricher & AsyncDisposable) | null {
  if (settings.kind === 'off') return null
  const module = new URL('../../packages/language/src/worker-engine.ts', import.meta.url)
  const worker = createEngineWorker({ engine: module }, deps.log)
  const offline = enrichInWorker(worker, OFFLINE_ENGINE)
  const shared = { preparation: worker, [Symbol.asyncDispose]: () => worker[Symbol.asyncDispose]() }
  if (settings.kind === 'offline') {
    return {
      ...shared,
      engine: OFFLINE_ENGINE,
      reviewsMax: OFFLINE_REVIEWS_MAX,
      batchesMax: OFFLINE_BATCHES_MAX,
      enrich: offline,
    }
  }
  const { url, model, apiKey, dailyLimit } = settings
  if (url === null || model === null) throw new Error('a model server without URL or model')
  const { occurrences } = deps.storage
  const enrich = createModelEngine(
    {
      ...deps,
      url,
      model,
      apiKey,
      offline,
      cached: occurrences.cachedEnrichments,
      cache: occurrences.cacheEnrichment,
      spend: occurrences.spendModelRequests,
      knownSlugs: occurrences.knownSlugs,
      countFallback: (reason) => deps.meter.count('enrichment_fallbacks_total', { reason }),
    },
    { dailyLimit },
  )
  return {
    ...shared,
    engine: { name: 'llm', version: model },
    reviewsMax: MODEL_REVIEWS_MAX,
    batchesMax: 2,
    enrich,
  }
}

/** What people ask the model server of the enrichment for: drafts of answers and translations; nulls without one. */
export function createModelTasks(
  settings: Config['enrichment'],
  deps: Omit<EnricherDeps, 'meter'>,
): { readonly draftReply: DraftReply | null; readonly translateReview: TranslateReview | null } {
  const { kind, url, model, apiKey, dailyLimit } = settings
  if (kind !== 'llm' || url === null || model === null) return { draftReply: null, translateReview: null }
  const spend = deps.storage.occurrences.spendModelRequests
  const server = { ...deps, url, model, apiKey, spend }
  return {
    draftReply: createDraftReply(server, { dailyLimit }),
    translateReview: createTranslateReview(server, { dailyLimit }),
  }
}
