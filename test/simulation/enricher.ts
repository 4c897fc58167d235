import type { Enrichment } from '../../src/model/enrichment.ts'
import type { Review } from '../../src/model/review.ts'
import type { Enricher, EnrichResult } from '../../src/pipeline/enrich/enricher.ts'
import type { Clock } from '../../src/runtime/clock.ts'
import type { Random } from './random.ts'

const ENGINE = { name: 'offline', version: 'simulated' } as const

const ENRICHMENT: Enrichment = {
  language: 'en',
  sentiment: 'neutral',
  themes: ['other'],
  is_feature_request: false,
  feature_slug: null,
  feature_phrase: null,
  is_bug_report: false,
  severity: 'low',
  mentions_competitor: false,
  competitor_named: null,
  other_topic: 'simulation',
  summary_en: 'A simulated review.',
}

export type EnricherTrouble = 'hang' | 'throw' | 'nothing'

/** An enricher that answers after a while, or does what `troubleOf` says. A deadly review ends the process. */
export function createSimulatedEnricher(deps: {
  readonly clock: Clock
  readonly random: Random
  readonly troubleOf: () => EnricherTrouble | null
  readonly isDeadly: (review: Review) => boolean
  readonly onDeadly: (review: Review) => void
}): Enricher {
  const { clock, random, troubleOf } = deps
  return {
    engine: ENGINE,
    reviewsMax: 8,
    batchesMax: 1,
    async enrich(reviews, signal) {
      const trouble = troubleOf()
      await clock.sleep(random.between(5, 300), signal)
      const deadly = reviews.find(deps.isDeadly)
      if (deadly !== undefined) deps.onDeadly(deadly)
      if (trouble === 'hang') await clock.sleep(3_600_000, signal)
      if (trouble === 'throw') throw new Error('A simulated failure of enrichment.')
      if (signal.aborted) return reviews.map(() => null)
      return reviews.map(
        (): EnrichResult =>
          trouble === null
            ? { enrichment: ENRICHMENT, engine: ENGINE }
            : { enrichment: null, failure: 'over_budget' },
      )
    },
  }
}
