import { setTimeout } from 'node:timers/promises'
import { instantOf } from '../../src/runtime/instant.ts'
import { readAttempts } from '../attempt-log.ts'
import { startChild } from '../child.ts'
import type { BenchEngine } from '../engines.ts'
import { atMost, quantile } from '../figures.ts'
import { createHooks, spreadHooks } from '../hooks.ts'
import type { Bench, Measurement } from '../measurement.ts'
import { createOffer } from '../offer.ts'
import { startService } from '../services.ts'
import { startStores } from '../stores.ts'

const APPS = Array.from({ length: 20 }, (_, index) => String(9_300_000_000 + index))
const HOOKS_PER_APP = 4
const HOSTS = 8
const TARPIT_APP = 'org.example.tarpit'
const TARPIT_PENDING = 10_000
/** Time for first polls and compilation, which is not measured. */
const WARM_UP_MS = 5_000
const GROWTH_MAX = 2

type Run = { readonly quantiles: readonly number[]; readonly perSecond: number }

/**
 * The time from the due time of a delivery to its request, while the service polls new reviews. One run has an additional hook with 10,000
 * pending deliveries and a target that never answers.
 */
export const latency: Measurement = {
  name: 'latency',
  about: 'due-to-sent p50, p95 and p99 during polls, with and without a hanging target',
  async run(bench) {
    for (const name of bench.options.engines) {
      for (const eventsPerSecond of [100, 1_000]) {
        const plain = await measure(bench, await bench.engine(name), eventsPerSecond, false)
        const withTarpit = await measure(bench, await bench.engine(name), eventsPerSecond, true)
        reportFigures(bench, `latency.${name}.${eventsPerSecond}`, plain)
        reportFigures(bench, `latency.${name}.${eventsPerSecond}.tarpit`, withTarpit)
        // The resolution of the log's clock is a millisecond.
        const growth = (withTarpit.quantiles[1] ?? Number.NaN) / Math.max(1, plain.quantiles[1] ?? Number.NaN)
        bench.report({
          name: `latency.${name}.${eventsPerSecond}.tarpit_growth`,
          value: growth,
          unit: 'times',
          note: 'p95',
          target: atMost(growth, GROWTH_MAX),
        })
      }
    }
  },
}

async function measure(
  bench: Bench,
  engine: BenchEngine,
  eventsPerSecond: number,
  tarpit: boolean,
): Promise<Run> {
  await using opened = new AsyncDisposableStack()
  const receiver = opened.use(await startChild('receiver'))
  const urls = await receiver.call<string[]>('open', HOSTS, true)
  const hooks = await createHooks(engine.storage, spreadHooks('apple', APPS, HOOKS_PER_APP, urls))
  if (tarpit) await createTarpit(engine, await receiver.call<string[]>('open', 1, false))
  const stores = opened.use(await startStores(APPS))
  const service = opened.use(await startService(bench, engine, stores.settings))
  while (tarpit && (await engine.storage.maintenance.depths(instantOf(Date.now()))).waitingForFanOut > 0)
    await setTimeout(200)

  await stores.offer(eventsPerSecond / HOOKS_PER_APP)
  await setTimeout(WARM_UP_MS)
  const fromMs = Date.now()
  await setTimeout(bench.options.short ? 10_000 : 60_000)
  const toMs = Date.now()
  await stores.offer(0)
  const hookIds = new Set(hooks.map(({ id }) => id))
  const waits = (await readAttempts(service.logFile))
    .filter(({ hookId, atMs }) => hookIds.has(hookId) && atMs >= fromMs && atMs < toMs)
    .map(({ dueToSentMs }) => dueToSentMs)
  return {
    quantiles: [0.5, 0.95, 0.99].map((share) => quantile(waits, share)),
    perSecond: (waits.length * 1000) / (toMs - fromMs),
  }
}

/** Creates a hook with a backlog for an app that the service does not poll. */
async function createTarpit({ storage }: BenchEngine, urls: readonly string[]): Promise<void> {
  await createHooks(storage, [{ store: 'google', appId: TARPIT_APP, targetUrl: urls[0] ?? '' }])
  const offer = createOffer(storage)
  for (let offered = 0; offered < TARPIT_PENDING; ) offered += await offer.reviews(1_000)
}

function reportFigures(bench: Bench, name: string, { quantiles, perSecond }: Run): void {
  const note = `${Math.round(perSecond)} sent per second`
  for (const [index, label] of ['p50', 'p95', 'p99'].entries()) {
    bench.report({ name: `${name}.${label}`, value: quantiles[index] ?? Number.NaN, unit: 'ms', note })
  }
}
