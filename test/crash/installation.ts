import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createClient } from '../../src/client/client.ts'
import { newId } from '../../src/model/ids.ts'
import { PULL_TARGET } from '../../src/model/inbox.ts'
import type { Store } from '../../src/model/vocabulary.ts'
import { silentLog } from '../../src/runtime/log.ts'
import { configOf } from '../../src/service/config/config.ts'
import { openConfigured } from '../../src/service/operate.ts'
import { createRandom } from '../../src/simulate/random.ts'
import { startSimulation } from '../../src/simulate/server.ts'
import { createWorld } from '../../src/simulate/world.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { testClock } from '../support/clock.ts'
import { freePort } from '../support/free-port.ts'
import { createAccount, createToken } from '../support/people.ts'
import { startOwnPostgres } from '../support/postgres.ts'
import { until } from '../support/until.ts'
import { type Activity, createActivity, HOOKS, idleApps, type PlannedHook, populate } from './activity.ts'
import { createOwner, type Owner, withAnswersOnce } from './connected.ts'
import { formattedTarget, recipientsOf } from './formatted.ts'
import { createLedger, type Ledger, PULLED_PREFIX } from './ledger.ts'
import { startMailReceiver } from './mail-receiver.ts'
import { createNode, type Node } from './nodes.ts'
import { startPuller } from './puller.ts'
import { type CrashReceiver, startCrashReceiver } from './receiver.ts'

export type InstallationOptions = {
  readonly engine: 'sqlite' | 'postgres'
  readonly nodes: number
  readonly seed: number
  /** Seconds of the service's time per real second. */
  readonly speed: number
  readonly requestsPerMinute: number
  /** Without the language engine a start takes a third of the processor time. */
  readonly enrichment: boolean
  /** Additional idle apps to poll in each store. */
  readonly idleApps: number
}

/** The stores and the receiver in this process, and nodes of the service in other processes, on a new database. */
export type Installation = AsyncDisposable & {
  readonly nodes: readonly Node[]
  readonly activity: Activity
  readonly ledger: Ledger
  readonly receiver: CrashReceiver
  readonly logFile: string
  /**
   * Makes the receiver accept the existing dead letters and starts a bulk replay of them. Returns the number of replays:
   * 0 or 1.
   */
  readonly startReplay: () => Promise<number>
  /** The number of unfinished bulk replays. */
  readonly replaysRunning: () => Promise<number>
  /** Event IDs of undelivered deliveries in the database. */
  readonly unsettled: () => Promise<ReadonlySet<string>>
  readonly restartDatabase: () => Promise<void>
  readonly clearStoreFaults: () => void
  /** Database rows that help to explain missing events. */
  readonly explain: (keys: readonly string[]) => Promise<string[]>
  /** Answers to reviews that are neither in the store nor refused. */
  readonly unfinishedAnswers: Owner['unfinished']
  readonly ownerFigures: Owner['figures']
  /** Throws if the database file is corrupt. */
  readonly check: () => Promise<void>
  /** Deliveries that retention has deleted so far. */
  readonly pruned: () => Promise<number>
  readonly storeRequestsPerMinuteMax: () => Record<Store, number>
}

/** Slow enough that kills interrupt some bulk replays. */
const REPLAYS_PER_SECOND = 2
/** At the rate limit, the first polls take this long. */
const BASELINE_MS_MAX = 180_000

