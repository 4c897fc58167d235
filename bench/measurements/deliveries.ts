import { type Child, startChild } from '../child.ts'
import type { EngineName } from '../engines.ts'
import { atLeast, atMost, median } from '../figures.ts'
import type { Bench, Measurement } from '../measurement.ts'
import type { Offer } from '../offer.ts'
import { openTargets, prepareSending, sendRound } from '../sending.ts'
import { type ServiceChild, startService } from '../services.ts'

/** As many requests as a node has slots. */
const CONCURRENCY = 256
const TARGET: Record<EngineName, number> = { sqlite: 0.7, postgres: 0.55 }

type Round = { readonly perSecond: number; readonly cpuUs: number; readonly statements: number }

/**
 * Throughput of deliveries, from stored occurrences through fan-out, claim and signed request to settle. The reference is a loop that only
 * sends the same requests to the same receiver. Rounds alternate, so that other load affects both.
 */
export const deliveries: Measurement = {
  name: 'deliveries',
  about: 'deliveries per second from stored occurrence to settle, relative to a bare loop of signed requests',
  async run(bench) {
    await using opened = new AsyncDisposableStack()
    const receiver = opened.use(await startChild('receiver'))
    const urls = await openTargets(receiver)
    const bare = opened.use(await startChild('bare-sender'))
    const paths: [EngineName, (perApp: number) => Promise<Round>][] = []
    for (const name of bench.options.engines) {
      const engine = await bench.engine(name)
      const offer = await prepareSending(engine, urls)
      const service = opened.use(await startService(bench, engine, { RADAR_ROLES: 'fanout,send' }))
      paths.push([name, (perApp) => round(receiver, offer, service, perApp)])
    }

    const { rounds, perApp, seconds } = bench.options.short
      ? { rounds: 3, perApp: 60, seconds: 1 }
      : { rounds: 9, perApp: 250, seconds: 3 }
    for (const [, path] of paths) await path(perApp)
    const body = await receiver.call<string>('lastBody')
    await bare.call('run', urls, CONCURRENCY, body, 1)

    const bares: { perSecond: number; cpuUs: number }[] = []
    const done = new Map<EngineName, Round[]>(paths.map(([name]) => [name, []]))
    for (let number = 1; number <= rounds; number++) {
      bares.push(await bare.call('run', urls, CONCURRENCY, body, seconds))
      for (const [name, path] of paths) done.get(name)?.push(await path(perApp))
    }
    reportFigures(bench, body, bares, done)
  },
}

async function round(receiver: Child, offer: Offer, service: ServiceChild, perApp: number): Promise<Round> {
  const before = { ...(await service.usage()), statements: await service.statements() }
  const { events, tookMs } = await sendRound(receiver, offer, perApp)
  const after = { ...(await service.usage()), statements: await service.statements() }
  return {
    perSecond: (events / tookMs) * 1000,
    cpuUs: ((after.cpuMs - before.cpuMs) / events) * 1000,
    statements: (after.statements - before.statements) / events,
  }
}

function reportFigures(
  bench: Bench,
  body: string,
  bares: readonly { readonly perSecond: number; readonly cpuUs: number }[],
  done: ReadonlyMap<EngineName, readonly Round[]>,
): void {
  const barePerSecond = median(bares.map(({ perSecond }) => perSecond))
  const bareCpuUs = median(bares.map(({ cpuUs }) => cpuUs))
  const note = `${bares.length} rounds, ${CONCURRENCY} at once, bodies of ${Buffer.byteLength(body)} bytes`
  bench.report({ name: 'deliveries.bare', value: barePerSecond, unit: 'per second', note })
  bench.report({ name: 'deliveries.bare.cpu', value: bareCpuUs, unit: 'us per request' })
  for (const [name, rounds] of done) {
    const ratios = rounds.map(({ perSecond }, index) => perSecond / (bares[index]?.perSecond ?? Number.NaN))
    const ratio = median(ratios)
    const cpuUs = median(rounds.map((one) => one.cpuUs))
    const of = `deliveries.${name}`
    bench.report({ name: of, value: median(rounds.map((one) => one.perSecond)), unit: 'per second' })
    bench.report({ name: `${of}.ratio`, value: ratio, unit: 'of bare', target: atLeast(ratio, TARGET[name]) })
    bench.report({ name: `${of}.cpu`, value: cpuUs, unit: 'us per delivery' })
    bench.report({ name: `${of}.cpu_ratio`, value: bareCpuUs / cpuUs, unit: 'of bare' })
    if (name === 'sqlite') continue
    const statements = median(rounds.map((one) => one.statements))
    bench.report({
      name: `${of}.statements`,
      value: statements,
      unit: 'per delivery',
      target: atMost(statements, 1),
    })
  }
}
