import type { Review } from '../../src/model/review.ts'
import type { Enricher, EnrichResult } from '../../src/pipeline/enrich/enricher.ts'
import type { Clock } from '../../src/runtime/clock.ts'
import { enrichment } from '../support/occurrences.ts'
import type { Random } from './random.ts'

const ENGINE = { name: 'offline', version: 'simulated' } as const

export type EnricherFault = 'hang' | 'throw' | 'nothing'

/** An enricher that answers after a delay or has the fault of `faultOf`. A deadly review kills the process. */
export function createSimulatedEnricher(deps: {
  readonly clock: Clock
  readonly random: Random
  readonly faultOf: () => EnricherFault | null
  readonly isDeadly: (review: Review) => boolean
  readonly onDeadly: (review: Review) => void
}): Enricher {
  const { clock, random, faultOf } = deps
  return {
    engine: ENGINE,
    reviewsMax: 8,
    batchesMax: 1,
    async enrich(reviews, signal) {
      const fault = faultOf()
      await clock.sleep(random.between(5, 300), signal)
      const deadly = reviews.find(deps.isDeadly)
      if (deadly !== undefined) deps.onDeadly(deadly)
      if (fault === 'hang') await clock.sleep(3_600_000, signal)
      if (fault === 'throw') throw new Error('A simulated failure of enrichment.')
      if (signal.aborted) return reviews.map(() => null)
      return reviews.map(
        (): EnrichResult =>
          fault === null ? { enrichment, engine: ENGINE } : { enrichment: null, failure: 'over_budget' },
      )
    },
  }
}
