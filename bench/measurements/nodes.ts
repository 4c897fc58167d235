import { startChild } from '../child.ts'
import { median } from '../figures.ts'
import type { Measurement } from '../measurement.ts'
import { openTargets, prepareSending, sendRound } from '../sending.ts'
import { startService } from '../services.ts'

/** Throughput of several nodes on one PostgreSQL. The nodes and the database share this machine's processors. */
export const nodes: Measurement = {
  name: 'nodes',
  about: 'deliveries per second of two and four nodes on one PostgreSQL, relative to one',
  async run(bench) {
    if (!bench.options.engines.includes('postgres')) return
    const rates = new Map<number, number>()
    for (const count of [1, 2, 4]) {
      await using opened = new AsyncDisposableStack()
      const receiver = opened.use(await startChild('receiver'))
      const engine = await bench.engine('postgres')
      const offer = await prepareSending(engine, await openTargets(receiver))
      for (let node = 0; node < count; node++) {
        opened.use(await startService(bench, engine, { RADAR_ROLES: 'fanout,send' }))
      }
      const perSecond: number[] = []
      const rounds = bench.options.short ? 3 : 7
      for (let round = 0; round <= rounds; round++) {
        const { events, tookMs } = await sendRound(receiver, offer, bench.options.short ? 60 : 250)
        if (round > 0) perSecond.push((events / tookMs) * 1000)
      }
      rates.set(count, median(perSecond))
    }
    for (const [count, rate] of rates) {
      const note = `${(rate / (rates.get(1) ?? Number.NaN)).toFixed(2)} of one`
      bench.report({ name: `nodes.postgres.${count}`, value: rate, unit: 'per second', note })
    }
  },
}
