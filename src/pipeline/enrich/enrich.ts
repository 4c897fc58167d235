import type { Review } from '../../model/review.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import type { Loop } from '../../runtime/loop.ts'
import type { Meter } from '../../runtime/meter.ts'
import { createTasks } from '../../runtime/tasks.ts'
import type { ReviewToEnrich } from '../../storage/port/occurrences.ts'
import type { Storage } from '../../storage/port.ts'
import type { Enriched, Enricher } from './enricher.ts'

export type EnrichDeps = {
  readonly storage: Pick<Storage, 'occurrences'>
  readonly enricher: Enricher
  readonly clock: Clock
  readonly log: Log
  readonly meter: Meter
  readonly newLease: () => string
  /** Tells fan-out that occurrences are ready. */
  readonly onReady: () => void
  /** Ends the loop's wait: there is room for another batch. */
  readonly wake: (name: string) => void
}

export const ENRICH_LOOP = 'enrich'

/** An occurrence waits at most this long for its enrichment; then it goes out without. */
export const ENRICH_WAIT_MS = 60_000
/** A batch is given up a little before, so that its result still reaches the events that wait for it. */
const BATCH_MS_MAX = 50_000
const LEASE_MS = 60_000

/**
 * Understands reviews. One that nothing can be made of is settled as such: enrichment never holds an event up for
 * longer than a minute, and never for ever.
 */
export function enrichLoop(deps: EnrichDeps, settings: { readonly idleMs: number }): Loop {
  const { storage, enricher, clock } = deps
  const tasks = createTasks(enricher.batchesMax, () => deps.wake(ENRICH_LOOP))
  return {
    name: ENRICH_LOOP,
    idleMs: settings.idleMs,
    async pass(signal) {
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
  const over = new AbortController()
  void clock.sleep(BATCH_MS_MAX, over.signal).then(() => deadline.abort())
  const signal = AbortSignal.any([stop, deadline.signal])
  try {
    const results = await understand(
      deps,
      claimed.map(({ review }) => review),
      signal,
    )
    // A stop is no reason to give up on a review: what was not reached waits for the next start.
    const unreached = stop.aborted ? claimed.filter((_, at) => results[at] === null) : []
    if (unreached.length > 0) await storage.occurrences.releaseEnrichment(unreached)
    const settled = claimed.flatMap((review, at) => {
      const result = results[at] ?? null
      if (unreached.includes(review)) return []
      const { reviewSeq, lease } = review
      return [
        {
          reviewSeq,
          lease,
          enrichment: result?.enrichment ?? null,
          engine: result?.engine ?? enricher.engine,
        },
      ]
    })
    await storage.occurrences.commitEnrichment(settled, clock.now())
    deps.onReady()
    const understood = results.filter((result) => result !== null).length
    meter.count('enrichments_total', { engine: enricher.engine.name, result: 'ok' }, understood)
    meter.count(
      'enrichments_total',
      { engine: enricher.engine.name, result: 'none' },
      claimed.length - understood,
    )
    log.info('reviews.enriched', {
      engine: enricher.engine.name,
      reviews: settled.length,
      understood,
      took_ms: Math.round(clock.monotonicMs() - startedAtMs),
    })
  } catch (error) {
    // The storage is away: the lease ends by itself, and events do not wait for longer than their minute.
    log.error('enrichment.failed', { reviews: claimed.length, error })
  } finally {
    over.abort()
  }
}

/** One answer per review. A batch that makes the engine throw is taken apart, so that one review spoils no other. */
async function understand(
  { enricher, log }: EnrichDeps,
  reviews: readonly Review[],
  signal: AbortSignal,
): Promise<readonly (Enriched | null)[]> {
  try {
    const results = await enricher.enrich(reviews, signal)
    return reviews.map((_, at) => results[at] ?? null)
  } catch (error) {
    if (!signal.aborted) log.error('enrichment.threw', { reviews: reviews.length, error })
    if (reviews.length === 1 || signal.aborted) return reviews.map(() => null)
  }
  const results: (Enriched | null)[] = []
  for (const review of reviews) {
    const [result] = signal.aborted ? [null] : await understandOne(enricher, review, signal)
    results.push(result ?? null)
  }
  return results
}

async function understandOne(enricher: Enricher, review: Review, signal: AbortSignal) {
  try {
    return await enricher.enrich([review], signal)
  } catch {
    return [null]
  }
}
