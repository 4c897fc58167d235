import { setTimeout } from 'node:timers/promises'
import { startChild } from '../child.ts'
import type { EngineName } from '../engines.ts'
import { atMost } from '../figures.ts'
import { createHooks, spreadHooks } from '../hooks.ts'
import type { Bench, Measurement } from '../measurement.ts'
import { startService } from '../services.ts'
import { startStores } from '../stores.ts'

const APPS = Array.from({ length: 20 }, (_, index) => String(9_400_000_000 + index))
const HOOKS_PER_APP = 4
const EVENTS_PER_SECOND = 500
const MIB = 1024 * 1024

const ENRICHMENTS = ['offline', 'off'] as const
/** Without the language engine. */
const IDLE_MIB_MAX = 110
const LOAD_MIB_MAX = 256

/** Resident memory of the service with and without enrichment, idle and while it polls and delivers. */
export const memory: Measurement = {
  name: 'memory',
  about: 'resident memory of the service, idle and under load, with and without enrichment',
  async run(bench) {
    for (const name of bench.options.engines)
      for (const enrichment of ENRICHMENTS) await measure(bench, name, enrichment)
  },
}

async function measure(
  bench: Bench,
  name: EngineName,
  enrichment: (typeof ENRICHMENTS)[number],
): Promise<void> {
  await using opened = new AsyncDisposableStack()
  const engine = await bench.engine(name)
  const receiver = opened.use(await startChild('receiver'))
  const urls = await receiver.call<string[]>('open', 8, true)
  const stores = opened.use(await startStores(APPS))
  const settings = { ...stores.settings, RADAR_ENRICHMENT: enrichment }
  const service = opened.use(await startService(bench, engine, settings))
  await setTimeout(bench.options.short ? 3_000 : 10_000)
  const idle = (await service.usage()).rssBytes / MIB

  await createHooks(engine.storage, spreadHooks('apple', APPS, HOOKS_PER_APP, urls))
  await stores.offer(EVENTS_PER_SECOND / HOOKS_PER_APP)
  const untilMs = performance.now() + (bench.options.short ? 10_000 : 60_000)
  let load = 0
  while (performance.now() < untilMs) {
    await setTimeout(500)
    load = Math.max(load, (await service.usage()).rssBytes / MIB)
  }
  const delivered = await receiver.call<number>('count')
  const of = enrichment === 'off' ? `memory.${name}.plain` : `memory.${name}`
  const target = (value: number, max: number) => (enrichment === 'off' ? { target: atMost(value, max) } : {})
  bench.report({ name: `${of}.idle`, value: idle, unit: 'MiB', ...target(idle, IDLE_MIB_MAX) })
  const note = `${delivered} events delivered, ${EVENTS_PER_SECOND} offered per second`
  bench.report({ name: `${of}.load`, value: load, unit: 'MiB', note, ...target(load, LOAD_MIB_MAX) })
}
