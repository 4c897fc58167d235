import { newId } from '../../src/model/ids.ts'
import { instantOf } from '../../src/runtime/instant.ts'
import type { Lane } from '../../src/storage/port/deliveries.ts'
import type { BenchEngine } from '../engines.ts'
import { claimReviewFeeds } from '../feeds.ts'
import { atMost, median } from '../figures.ts'
import { fillDeliveries, fillFeeds } from '../fill.ts'
import { createHooks } from '../hooks.ts'
import type { Bench, Measurement } from '../measurement.ts'

const HOOKS = 64
const BATCH = 64
const FEEDS_AT_ONCE = 4
/** Allows for the variation of a median on a busy machine. */
const FLAT = 1.25

/** The time of a claim, which must not depend on the backlog. */
export const claims: Measurement = {
  name: 'claims',
  about: 'time of a claim with few and with many pending deliveries and due feeds',
  async run(bench) {
    const sizes = bench.options.short ? [1_000, 100_000] : [1_000, 1_000_000]
    for (const name of bench.options.engines) {
      const engines: (readonly [number, BenchEngine])[] = []
      for (const size of sizes) engines.push([size, await bench.engine(name)])
      for (const [size, engine] of engines) await fillFeeds(engine, size)
      const feeds = await medianMs(bench, engines, claimFeeds)
      for (const [size, engine] of engines) {
        const hooks = await createHooks(engine.storage, plans())
        await fillDeliveries(engine, hooks, Math.ceil(size / HOOKS))
      }
      const deliveries = await medianMs(bench, engines, claimDeliveries)
      reportFigures(bench, `claims.${name}.deliveries`, deliveries, `${BATCH} of ${HOOKS} hooks`)
      reportFigures(bench, `claims.${name}.feeds`, feeds, `${FEEDS_AT_ONCE} feeds`)
    }
  },
}

function plans() {
  return Array.from({ length: HOOKS }, (_, index) => ({
    store: 'google' as const,
    appId: 'org.example.app0',
    targetUrl: `http://127.0.0.1:${20_000 + index}/hook`,
  }))
}

/** The median times by size. Claims of all sizes alternate, so that other load affects them alike. */
async function medianMs(
  bench: Bench,
  engines: readonly (readonly [number, BenchEngine])[],
  claim: (engine: BenchEngine) => Promise<number>,
): Promise<Map<number, number>> {
  const times = new Map<number, number[]>(engines.map(([size]) => [size, []]))
  const untilMs = performance.now() + (bench.options.short ? 2_000 : 10_000)
  for (let round = 0; round < 20 || (performance.now() < untilMs && round < 1_000); round += 1) {
    for (const [size, engine] of engines) times.get(size)?.push(await claim(engine))
  }
  return new Map([...times].map(([size, all]) => [size, median(all)]))
}

/** The time of one claim. Releases it, so that the backlog does not change. */
async function claimDeliveries({ storage }: BenchEngine): Promise<number> {
  const share = (lanes: readonly Lane[]) =>
    new Map(lanes.map(({ hookId }) => [hookId, { take: 4, notBefore: null }]))
  const startedMs = performance.now()
  const claimed = await storage.deliveries.claim(
    {
      now: instantOf(Date.now()),
      lease: newId('lease'),
      leaseMs: 60_000,
      limit: BATCH,
      lanesMax: BATCH,
      busyHooks: [],
      busyHosts: [],
      firstAttemptsOnly: false,
    },
    share,
  )
  const tookMs = performance.now() - startedMs
  if (claimed.length !== BATCH) throw new Error(`a claim returned ${claimed.length} deliveries`)
  await storage.deliveries.release(claimed)
  return tookMs
}

async function claimFeeds({ storage }: BenchEngine): Promise<number> {
  const startedMs = performance.now()
  const claimed = await claimReviewFeeds(storage, 'apple', FEEDS_AT_ONCE)
  const tookMs = performance.now() - startedMs
  if (claimed.length !== FEEDS_AT_ONCE) throw new Error(`a claim returned ${claimed.length} feeds`)
  await storage.feeds.release(claimed)
  return tookMs
}

function reportFigures(bench: Bench, name: string, times: ReadonlyMap<number, number>, note: string): void {
  const [few = Number.NaN, many = Number.NaN] = times.values()
  for (const [size, ms] of times)
    bench.report({ name: `${name}.${size}`, value: ms, unit: 'ms per claim', note })
  bench.report({ name: `${name}.growth`, value: many / few, unit: 'times', target: atMost(many / few, FLAT) })
}
