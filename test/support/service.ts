import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../src/runtime/clock.ts'
import { silentLog } from '../../src/runtime/log.ts'
import { configOf } from '../../src/service/config/config.ts'
import { createService, type Overrides, type Service } from '../../src/service/service.ts'
import { startSimulation } from '../../src/simulate/server.ts'
import { createWorld, type World } from '../../src/simulate/world.ts'
import { type TestClock, testClock } from './clock.ts'
import { copyMigratedFile } from './migrated-file.ts'
import { type Person, person } from './people.ts'
import { startPostgres } from './postgres.ts'

/** The whole service on a new database, with simulated stores. */
export type TestService = AsyncDisposable & {
  readonly service: Service
  readonly url: string
  /** The state of the simulated stores. */
  readonly world: World
  /** The clock of the service and of the stores. */
  readonly clock: TestClock
  /** Its settings, for a command or a second process. */
  readonly environment: Readonly<Record<string, string>>
  /** Starts a second service on the same database with changed settings. Disposing stops it. */
  readonly startAnother: (
    settings?: Readonly<Record<string, string>>,
    overrides?: Overrides,
  ) => Promise<Service>
  readonly person: (name: string) => Promise<Person>
  /** A raw request, for input that the client cannot send. */
  readonly request: (path: string, init?: RequestInit) => Promise<TestAnswer>
}

export type TestAnswer = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as JSON. Throws if it is not JSON. */
  readonly json: () => unknown
}

type TestOverrides = Omit<Overrides, 'clock'> & {
  readonly clock?: TestClock
  readonly engine?: 'sqlite' | 'postgres'
}

/** `TEST_ENGINE=postgres` runs services without an explicit engine on PostgreSQL. */
export const ENGINE = process.env.TEST_ENGINE === 'postgres' ? 'postgres' : 'sqlite'

/** The maximum sleep of a loop. */
const SLEEP_MS_MAX = 25

async function postgresSettings(opened: AsyncDisposableStack): Promise<Record<string, string>> {
  const server = opened.use(await startPostgres())
  return {
    RADAR_DATABASE_URL: await server.newMigratedDatabase(),
    RADAR_SECRET_KEY: randomBytes(32).toString('base64'),
  }
}

/** Starts the service with fast polls and retries and allowed targets on 127.0.0.1. `settings` override these. */
export async function startTestService(
  settings: Readonly<Record<string, string>> = {},
  { clock = testClock({ sleepMsMax: SLEEP_MS_MAX }), engine = ENGINE, ...overrides }: TestOverrides = {},
): Promise<TestService> {
  await using opened = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'radar-test-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  const world = createWorld()
  const simulation = opened.use(
    await startSimulation({
      host: '127.0.0.1',
      world,
      clock: { ...clock, sleep: systemClock.sleep },
      log: silentLog,
    }),
  )
  const environment: Readonly<Record<string, string>> = {
    RADAR_PORT: '0',
    RADAR_DATA_DIR: folder,
    ...(engine === 'postgres' ? await postgresSettings(opened) : {}),
    RADAR_APPLE_ITUNES_URL: simulation.appleUrl,
    RADAR_APPLE_WEB_URL: simulation.appleUrl,
    RADAR_GOOGLE_PLAY_URL: simulation.googleUrl,
    RADAR_APP_STORE_CONNECT_URL: simulation.appleUrl,
    RADAR_GOOGLE_PLAY_DEVELOPER_URL: simulation.googleUrl,
    RADAR_GOOGLE_OAUTH_URL: simulation.googleUrl,
    RADAR_GOOGLE_STORAGE_URL: simulation.googleUrl,
    RADAR_REFERENCE_APPS: 'off',
    RADAR_REVIEWS_POLL_INTERVAL: '100ms',
    RADAR_RATINGS_POLL_INTERVAL: '100ms',
    RADAR_APPLE_REQUESTS_PER_MINUTE: '600000',
    RADAR_GOOGLE_REQUESTS_PER_MINUTE: '600000',
    RADAR_RETRY_WAITS: '50ms,50ms',
    RADAR_ALLOW_TARGET_CIDRS: '127.0.0.1',
    RADAR_ENRICHMENT: 'off',
    RADAR_MAIL_CONSENT: 'off',
    ...settings,
  }
  if (environment.RADAR_DATA_DIR === folder && environment.RADAR_DATABASE_URL === undefined)
    await copyMigratedFile(join(folder, 'radar.db'))
  const service = opened.use(
    await createService(configOf(environment), { log: silentLog, ...overrides, clock }),
  )
  await service.start()
  const closing = opened.move()
  return {
    service,
    url: service.url,
    world,
    clock,
    environment,
    startAnother: async (more = {}, others = {}) => {
      const another = await createService(configOf({ ...environment, ...more }), {
        log: silentLog,
        clock,
        ...others,
      })
      await another.start()
      return another
    },
    person: (name) => person(service, name),
    async request(path, init) {
      const answer = await fetch(`${service.url}${path}`, init)
      const text = await answer.text()
      return { status: answer.status, headers: answer.headers, text, json: () => JSON.parse(text) }
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

/** Adds an app to a simulated store, with a rating in these storefronts. */
export function addApp(
  world: World,
  app: { readonly store: 'apple' | 'google'; readonly appId: string; readonly name?: string },
  rating: { readonly average: string; readonly count: number } = { average: '4.5', count: 1_000 },
  storefronts: readonly string[] = ['us'],
): void {
  const { store, appId, name = 'An App' } = app
  world.addApp({ store, appId, name, developer: 'A Developer', iconUrl: null })
  for (const storefront of storefronts) world.setRating({ store, appId, storefront }, rating)
}
