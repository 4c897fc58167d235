import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '../../client/client.ts'
import type { SubscribeBody } from '../../contract/hook.ts'
import { tokenOperations } from '../../operations/tokens.ts'
import { systemClock } from '../../runtime/clock.ts'
import { type Log, silentLog } from '../../runtime/log.ts'
import { configOf } from '../../service/config/config.ts'
import { createService, type Service } from '../../service/service.ts'
import { startActivity } from '../../simulate/activity.ts'
import { startSimulation } from '../../simulate/server.ts'
import { firstApp, SIMULATED_APPS, type SimulatedApp } from '../../simulate/simulated-apps.ts'
import { createWorld } from '../../simulate/world.ts'
import { type Received, type Receiver, startReceiver } from '../receiver/receiver.ts'
import { connectApp } from './connected-app.ts'
import { answerReviews } from './demo-answers.ts'
import { breakFeed, openFailingDestinations } from './failures.ts'
import { eventLine } from './lines.ts'

/** About one line every two seconds, slow enough to read. */
const REVIEWS_PER_MINUTE = 40
/** Days with old reviews: one month, and the previous month for comparison. */
const OLD_REVIEWS_DAYS = 60
/** A broken release, after some ordinary activity. */
const RELEASE = { version: '5.2.0', afterMs: 20_000 }
/** The rate for the simulated stores, a thousand times that for real stores. */
const POLL_INTERVAL = '1s'
const REQUESTS_PER_MINUTE = '6000'
/** Time limit for the first poll of every feed, ten times the usual time. */
const BASELINE_MS_MAX = 20_000

export type DemoResult = {
  readonly reviews: number
  readonly drops: number
  readonly spikes: number
  readonly repeats: number
  readonly rejected: number
}

/** Runs the demo on free ports and in a temporary folder until `stop` resolves. Leaves no files. */
export async function runDemo(options: {
  readonly port: number
  readonly print: (text: string) => void
  readonly log?: Log
  /** Called when the simulated activity starts. Resolves when the demo should end. */
  readonly stop: () => Promise<void>
}): Promise<DemoResult> {
  const { print, log = silentLog } = options
  const result = { reviews: 0, drops: 0, spikes: 0, repeats: 0, rejected: 0 }
  const names = new Map(
    SIMULATED_APPS.flatMap((app) => Object.values(app.appIds).map((id) => [id, app.name])),
  )
  const onReceived = (received: Received) => {
    if (received.refusal !== null) {
      result.rejected += 1
      print(`rejected: ${received.refusal}\n`)
    } else if (received.isRepeat) result.repeats += 1
    else {
      if (received.event.event_type === 'review.created') result.reviews += 1
      else if (received.event.event_type === 'reviews.spiked') result.spikes += 1
      else if (received.event.event_type === 'rating.dropped') result.drops += 1
      print(eventLine(received.event, names.get(received.event.app_id) ?? received.event.app_id))
    }
  }

  await using opened = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'radar-demo-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  const world = createWorld()
  const simulation = opened.use(await startSimulation({ host: '127.0.0.1', world, clock: systemClock, log }))
  const begin = Promise.withResolvers<void>()
  const activityEnds = new AbortController()
  const activity = startActivity(world, {
    clock: systemClock,
    reviewsPerMinute: REVIEWS_PER_MINUTE,
    seed: 7,
    signal: activityEnds.signal,
    oldReviewsDays: OLD_REVIEWS_DAYS,
    release: RELEASE,
    startWhen: begin.promise,
  })
  opened.defer(async () => {
    activityEnds.abort()
    begin.resolve()
    await activity.done
  })
  const secrets = new Map<string, string>()
  const receiver = opened.use(
    await startReceiver({
      host: '127.0.0.1',
      port: 0,
      secretOf: (path) => secrets.get(path),
      status: 204,
      clock: systemClock,
      onReceived,
    }),
  )
  const config = configOf({
    RADAR_PORT: String(options.port),
    RADAR_DATA_DIR: folder,
    RADAR_APPLE_ITUNES_URL: simulation.appleUrl,
    RADAR_APPLE_WEB_URL: simulation.appleUrl,
    RADAR_GOOGLE_PLAY_URL: simulation.googleUrl,
    RADAR_APP_STORE_CONNECT_URL: simulation.appleUrl,
    RADAR_GOOGLE_PLAY_DEVELOPER_URL: simulation.googleUrl,
    RADAR_GOOGLE_OAUTH_URL: simulation.googleUrl,
    RADAR_GOOGLE_STORAGE_URL: simulation.googleUrl,
    RADAR_REVIEWS_POLL_INTERVAL: POLL_INTERVAL,
    RADAR_RATINGS_POLL_INTERVAL: POLL_INTERVAL,
    RADAR_OFFICIAL_POLL_INTERVAL: POLL_INTERVAL,
    RADAR_APPLE_REQUESTS_PER_MINUTE: REQUESTS_PER_MINUTE,
    RADAR_GOOGLE_REQUESTS_PER_MINUTE: REQUESTS_PER_MINUTE,
    RADAR_ALLOW_TARGET_CIDRS: '127.0.0.1',
  })
  const service = opened.use(await createService(config, { log, demo: true }))
  await service.start()
  const { accountId, link } = await service.createDemoAccount('Demo')
  const { accounts } = service.storage
  const { value: token } = await tokenOperations({ accounts, clock: systemClock }).create(accountId, {
    name: 'demo',
  })

  print(`Review Radar     ${service.url}   (API reference: ${service.url}/docs)
Console          ${link}   signs you in, once
App Store        ${simulation.appleUrl}   simulated
Google Play      ${simulation.googleUrl}   simulated
Receiver         ${receiver.url}   verifies every signature
API token        ${token}

`)
  const hooks = await subscribeAll(service, receiver, token, secrets)
  const client = createClient({ baseUrl: service.url, token })
  for (const { url, about } of await openFailingDestinations(opened)) {
    await client.subscribe({ ...WATCHED, target_url: url, external_ref: about })
  }
  print(`${hooks} hooks created over the API; reading the current state of the stores …\n`)
  await baseline(service)
  breakFeed(world)
  const app = await connectApp(world, client)
  const support = await tokenOperations({ accounts, clock: systemClock }).create(accountId, {
    name: 'Support desk',
    scopes: ['read', 'reply'],
  })
  const answering = answerReviews({
    world,
    client: createClient({ baseUrl: service.url, token: support.value }),
    app,
    clock: systemClock,
    signal: activityEnds.signal,
  }).catch((error: unknown) => {
    if (!activityEnds.signal.aborted) print(`The demo could not answer reviews: ${String(error)}\n`)
  })
  opened.defer(async () => {
    activityEnds.abort()
    await answering
  })
  print('Simulated users now write reviews. Press Ctrl-C to stop.\n\n')
  begin.resolve()
  await options.stop()
  return result
}

