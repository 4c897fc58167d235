import { startChild } from '../child.ts'
import type { EngineName } from '../engines.ts'
import { atLeast, atMost, median } from '../figures.ts'
import { createHooks } from '../hooks.ts'
import type { Bench, Measurement } from '../measurement.ts'
import { createOffer } from '../offer.ts'
import { type ServiceChild, startService } from '../services.ts'

/** Hosts, apps and hooks of an app: with 16 requests at once to a host, all 256 slots of a node are in use. */
const PLAN = { hosts: 16, apps: 16, hooksPerApp: 4 }
const CONCURRENCY = 256
const AIM: Record<EngineName, number> = { sqlite: 0.6, postgres: 0.4 }

type Round = { readonly perSecond: number; readonly cpuUs: number; readonly statements: number }

/**
 * Occurrences in storage, fan-out, claim, signed request over HTTP, settle: against a loop that makes the same requests
 * to the same receiver and nothing else. Rounds take turns, so that a noisy neighbour meets both.
 */
export const deliveries: Measurement = {
  name: 'deliveries',
  about: 'deliveries a second through the whole stored path, against a bare loop of signed requests',
  async run(bench) {
    await using opened = new AsyncDisposableStack()
    const receiver = opened.use(await startChild('receiver'))
    const urls = await receiver.call<string[]>('open', PLAN.hosts, true)
    const bare = opened.use(await startChild('bare-sender'))
    const paths: [EngineName, (perApp: number) => Promise<Round>][] = []
    for (const name of bench.options.engines) {
      const engine = await bench.engine(name)
      await createHooks(engine.storage, hookPlans(urls))
      const offer = createOffer(engine.storage)
      await offer.reviews(0)
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
    tell(bench, body, bares, done)
  },
}

function hookPlans(urls: readonly string[]) {
  return Array.from({ length: PLAN.apps * PLAN.hooksPerApp }, (_, index) => ({
    store: 'google' as const,
    appId: `org.example.app${index % PLAN.apps}`,
    targetUrl: urls[index % urls.length] ?? '',
  }))
}

async function round(
  receiver: Awaited<ReturnType<typeof startChild>>,
  offer: ReturnType<typeof createOffer>,
  service: ServiceChild,
  perApp: number,
): Promise<Round> {
  await receiver.call('reset')
  const before = { ...(await service.usage()), statements: await service.statements() }
  const events = (await offer.reviews(perApp)) * PLAN.hooksPerApp
  const tookMs = await receiver.call<number>('received', events)
  const after = { ...(await service.usage()), statements: await service.statements() }
  return {
    perSecond: (events / tookMs) * 1000,
    cpuUs: ((after.cpuMs - before.cpuMs) / events) * 1000,
    statements: (after.statements - before.statements) / events,
  }
}

function tell(
  bench: Bench,
  body: string,
  bares: readonly { readonly perSecond: number; readonly cpuUs: number }[],
  done: ReadonlyMap<EngineName, readonly Round[]>,
): void {
  const barePerSecond = median(bares.map(({ perSecond }) => perSecond))
  const bareCpuUs = median(bares.map(({ cpuUs }) => cpuUs))
  const note = `${bares.length} rounds, ${CONCURRENCY} at once, bodies of ${Buffer.byteLength(body)} bytes`
  bench.found({ name: 'deliveries.bare', value: barePerSecond, unit: 'per second', note })
  bench.found({ name: 'deliveries.bare.cpu', value: bareCpuUs, unit: 'us a request' })
  for (const [name, rounds] of done) {
    const ratios = rounds.map(({ perSecond }, index) => perSecond / (bares[index]?.perSecond ?? Number.NaN))
    const ratio = median(ratios)
    const cpuUs = median(rounds.map((one) => one.cpuUs))
    const of = `deliveries.${name}`
    bench.found({ name: of, value: median(rounds.map((one) => one.perSecond)), unit: 'per second' })
    bench.found({ name: `${of}.ratio`, value: ratio, unit: 'of bare', aim: atLeast(ratio, AIM[name]) })
    bench.found({ name: `${of}.cpu`, value: cpuUs, unit: 'us a delivery' })
    bench.found({ name: `${of}.cpu_ratio`, value: bareCpuUs / cpuUs, unit: 'of bare' })
    if (name === 'sqlite') continue
    const statements = median(rounds.map((one) => one.statements))
    bench.found({
      name: `${of}.statements`,
      value: statements,
      unit: 'a delivery',
      aim: atMost(statements, 1),
    })
  }
}
