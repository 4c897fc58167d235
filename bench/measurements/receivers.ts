import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createAuthority } from '../../test/support/certificates.ts'
import { type Child, startChild } from '../child.ts'
import type { ReceiverOptions } from '../children/receiver.ts'
import type { EngineName } from '../engines.ts'
import { median } from '../figures.ts'
import type { Bench, Measurement } from '../measurement.ts'
import type { Offer } from '../offer.ts'
import { openTargets, prepareSending, sendRound } from '../sending.ts'
import { startService } from '../services.ts'

const CONCURRENCY = 256

type Shape = {
  readonly name: string
  readonly receiver: ReceiverOptions
  /** Texts of this length give bodies of about 4 and 64 KB. */
  readonly bodyCharsMin: number
  /** Reviews of each of 16 apps, which are 64 times as many events. */
  readonly perApp: number
}

/**
 * Deliveries per second to receivers as users have them. The reference is a loop that only sends the same requests to the same receiver.
 */
export const receivers: Measurement = {
  name: 'receivers',
  about: 'deliveries per second with large bodies, over TLS and to a slow receiver, relative to a bare loop',
  async run(bench) {
    await using opened = new AsyncDisposableStack()
    const authority = createAuthority()
    const authorityFile = join(await bench.folder(), 'authority.pem')
    await writeFile(authorityFile, authority.certificate)
    const environment = { NODE_EXTRA_CA_CERTS: authorityFile }
    const receiver = opened.use(await startChild('receiver'))
    const bare = opened.use(await startChild('bare-sender', { environment }))
    const shapes: Shape[] = [
      { name: '1kb', receiver: {}, bodyCharsMin: 0, perApp: 200 },
      { name: '4kb', receiver: {}, bodyCharsMin: 3_300, perApp: 150 },
      { name: '64kb', receiver: {}, bodyCharsMin: 64_000, perApp: 15 },
      { name: '50ms', receiver: { delayMs: 50 }, bodyCharsMin: 0, perApp: 150 },
      { name: 'tls', receiver: { tls: authority.issue('127.0.0.1') }, bodyCharsMin: 0, perApp: 150 },
    ]
    for (const name of bench.options.engines)
      for (const shape of shapes) await measure(bench, name, shape, { receiver, bare, environment })
  },
}

async function measure(
  bench: Bench,
  name: EngineName,
  shape: Shape,
  { receiver, bare, environment }: { receiver: Child; bare: Child; environment: Record<string, string> },
): Promise<void> {
  const urls = await openTargets(receiver, shape.receiver)
  const engine = await bench.engine(name)
  const offer: Offer = await prepareSending(engine, urls, shape.bodyCharsMin)
  await using _service = await startService(bench, engine, { RADAR_ROLES: 'fanout,send', ...environment })
  const perApp = bench.options.short ? Math.ceil(shape.perApp / 10) : shape.perApp
  await sendRound(receiver, offer, perApp)
  const body = await receiver.call<string>('lastBody')
  await bare.call('run', urls, CONCURRENCY, body, 1)
  const rates: number[] = []
  const ratios: number[] = []
  for (let round = 0; round < (bench.options.short ? 1 : 3); round += 1) {
    const reference = await bare.call<{ perSecond: number }>('run', urls, CONCURRENCY, body, 2)
    const { events, tookMs } = await sendRound(receiver, offer, perApp)
    const perSecond = (events / tookMs) * 1000
    rates.push(perSecond)
    ratios.push(perSecond / reference.perSecond)
  }
  const of = `receivers.${name}.${shape.name}`
  const note = `bodies of ${Buffer.byteLength(body)} bytes`
  bench.report({ name: of, value: median(rates), unit: 'per second', note })
  bench.report({ name: `${of}.ratio`, value: median(ratios), unit: 'of bare' })
}