export async function install(options: InstallationOptions): Promise<Installation> {
  await using opened = new AsyncDisposableStack()
  const { engine, speed } = options
  const folder = await mkdtemp(join(tmpdir(), 'radar-crash-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  const anchorMs = Date.now()
  const clock = testClock({ anchorMs, speed })
  const postgres = engine === 'postgres' ? opened.use(await startOwnPostgres()) : null
  const ledger = createLedger()
  const world = withAnswersOnce(createWorld(), ledger)
  const idle = idleApps(options.idleApps)
  populate(world, clock, idle)
  const simulation = opened.use(await startSimulation({ host: '127.0.0.1', world, clock, log: silentLog }))
  const receiver = opened.use(await startCrashReceiver(ledger))
  const mail = opened.use(await startMailReceiver(ledger))
  const file = join(folder, 'radar.db')

  const seconds = (real: number) => `${Math.round(real * speed * 1_000)}ms`
  const environment: Record<string, string> = {
    RADAR_DATA_DIR: folder,
    RADAR_DATABASE_URL: postgres === null ? `sqlite:${file}` : await postgres.newDatabase(),
    RADAR_SECRET_KEY: randomBytes(32).toString('base64'),
    RADAR_APPLE_ITUNES_URL: simulation.appleUrl,
    RADAR_APPLE_WEB_URL: simulation.appleUrl,
    RADAR_GOOGLE_PLAY_URL: simulation.googleUrl,
    RADAR_APP_STORE_CONNECT_URL: simulation.appleUrl,
    RADAR_GOOGLE_PLAY_DEVELOPER_URL: simulation.googleUrl,
    RADAR_GOOGLE_OAUTH_URL: simulation.googleUrl,
    RADAR_GOOGLE_STORAGE_URL: simulation.googleUrl,
    RADAR_REVIEWS_POLL_INTERVAL: seconds(0.3),
    RADAR_RATINGS_POLL_INTERVAL: seconds(0.3),
    RADAR_OFFICIAL_POLL_INTERVAL: seconds(0.5),
    RADAR_APPLE_REQUESTS_PER_MINUTE: String(options.requestsPerMinute),
    RADAR_GOOGLE_REQUESTS_PER_MINUTE: String(options.requestsPerMinute),
    RADAR_RETRY_WAITS: [0.1, 0.2, 0.3].map(seconds).join(),
    // Messages link to reviews.
    RADAR_PUBLIC_URL: 'https://radar.example.com',
    RADAR_SMTP_URL: mail.url,
    RADAR_SMTP_FROM: 'radar@example.com',
    RADAR_MAIL_CONSENT: 'off',
    RADAR_DELIVERY_TIMEOUT: '1s',
    RADAR_DELIVERY_PER_HOST: '64',
    RADAR_ALLOW_TARGET_CIDRS: '127.0.0.1',
    // The puller reads every event before retention deletes it, also after a slow restart.
    RADAR_RETENTION: '3m',
    RADAR_LOG_LEVEL: 'info',
    ...(options.enrichment ? {} : { RADAR_ENRICHMENT: 'off' }),
  }
  const logFile = join(tmpdir(), `${folder.split('/').at(-1)}.log`)
  const nodes: Node[] = []
  for (let index = 0; index < options.nodes; index += 1) {
    const node = createNode({ port: await freePort(), environment, logFile, speed, anchorMs })
    nodes.push(node)
    opened.defer(async () => void (await node.kill()))
  }

  /** Opens the database only briefly, so that the next node, not this process, recovers it after a kill. */
  async function withStorage<T>(use: (storage: Storage) => Promise<T>): Promise<T> {
    await using storage = await openConfigured(configOf(environment), silentLog, clock)
    return await use(storage)
  }

  const accountId = await withStorage((storage) => createAccount(storage, 'Alice', clock))
  const token = await withStorage((storage) => createToken(storage, accountId, 'crash', clock))
  for (const node of nodes) node.start()
  for (const node of nodes) await node.ready()
  const client = createClient({ baseUrl: nodes[0]?.url ?? '', token })
  // Google needs one request per rating; Apple would request all of them at once.
  const idleHooks = idle.map((app) => ({
    name: 'idle',
    app,
    stars: app.store === 'apple' ? ([1, 1] as const) : null,
  }))
  const planned: readonly PlannedHook[] = [...HOOKS, ...idleHooks]
  for (const { name, app, stars, keyword } of planned) {
    const target = formattedTarget(name, receiver.url)
    const targetUrl = name.startsWith(PULLED_PREFIX) ? PULL_TARGET : receiver.targetUrl(name)
    const made = await client.subscribe({
      ...(target ?? { target_url: targetUrl }),
      ...(keyword !== undefined && { keywords: [keyword] }),
      store: app.store,
      app_id: app.appId,
      ...(stars === null
        ? { event_type: 'rating.dropped', delta: 0 }
        : { event_type: 'review.created', min_stars: stars[0], max_stars: stars[1] }),
    })
    for (const recipient of recipientsOf(name)) ledger.setSecret(recipient, made)
    if (target === null) continue
    // The pace of the services would be slower than the reviews of a burst.
    const message_schedule = target.target_type === 'email' ? { every_minutes: 1 } : undefined
    await client.changeHook(made.id, { rate_per_second: 100, ...(message_schedule && { message_schedule }) })
  }
  await withStorage(({ feeds }) =>
    until(
      'every feed is polled',
      async () =>
        (await feeds.list({ failingOnly: false, limit: 1_000 })).every(({ lastOkAt }) => lastOkAt !== null),
      BASELINE_MS_MAX,
    ),
  )

  opened.use(startPuller(nodes, token, ledger))
  const owner = await createOwner({
    ...{ world, accountId, token, nodes, random: createRandom(options.seed) },
    replyOf: (fingerprint) => withStorage(({ replies }) => replies.get(accountId, fingerprint)),
  })
  const activity = createActivity({ world, clock, ledger, seed: options.seed, owner })
  // After a failed run, activity would keep the process alive.
  opened.defer(activity.pause)
  const closing = opened.move()
  return {
    nodes,
    activity,
    ledger,
    receiver,
    logFile,
    startReplay: () =>
      withStorage(async (storage) => {
        const letters = await storage.deadLetters.list(accountId, {}, { limit: 1_000, before: null })
        receiver.repair(letters.map(({ eventId }) => eventId))
        if (letters.length === 0) return 0
        const replay = { id: newId('rpl'), accountId, filter: {}, createdAt: clock.now() }
        await storage.deadLetters.createReplays([{ ...replay, ratePerSecond: REPLAYS_PER_SECOND }])
        return 1
      }),
    replaysRunning: () =>
      withStorage(
        async ({ deadLetters: dead }) =>
          (await dead.listReplays(accountId, 100)).filter(({ finishedAt }) => finishedAt === null).length,
      ),
    unsettled: () =>
      withStorage(async ({ deliveries }) => {
        const open = []
        for (const status of ['pending', 'dead'])
          open.push(...(await deliveries.list(accountId, { status }, { limit: 1e6, before: null })))
        return new Set(open.map(({ eventId }) => eventId))
      }),
    restartDatabase: async () => postgres?.restart(),
    clearStoreFaults: world.clearFaults,
    explain: (keys) =>
      withStorage(async ({ deliveries, feeds }) => {
        const rows = await deliveries.list(accountId, {}, { limit: 100_000, before: null })
        const open = rows.filter(({ status }) => status !== 'delivered')
        return [
          ...keys,
          ...open.slice(0, 20).map((row) => JSON.stringify({ ...row, body: undefined })),
          ...(await feeds.list({ failingOnly: false, limit: 1_000 })).map((feed) => JSON.stringify(feed)),
        ]
      }),
    unfinishedAnswers: owner.unfinished,
    ownerFigures: owner.figures,
    async check() {
      if (engine !== 'sqlite') return
      using database = new DatabaseSync(file)
      const rows = database.prepare('pragma integrity_check').all()
      if (JSON.stringify(rows) !== '[{"integrity_check":"ok"}]') throw new Error(JSON.stringify(rows))
    },
    pruned: () =>
      withStorage(async ({ deliveries }) => {
        const kept = await deliveries.list(accountId, { status: 'delivered' }, { limit: 1e6, before: null })
        return ledger.expected() - kept.length
      }),
    storeRequestsPerMinuteMax: () => ({
      apple: maxPerMinute(world.requests('apple').map(({ at }) => at.getTime())),
      google: maxPerMinute(world.requests('google').map(({ at }) => at.getTime())),
    }),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

/** The maximum number of the ascending instants within any 60 seconds. */
function maxPerMinute(instants: readonly number[]): number {
  let max = 0
  let first = 0
  for (const [index, at] of instants.entries()) {
    while (at - (instants[first] ?? at) >= 60_000) first += 1
    max = Math.max(max, index - first + 1)
  }
  return max
}
