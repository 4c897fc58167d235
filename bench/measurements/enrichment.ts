import { createLanguageEngine } from '../../packages/language/src/engine.ts'
import { createEngineWorker } from '../../src/pipeline/enrich/worker/engine-worker.ts'
import { silentLog } from '../../src/runtime/log.ts'
import { TEXT_LANGUAGES, textsOf } from '../../src/simulate/review-texts.ts'
import { atLeast, median } from '../figures.ts'
import type { Bench, Measurement } from '../measurement.ts'

const REVIEWS_PER_SECOND_MIN = 200
/** Reviews per request, with two requests in parallel, like the enrich stage. */
const BATCH = 50
/** The minimum ratio of the worker's rate to the engine's own rate in one run. */
const WORKER_SHARE_MIN = 0.9

type Text = { readonly title: string | null; readonly body: string; readonly stars: number }

/** Throughput of the offline engine on texts in eleven languages, in this thread and in its worker. */
export const enrichment: Measurement = {
  name: 'enrichment',
  about: 'reviews per second of the offline engine, in this thread and in its worker',
  async run(bench) {
    const texts = TEXT_LANGUAGES.flatMap((language) => [...textsOf(language)])
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
          await worker.enrich(inputs.slice(at, from), never)
        }
      }
      await Promise.all([next(), next()])
    }
    // Rounds alternate, so that other load affects both.
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
    const note = `${texts.length} texts in ${TEXT_LANGUAGES.length} languages`
    const [rate, workerRate] = [median(rates.alone), median(rates.worker)]
    const target = atLeast(rate, REVIEWS_PER_SECOND_MIN)
    bench.report({ name: 'enrichment.offline', value: rate, unit: 'reviews/s', note, target })
    bench.report({ name: 'enrichment.worker', value: workerRate, unit: 'reviews/s', note })
    const share = workerRate / rate
    bench.report({
      name: 'enrichment.worker_share',
      value: share,
      unit: '',
      target: atLeast(share, WORKER_SHARE_MIN),
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
