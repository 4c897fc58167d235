import { startChild } from '../child.ts'
import { median } from '../figures.ts'
import { createHooks } from '../hooks.ts'
import type { Measurement } from '../measurement.ts'
import { createOffer } from '../offer.ts'
import { startService } from '../services.ts'

const HOSTS = 16
const APPS = 16
const HOOKS_PER_APP = 4

/** Several nodes on one PostgreSQL: what more of them bring. All share this machine's processors with the database. */
export const nodes: Measurement = {
  name: 'nodes',
  about: 'deliveries a second of two and four nodes on one PostgreSQL, against one',
  async run(bench) {
    if (!bench.options.engines.includes('postgres')) return
    const rates = new Map<number, number>()
    for (const count of [1, 2, 4]) {
      await using opened = new AsyncDisposableStack()
      const receiver = opened.use(await startChild('receiver'))
      const urls = await receiver.call<string[]>('open', HOSTS, true)
      const engine = await bench.engine('postgres')
      await createHooks(
        engine.storage,
        Array.from({ length: APPS * HOOKS_PER_APP }, (_, index) => ({
          store: 'google' as const,
          appId: `org.example.app${index % APPS}`,
          targetUrl: urls[index % urls.length] ?? '',
        })),
      )
      const offer = createOffer(engine.storage)
      await offer.reviews(0)
      for (let node = 0; node < count; node++) {
        opened.use(await startService(bench, engine, { RADAR_ROLES: 'fanout,send' }))
      }
      const perSecond: number[] = []
      const rounds = bench.options.short ? 3 : 7
      for (let round = 0; round <= rounds; round++) {
        await receiver.call('reset')
        const events = (await offer.reviews(bench.options.short ? 60 : 250)) * HOOKS_PER_APP
        const tookMs = await receiver.call<number>('received', events)
        if (round > 0) perSecond.push((events / tookMs) * 1000)
      }
      rates.set(count, median(perSecond))
    }
    for (const [count, rate] of rates) {
      const note = `${(rate / (rates.get(1) ?? Number.NaN)).toFixed(2)} of one`
      bench.found({ name: `nodes.postgres.${count}`, value: rate, unit: 'per second', note })
    }
  },
}