/** Reviews and rating drops of every app in both stores, and spikes of the first one. */
async function subscribeAll(
  service: Service,
  receiver: Receiver,
  token: string,
  /** By the path of the hook's target. */
  secrets: Map<string, string>,
): Promise<number> {
  const client = createClient({ baseUrl: service.url, token })
  const bodies = [...SIMULATED_APPS.flatMap((app) => hooksOf(app)), ...spikesOf(firstApp())]
  for (const [index, body] of bodies.entries()) {
    const path = `/hook-${index + 1}`
    const made = await client.subscribe({ ...body, target_url: `${receiver.url}${path}` })
    secrets.set(path, made.secret)
  }
  return bodies.length
}

function hooksOf(app: SimulatedApp): Omit<SubscribeBody, 'target_url'>[] {
  return (['apple', 'google'] as const).flatMap((store) => [
    ...(['us', 'de', 'jp', 'br'] as const).map((country) => ({
      store,
      app_id: app.appIds[store],
      event_type: 'review.created' as const,
      country,
    })),
    {
      store,
      app_id: app.appIds[store],
      event_type: 'rating.dropped' as const,
      delta: 0.05,
      country: 'us' as const,
    },
  ])
}

/** More than the demo has before its broken release. */
const SPIKE_MIN_REVIEWS = 10

/** Spikes of negative reviews of the app with the broken release. */
function spikesOf(app: SimulatedApp): Omit<SubscribeBody, 'target_url'>[] {
  return (['apple', 'google'] as const).map((store) => ({
    store,
    app_id: app.appIds[store],
    event_type: 'reviews.spiked',
    spike_min_reviews: SPIKE_MIN_REVIEWS,
    country: 'us',
  }))
}

/** Reviews of the first app, for the destinations that fail. */
const WATCHED = {
  store: 'apple',
  app_id: SIMULATED_APPS[0]?.appIds.apple ?? '',
  event_type: 'review.created',
  country: 'us',
} as const

/** Waits until every feed was polled once. Later reviews are new. */
async function baseline({ storage }: Service): Promise<void> {
  const deadlineMs = systemClock.now().getTime() + BASELINE_MS_MAX
  while (systemClock.now().getTime() < deadlineMs) {
    const feeds = await storage.feeds.list({ failingOnly: false, limit: 1_000 })
    if (feeds.length > 0 && feeds.every((feed) => feed.lastOkAt !== null)) return
    await systemClock.sleep(50)
  }
}
