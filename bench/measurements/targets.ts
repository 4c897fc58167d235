import { setTimeout } from 'node:timers/promises'
import { HTTP_PRESETS } from '../../src/contract/http-presets.ts'
import { FORMATTED_TARGET_TYPES, TARGET_TYPES, type TargetType } from '../../src/model/target.ts'
import { instantOf } from '../../src/runtime/instant.ts'
import { settingsAt } from '../../test/support/chat/chat-services.ts'
import { readAttempts } from '../attempt-log.ts'
import { type Child, startChild } from '../child.ts'
import type { BenchEngine } from '../engines.ts'
import { atMost, quantile } from '../figures.ts'
import { createHooks, type FormattedPlan, type HookPlan } from '../hooks.ts'
import type { Bench, Measurement } from '../measurement.ts'
import { createOffer } from '../offer.ts'
import { startService } from '../services.ts'
import { startStores } from '../stores.ts'

const APPS = Array.from({ length: 40 }, (_, index) => String(9_400_000_000 + index))
const DESTINATIONS = 1_000
/** Each destination gets a message in ten seconds, which is below the pace of every service. */
const EVENTS_PER_SECOND = 100
const WEBHOOK_HOSTS = 8
const BLOCKED_APP = 'org.example.blocked'
const BLOCKED_CHANNELS = 3
const BLOCKED_PENDING = 1_000
const WARM_UP_MS = 5_000
const GROWTH_MAX = 2

/** What the Slack channels do that are not measured themselves. */
const BLOCKS = ['limits', 'hangs'] as const
type Block = (typeof BLOCKS)[number]

type Run = { readonly quantiles: readonly number[]; readonly perSecond: number; readonly slackP95: number }

/**
 * The time from the due time of a delivery to its request, with 1,000 destinations of all types at local servers of the services. In two of
 * the runs, three Slack channels have 1,000 pending deliveries each and answer 429 forever, or never answer.
 */
export const targets: Measurement = {
  name: 'targets',
  about: 'due-to-sent of 1,000 destinations of all types, with and without blocked Slack channels',
  async run(bench) {
    for (const name of bench.options.engines) {
      const plain = await measure(bench, await bench.engine(name), null)
      reportFigures(bench, `targets.${name}`, plain)
      for (const block of BLOCKS) {
        const run = await measure(bench, await bench.engine(name), block)
        reportFigures(bench, `targets.${name}.${block}`, run)
        const all = [plain.quantiles[1], run.quantiles[1]] as const
        const slack = [plain.slackP95, run.slackP95] as const
        reportGrowth(bench, `targets.${name}.${block}_growth`, all)
        reportGrowth(bench, `targets.${name}.${block}_growth_of_slack`, slack)
      }
    }
  },
}

async function measure(bench: Bench, engine: BenchEngine, block: Block | null): Promise<Run> {
  await using opened = new AsyncDisposableStack()
  const receiver = opened.use(await startChild('receiver'))
  const chat = opened.use(await startChild('chat'))
  const webhooks = await receiver.call<string[]>('open', WEBHOOK_HOSTS, true)
  const urls = await chat.call<Record<TargetType | 'mail', string>>('urls')
  const plans = plansOf(urls, webhooks)
  const hooks = await createHooks(engine.storage, plans)
  if (block !== null) await createBlocked(engine, chat, block)
  const stores = opened.use(await startStores(APPS))
  const service = opened.use(
    await startService(bench, engine, {
      ...stores.settings,
      RADAR_PUBLIC_URL: 'https://radar.example.com',
      RADAR_SMTP_URL: urls.mail,
      RADAR_SMTP_FROM: 'radar@example.com',
      RADAR_MAIL_CONSENT: 'off',
    }),
  )
  while (
    block !== null &&
    (await engine.storage.maintenance.depths(instantOf(Date.now()))).waitingForFanOut > 0
  )
    await setTimeout(200)

  await stores.offer((EVENTS_PER_SECOND * APPS.length) / DESTINATIONS)
  await setTimeout(WARM_UP_MS)
  const fromMs = Date.now()
  await setTimeout(bench.options.short ? 10_000 : 40_000)
  const toMs = Date.now()
  await stores.offer(0)
  const types = new Map(hooks.map(({ id }, at) => [id, plans[at]?.formatted?.type ?? 'webhook']))
  const attempts = (await readAttempts(service.logFile)).filter(
    ({ hookId, atMs }) => types.has(hookId) && atMs >= fromMs && atMs < toMs,
  )
  const waits = attempts.map(({ dueToSentMs }) => dueToSentMs)
  const ofSlack = attempts.filter(({ hookId }) => types.get(hookId) === 'slack')
  if (block !== null) bench.log(`the blocked channels got ${await chat.call<number>('blocked')} requests`)
  return {
    quantiles: [0.5, 0.95, 0.99].map((share) => quantile(waits, share)),
    perSecond: (waits.length * 1000) / (toMs - fromMs),
    slackP95: quantile(
      ofSlack.map(({ dueToSentMs }) => dueToSentMs),
      0.95,
    ),
  }
}

/** Every type for every app, in turn. */
function plansOf(urls: Readonly<Record<string, string>>, webhooks: readonly string[]): HookPlan[] {
  const settings = Object.fromEntries(
    FORMATTED_TARGET_TYPES.map((type) => [type, settingsOf(type, urls[type] ?? '')]),
  )
  return Array.from({ length: DESTINATIONS }, (_, index) => {
    const type = TARGET_TYPES[index % TARGET_TYPES.length] ?? 'webhook'
    const plan = {
      store: 'apple' as const,
      appId: APPS[index % APPS.length] ?? '',
      targetUrl: webhooks[index % webhooks.length] ?? '',
    }
    return type === 'webhook' ? plan : { ...plan, formatted: { type, settings: settings[type] ?? {} } }
  })
}

function settingsOf(type: FormattedPlan['type'], url: string): FormattedPlan['settings'] {
  if (type === 'email') return { to: ['team@example.com'] }
  return type === 'http' ? { ...HTTP_PRESETS.ntfy, url: `${url}/` } : settingsAt(url)[type]
}

/** Slack channels with a backlog for an app that the service does not poll. */
async function createBlocked({ storage }: BenchEngine, chat: Child, block: Block): Promise<void> {
  const { webhook_url } = await chat.call<{ webhook_url: string }>('block', block)
  const formatted = { type: 'slack', settings: { webhook_url } } as const
  const plan = { store: 'google', appId: BLOCKED_APP, targetUrl: '', formatted } as const
  await createHooks(storage, Array(BLOCKED_CHANNELS).fill(plan))
  const offer = createOffer(storage)
  for (let offered = 0; offered < BLOCKED_PENDING; ) offered += await offer.reviews(1_000)
}

function reportFigures(bench: Bench, name: string, { quantiles, perSecond }: Run): void {
  const note = `${Math.round(perSecond)} sent per second`
  for (const [index, label] of ['p50', 'p95', 'p99'].entries()) {
    bench.report({ name: `${name}.${label}`, value: quantiles[index] ?? Number.NaN, unit: 'ms', note })
  }
}

function reportGrowth(
  bench: Bench,
  name: string,
  [was = Number.NaN, is = Number.NaN]: readonly [number?, number?],
): void {
  // The resolution of the log's clock is a millisecond.
  const growth = is / Math.max(1, was)
  bench.report({ name, value: growth, unit: 'times', note: 'p95', target: atMost(growth, GROWTH_MAX) })
}
