import type { EnrichmentFailure } from '../../model/enrichment-failure.ts'
import type { Meter } from '../../model/metrics.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import type { Loop } from '../../runtime/loop.ts'
import { createTasks } from '../../runtime/tasks.ts'
import type { ReviewToEnrich } from '../../storage/port/occurrences.ts'
import type { Storage } from '../../storage/port/storage.ts'
import type { Enricher, EnrichResult, ReviewToRead } from './enricher.ts'

export type EnrichDeps = {
  readonly storage: Pick<Storage, 'occurrences'>
  readonly enricher: Enricher
  readonly clock: Clock
  readonly log: Log
  readonly meter: Meter
  readonly newLease: () => string
  /** Wakes fan-out when occurrences are ready. */
  readonly onReady: () => void
  /** Wakes the loop: there is room for another batch. */
  readonly wake: (name: string) => void
}

export const ENRICH_LOOP = 'enrich'

/** An occurrence waits this long for its enrichment, then is delivered without one. */
export const ENRICH_WAIT_MS = 60_000
/** A batch is aborted a little earlier, so that its finished results are stored in time. */
const BATCH_MS_MAX = 50_000
const LEASE_MS = 60_000
/**
 * Claims of one review that may end without a result, because the process crashed or the batch timed out. A claim
 * counts before the work starts, so a review that crashes the process cannot block the service.
 */
export const TRIES_MAX = 3

/**
 * Enriches reviews. A failed review is settled without enrichment, so enrichment delays an event by a minute at most.
 */
export function enrichLoop(deps: EnrichDeps, settings: { readonly idleMs: number }): Loop {
  const { storage, enricher, clock } = deps
  const tasks = createTasks(enricher.batchesMax, () => deps.wake(ENRICH_LOOP))
  return {
    name: ENRICH_LOOP,
    idleMs: settings.idleMs,
    problem: () => enricher.preparation?.pending() ?? null,
    async pass(signal) {
      const { preparation } = enricher
      if (preparation !== undefined && preparation.pending() !== null) {
        preparation.begin(() => deps.wake(ENRICH_LOOP))
        if (preparation.pending() !== null) return 'idle'
      }
      if (tasks.free() <= 0) return 'idle'
      const claimed = await storage.occurrences.claimForEnrichment({
        now: clock.now(),
        limit: enricher.reviewsMax,
        lease: deps.newLease(),
        leaseMs: LEASE_MS,
      })
      if (claimed.length === 0) return 'idle'
      tasks.run(() => enrichBatch(deps, claimed, signal))
      return 'worked'
    },
    finish: tasks.ended,
  }
}

async function enrichBatch(
  deps: EnrichDeps,
  claimed: readonly ReviewToEnrich[],
  stop: AbortSignal,
): Promise<void> {
  const { storage, enricher, clock, log, meter } = deps
  const startedAtMs = clock.monotonicMs()
  const deadline = new AbortController()
  const finished = new AbortController()
  void endAfter(clock, BATCH_MS_MAX, finished.signal).then(() => deadline.abort())
  const signal = AbortSignal.any([stop, deadline.signal])
  try {
    const { tried, exhausted } = Object.groupBy(claimed, ({ tries }) =>
      tries > TRIES_MAX ? 'exhausted' : 'tried',
    )
    const results = await enrichReviews(
      deps,
      (tried ?? []).map(({ review, isAwaited }) => ({ ...review, isAwaited })),
      signal,
    )
    const attempted = (tried ?? []).map((review, at) => ({ review, result: results[at] ?? null }))
    const unreached = attempted.flatMap(({ review, result }) => (result === null ? [review] : []))
    // A stop does not count as a try.
    if (unreached.length > 0) await storage.occurrences.releaseEnrichment(unreached, stop.aborted)
    const settled = [
      ...attempted.flatMap(({ review, result }) => (result === null ? [] : [settledAs(review, result)])),
      ...(exhausted ?? []).map((review) =>
        settledAs(review, { enrichment: null, failure: 'too_many_tries' }),
      ),
    ]
    await storage.occurrences.commitEnrichment(settled, clock.now())
    deps.onReady()
    for (const { enrichment, failure } of settled) {
      const result = enrichment === null ? 'none' : 'ok'
      meter.count('enrichments_total', { engine: enricher.engine.name, result, reason: failure ?? '' })
    }
    log.info('reviews.enriched', {
      engine: enricher.engine.name,
      reviews: settled.length,
      understood: settled.filter(({ enrichment }) => enrichment !== null).length,
      took_ms: clock.monotonicMs() - startedAtMs,
    })
  } catch (error) {
    // Storage is unavailable: the lease expires, and events still wait a minute at most.
    log.error('enrichment.failed', { reviews: claimed.length, error })
  } finally {
    finished.abort()
  }

  function settledAs({ reviewSeq, lease, review }: ReviewToEnrich, result: NonNullable<EnrichResult>) {
    if (result.enrichment !== null) return { reviewSeq, lease, ...result, failure: null }
    const { store, appId, reviewId } = review
    log.warn('enrichment.review_failed', {
      store,
      app_id: appId,
      review_id: reviewId,
      reason: result.failure,
    })
    return { reviewSeq, lease, enrichment: null, engine: enricher.engine, failure: result.failure }
  }
}

/** Resolves after `ms`, or when `signal` aborts. Checks the elapsed time, since a sleep may end early. */
async function endAfter(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  const endMs = clock.monotonicMs() + ms
  for (let leftMs = ms; leftMs > 0 && !signal.aborted; leftMs = endMs - clock.monotonicMs())
    await clock.sleep(leftMs, signal)
}

const ENGINE_FAILED: EnrichResult = { enrichment: null, failure: 'engine_failed' satisfies EnrichmentFailure }

/**
 * One result per review. If the engine throws, each review of the batch runs alone, so that one cannot fail the others.
 */
async function enrichReviews(
  { enricher, log }: EnrichDeps,
  reviews: readonly ReviewToRead[],
  signal: AbortSignal,
): Promise<readonly EnrichResult[]> {
  if (reviews.length === 0) return []
  try {
    const results = await enricher.enrich(reviews, signal)
    // A missing result without an abort is a failure of the engine. A retry would not help.
    return reviews.map((_, at) => results[at] ?? (signal.aborted ? null : ENGINE_FAILED))
  } catch (error) {
    if (signal.aborted) return reviews.map(() => null)
    log.error('enrichment.threw', { reviews: reviews.length, error })
    if (reviews.length === 1) return [ENGINE_FAILED]
  }
  const results: EnrichResult[] = []
  for (const review of reviews)
    results.push(signal.aborted ? null : await enrichReview(enricher, review, signal))
  return results
}

async function enrichReview(
  enricher: Enricher,
  review: ReviewToRead,
  signal: AbortSignal,
): Promise<EnrichResult> {
  try {
    const [result = null] = await enricher.enrich([review], signal)
    return result
  } catch {
    return signal.aborted ? null : ENGINE_FAILED
  }
}
