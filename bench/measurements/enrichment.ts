import { createLanguageEngine } from '../../packages/language/src/engine.ts'
import { createEngineWorker } from '../../src/pipeline/enrich/worker/engine-worker.ts'
import { silentLog } from '../../src/runtime/log.ts'
import { LIFE_LANGUAGES, textsOf } from '../../src/simulate/life-texts.ts'
import { atLeast, median } from '../figures.ts'
import type { Bench, Measurement } from '../measurement.ts'

const REVIEWS_PER_SECOND_MIN = 200
/** Reviews per request, with two requests in parallel, like the enrich stage. */
const BATCH = 50
/** The minimum ratio of the worker's rate to that of the engine alone, in one run. */
const WORKER_SHARE_MIN = 0.9

type Text = { readonly title: string | null; readonly body: string; readonly stars: number }

/** The offline engine on the simulated stores' texts in eleven languages: alone, and in its worker. */
export const enrichment: Measurement = {
  name: 'enrichment',
  about: 'reviews a second that the offline engine understands, by itself and in its worker',
  async run(bench) {
    const texts = LIFE_LANGUAGES.flatMap((language) => [...textsOf(language)])
    const engine = await createLanguageEngine()
    const alone = async () => {
      for (const { title, body, stars } of texts)
        await engine({ title, body, rating: stars, storefront: null, app: null })
    }
    await using worker = createEngineWorker(
      { engine: new URL('../../packages/language/src/worker-engine.ts', import.meta.url) },
      silentLog,
    )
    const never = new AbortController().signal
    const inputs = texts.map(({ title, body, stars }: Text) => ({
      title,
      body,
      rating: stars,
      storefront: null,
      app: null,
    }))
    const inWorker = async () => {
      let from = 0
      const next = async () => {
        for (let at = from; at < inputs.length; at = from) {
          from = at + BATCH
          await worker.read(inputs.slice(at, from), never)
        }
      }
      await Promise.all([next(), next()])
    }
    // Alternating, so that other load slows both.
    const rates = { alone: [] as number[], worker: [] as number[] }
    const rounds = bench.options.short ? 3 : 9
    for (let round = 0; round <= rounds; round++) {
      const rate = {
        alone: await rateOf(bench, texts.length, alone),
        worker: await rateOf(bench, texts.length, inWorker),
      }
      if (round === 0) continue
      rates.alone.push(rate.alone)
      rates.worker.push(rate.worker)
    }
    const note = `${texts.length} texts in ${LIFE_LANGUAGES.length} languages`
    const [rate, workerRate] = [median(rates.alone), median(rates.worker)]
    const aim = atLeast(rate, REVIEWS_PER_SECOND_MIN)
    bench.found({ name: 'enrichment.offline', value: rate, unit: 'reviews/s', note, aim })
    bench.found({ name: 'enrichment.worker', value: workerRate, unit: 'reviews/s', note })
    const share = workerRate / rate
    bench.found({
      name: 'enrichment.worker_share',
      value: share,
      unit: '',
      aim: atLeast(share, WORKER_SHARE_MIN),
    })
  },
}

async function rateOf(bench: Bench, texts: number, readAll: () => unknown): Promise<number> {
  const startedMs = performance.now()
  const untilMs = startedMs + (bench.options.short ? 500 : 2_000)
  let read = 0
  while (performance.now() < untilMs) {
    await readAll()
    read += texts
  }
  return (read * 1000) / (performance.now() - startedMs)
}
