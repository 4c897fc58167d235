import { createOfflineEngine } from '../../src/pipeline/enrich/offline/engine.ts'
import { LIFE_LANGUAGES, textsOf } from '../../src/simulate/life-texts.ts'
import { atLeast, median } from '../figures.ts'
import type { Measurement } from '../measurement.ts'

const REVIEWS_PER_SECOND_MIN = 2_000

/** The offline engine on one core, over the simulated stores' texts in eleven languages. */
export const enrichment: Measurement = {
  name: 'enrichment',
  about: 'reviews a second that the offline engine understands',
  async run(bench) {
    const texts = LIFE_LANGUAGES.flatMap((language) => [...textsOf(language)])
    const enrich = createOfflineEngine()
    const rates: number[] = []
    const rounds = bench.options.short ? 3 : 9
    for (let round = 0; round <= rounds; round++) {
      const untilMs = performance.now() + (bench.options.short ? 500 : 2_000)
      const startedMs = performance.now()
      let read = 0
      while (performance.now() < untilMs) {
        for (const { title, body, stars } of texts) enrich({ title, body, rating: stars, storefront: null })
        read += texts.length
      }
      if (round > 0) rates.push((read * 1000) / (performance.now() - startedMs))
    }
    const rate = median(rates)
    const note = `${texts.length} texts in ${LIFE_LANGUAGES.length} languages`
    const aim = atLeast(rate, REVIEWS_PER_SECOND_MIN)
    bench.found({ name: 'enrichment.offline', value: rate, unit: 'reviews/s', note, aim })
  },
}
