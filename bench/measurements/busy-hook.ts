import { startChild } from '../child.ts'
import { median } from '../figures.ts'
import { createHooks } from '../hooks.ts'
import type { Measurement } from '../measurement.ts'
import { createOffer } from '../offer.ts'
import { sendRound } from '../sending.ts'
import { startService } from '../services.ts'

const DELAY_MS = 50
const SIZES = [4, 16, 64]
/** The number of requests at once before it adapted. */
const FIXED = { RADAR_DELIVERY_PER_HOOK: '8', RADAR_DELIVERY_PER_HOST: '16' }
const LEAD_MS = 2_000

/**
 * Deliveries per second of one hook whose receiver works on some requests at once, 50 ms each. The reference is a loop with twice as many
 * requests at once as the receiver works on, so that it always has the next one. The first round starts with 8 requests at once; the others
 * with what the first one learned.
 */
export const busyHook: Measurement = {
  name: 'busy-hook',
  about:
    'deliveries per second of one hook to a receiver that works on 4, 16 or 64 requests at once, by limit',
  async run(bench) {
    for (const name of bench.options.engines) {
      for (const atOnce of SIZES) {
        await using opened = new AsyncDisposableStack()
        const receiver = opened.use(await startChild('receiver'))
        const bare = opened.use(await startChild('bare-sender'))
        const [url = ''] = await receiver.call<string[]>('open', 1, true, { delayMs: DELAY_MS, atOnce })
        const reviews = bench.options.short ? 200 : 30 * atOnce + 150
        const paths = []
        for (const settings of [FIXED, {}]) {
          const engine = await bench.engine(name)
          const plan = { store: 'google', appId: 'org.example.app', targetUrl: url } as const
          await createHooks(engine.storage, [plan])
          const offer = createOffer(engine.storage)
          await offer.reviews(0)
          opened.use(await startService(bench, engine, { RADAR_ROLES: 'fanout,send', ...settings }))
          const label = settings === FIXED ? 'fixed' : 'adaptive'
          paths.push({ label, offer, perSecond: [] as number[] })
        }
        const bares: number[] = []
        for (let round = 0; round < (bench.options.short ? 2 : 3); round += 1) {
          const body = JSON.stringify({ round }).padEnd(1_100)
          bares.push((await bare.call<{ perSecond: number }>('run', [url], atOnce * 2, body, 2)).perSecond)
          for (const { offer, perSecond } of paths) {
            const { events, tookMs } = await sendRound(receiver, offer, reviews, 1, LEAD_MS)
            perSecond.push((events / tookMs) * 1000)
          }
        }
        for (const { label, perSecond } of paths) {
          const of = `busy-hook.${name}.${atOnce}.${label}`
          const [first = Number.NaN, ...others] = perSecond
          const learned = median(others)
          bench.report({ name: `${of}.first`, value: first, unit: 'per second', note: `${reviews} events` })
          bench.report({ name: of, value: learned, unit: 'per second' })
          bench.report({ name: `${of}.ratio`, value: learned / median(bares), unit: 'of bare' })
        }
      }
    }
  },
}
