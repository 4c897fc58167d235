import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '../../client/client.ts'
import { tokenOperations } from '../../operations/tokens.ts'
import { systemClock } from '../../runtime/clock.ts'
import { later } from '../../runtime/instant.ts'
import { type Log, silentLog } from '../../runtime/log.ts'
import { configOf } from '../../service/config/config.ts'
import type { DemoAccount } from '../../service/console.ts'
import { addHistory } from '../../service/demo-history/add-history.ts'
import { createService, type Service } from '../../service/service.ts'
import { startActivity } from '../../simulate/activity.ts'
import { createPastStores } from '../../simulate/past-stores.ts'
import { createRandom } from '../../simulate/random.ts'
import { startSimulation } from '../../simulate/server.ts'
import { SIMULATED_APPS } from '../../simulate/simulated-apps.ts'
import { createWorld, type World } from '../../simulate/world.ts'
import { type Received, startReceiver } from '../receiver/receiver.ts'
import { connectApp } from './connected-app.ts'
import { answerReviews } from './demo-answers.ts'
import { createDestinations, type DemoTargets, PLATFORM } from './destinations.ts'
import { breakFeed, openFailingDestinations, pastAnswers } from './failures.ts'
import { eventLine } from './lines.ts'

/** About one line every three seconds, slow enough to read. */
const REVIEWS_PER_MINUTE = 20
/** Then fewer, so that today's bar does not dwarf the days before it, which have 34 reviews each. */
const CALM = { afterMs: 120_000, reviewsPerMinute: 4 }
/** The simulated app with the most reviews. */
const REFERENCE_APPS = 'apple/9100000101,google/com.example.larkspur'
/** Days with old reviews: one month, and the previous month for comparison. */
const OLD_REVIEWS_DAYS = 60
/** Days with events and deliveries before the start. */
const HISTORY_DAYS = 30
const HISTORY_SEED = 11
/** How long before its first event the account of the demo was created. */
const CREATED_MS = 60 * 60_000
/** A broken release, after some ordinary activity. */
const RELEASE = { version: '5.2.0', afterMs: 20_000 }
/** The rate for the simulated stores, a thousand times that for real stores. */
const POLL_INTERVAL = '1s'
const REQUESTS_PER_MINUTE = '6000'

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
    calm: CALM,
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
  let secrets: ReadonlyMap<string, string> = new Map()
  const receive = (onReceived: (received: Received) => void) =>
    startReceiver({
      host: '127.0.0.1',
      port: 0,
      secretOf: (path) => secrets.get(path),
      status: 204,
      clock: systemClock,
      onReceived,
    })
  const receiver = opened.use(await receive(onReceived))
  const silentReceiver = opened.use(
    await receive(({ refusal }) => {
      if (refusal !== null) result.rejected += 1
    }),
  )
  const targets = {
    receiver: receiver.url,
    silentReceiver: silentReceiver.url,
    ...(await openFailingDestinations(opened)),
  }
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
    RADAR_REFERENCE_APPS: REFERENCE_APPS,
    RADAR_REVIEWS_POLL_INTERVAL: POLL_INTERVAL,
    RADAR_RATINGS_POLL_INTERVAL: POLL_INTERVAL,
    RADAR_OFFICIAL_POLL_INTERVAL: POLL_INTERVAL,
    RADAR_APPLE_REQUESTS_PER_MINUTE: REQUESTS_PER_MINUTE,
    RADAR_GOOGLE_REQUESTS_PER_MINUTE: REQUESTS_PER_MINUTE,
    RADAR_ALLOW_TARGET_CIDRS: '127.0.0.1',
    RADAR_AUTOMATION_PLATFORMS: PLATFORM,
  })
  const service = opened.use(await createService(config, { log, demo: true }))
  const account = Promise.withResolvers<DemoAccount>()
  await service.start(async () => {
    const made = await service.createDemoAccount('Demo')
    secrets = await addPast(service, made.accountId, {
      world,
      targets,
      waitsMs: config.delivery.retryWaitsMs,
    })
    account.resolve(made)
  })
  const { accountId, link } = await account.promise
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
  const client = createClient({ baseUrl: service.url, token })
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

/**
 * Creates the destinations as they were a month ago, and their events and deliveries since then. Returns the secrets by the path of the
 * target.
 */
async function addPast(
  service: Service,
  accountId: string,
  { world, targets, waitsMs }: { world: World; targets: DemoTargets; waitsMs: readonly number[] },
): Promise<ReadonlyMap<string, string>> {
  const { next: random } = createRandom(HISTORY_SEED)
  const until = systemClock.now()
  const from = later(until, -HISTORY_DAYS * 24 * 3_600_000)
  // Lists are sorted by time of creation.
  let created = 0
  const now = () => later(from, 1_000 * created++ - CREATED_MS)
  const operations = service.operationsAt({ ...systemClock, now })
  const secrets = await createDestinations(operations, accountId, targets)
  await addHistory({
    ...{ storage: service.storage, from, until, waitsMs, random },
    stores: createPastStores(world, until),
    answer: pastAnswers(targets, until, random),
  })
  return secrets
}
