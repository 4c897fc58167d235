import { setTimeout } from 'node:timers/promises'
import { atMost } from '../figures.ts'
import type { Measurement } from '../measurement.ts'
import { startService } from '../services.ts'

const STATEMENTS_MAX = 2

/**
 * The statements of an idle node on PostgreSQL. Without a hook: a poll has some fifty statements, and the service polls a new app at once.
 */
export const idle: Measurement = {
  name: 'idle',
  about: 'statements per second of an idle node on PostgreSQL',
  async run(bench) {
    if (!bench.options.engines.includes('postgres')) return
    const engine = await bench.engine('postgres')
    await using service = await startService(bench, engine, {})
    await setTimeout(bench.options.short ? 3_000 : 10_000)
    const before = await service.statements()
    const seconds = bench.options.short ? 10 : 60
    await setTimeout(seconds * 1000)
    const perSecond = ((await service.statements()) - before) / seconds
    const note = `over ${seconds} s, all roles`
    const target = atMost(perSecond, STATEMENTS_MAX)
    bench.report({ name: 'idle.postgres.statements', value: perSecond, unit: 'per second', note, target })
  },
}
