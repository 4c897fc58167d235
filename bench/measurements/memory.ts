import { setTimeout } from 'node:timers/promises'
import { startChild } from '../child.ts'
import { createHooks, spreadHooks } from '../hooks.ts'
import type { Measurement } from '../measurement.ts'
import { startService } from '../services.ts'
import { startStores } from '../stores.ts'

const APPS = Array.from({ length: 20 }, (_, index) => String(9_400_000_000 + index))
const HOOKS_PER_APP = 4
const EVENTS_PER_SECOND = 500
const MIB = 1024 * 1024

/** Resident memory of the service with enrichment, idle and while it polls, enriches and delivers. */
export const memory: Measurement = {
  name: 'memory',
  about: 'resident memory of the service, idle and under load',
  async run(bench) {
    for (const name of bench.options.engines) {
      await using opened = new AsyncDisposableStack()
      const engine = await bench.engine(name)
      const receiver = opened.use(await startChild('receiver'))
      const urls = await receiver.call<string[]>('open', 8, true)
      const stores = opened.use(await startStores(APPS))
      const settings = { ...stores.settings, RADAR_ENRICHMENT: 'offline' }
      const service = opened.use(await startService(bench, engine, settings))
      await setTimeout(bench.options.short ? 3_000 : 10_000)
      const idle = (await service.usage()).rssBytes

      await createHooks(engine.storage, spreadHooks('apple', APPS, HOOKS_PER_APP, urls))
      await stores.offer(EVENTS_PER_SECOND / HOOKS_PER_APP)
      const untilMs = performance.now() + (bench.options.short ? 10_000 : 60_000)
      let max = 0
      while (performance.now() < untilMs) {
        await setTimeout(500)
        max = Math.max(max, (await service.usage()).rssBytes)
      }
      const delivered = await receiver.call<number>('count')
      bench.report({ name: `memory.${name}.idle`, value: idle / MIB, unit: 'MiB' })
      const note = `${delivered} events delivered, ${EVENTS_PER_SECOND} offered per second`
      bench.report({ name: `memory.${name}.load`, value: max / MIB, unit: 'MiB', note })
    }
  },
}
