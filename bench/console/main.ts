import { type ConsoleDeps, consoleRoutes } from '../../src/api/console/console.ts'
import type { DestinationLine } from '../../src/contract/console/destinations.ts'
import type { Overview } from '../../src/contract/console/overview.ts'
import { API_PREFIX, type Route } from '../../src/contract/route.ts'
import { routesFor } from '../../src/contract/routes.ts'
import type { DeliveryPage } from '../../src/contract/v1/deliveries.ts'
import type { ReviewPage } from '../../src/contract/v1/reviews.ts'
import { createOperations, type OperationsDeps } from '../../src/operations/operations.ts'
import { signedIn } from '../../test/support/console-client.ts'
import { fillAccount } from '../../test/support/large-account.ts'
import { publish } from '../../test/support/publish.ts'
import { baseline } from '../../test/support/radar.ts'
import { addApp, startTestService } from '../../test/support/service.ts'
import { until } from '../../test/support/until.ts'

/**
 * `npm run bench:console` fills an account, asks every route that the console reads, and prints the median time of each, slowest first. The
 * CPU time of service and client hardly depends on what else the machine does. `TEST_ENGINE=postgres` uses PostgreSQL.
 */
const COUNTS = { destinations: 1_000, reviews: 100_000 }
const PUBLISHED = 10
const REPEATS = 5
/** These wait for news or for a store. */
const WITHOUT_FIGURES = ['/stream', '/auth/*', '/sso/callback', '/passkey-sign-in']

const APP = { store: 'apple', appId: '1000000001', name: 'Larkspur Notes' } as const
await using running = await startTestService({
  RADAR_ENRICHMENT: 'off',
  RADAR_ACCOUNT_API_REQUESTS_PER_MINUTE: '1000000',
  RADAR_ACCOUNT_APP_SEARCHES_PER_MINUTE: '1000000',
})
addApp(running.world, APP, { average: '4.5', count: 1_000 }, ['us'])
const ann = await signedIn(running, 'Ann')
await fillAccount(running, ann.accountId, APP, COUNTS, 'paused')
await baseline(running, APP.appId)
const publishedAt = new Date(Date.now() + 2_000)
for (let nth = 0; nth < PUBLISHED; nth += 1)
  publish(running, { ...APP, market: 'us' }, { title: `Review ${nth}`, publishedAt })
const deliveries = COUNTS.destinations * PUBLISHED
await until(
  'the events are created',
  async () => (await ann.fetchJson<Overview>('GET', '/overview')).held === deliveries,
  300_000,
)
console.log(`${COUNTS.destinations} destinations, ${COUNTS.reviews} reviews, ${deliveries} deliveries`)

const [destination] = await ann.fetchJson<DestinationLine[]>('GET', '/destinations')
const [delivery] = (await ann.fetchJson<DeliveryPage>('GET', '/v1/deliveries')).data
const [review] = (await ann.fetchJson<ReviewPage>('GET', '/v1/reviews')).data
const values: Readonly<Record<string, string>> = {
  store: APP.store,
  app_id: APP.appId,
  fingerprint: review?.fingerprint ?? '',
  event_id: delivery?.event_id ?? '',
  id: destination?.id ?? '',
}
const filled = (path: string) =>
  path.replace(/:(\w+)|\{(\w+)\}/g, (name, one, other) => values[one ?? other] ?? name)
const operations = createOperations({} as OperationsDeps)
const read = consoleRoutes({ operations } as Partial<ConsoleDeps> as ConsoleDeps)
  .filter(({ method, path }) => method === 'GET' && !WITHOUT_FIGURES.includes(path))
  .map(({ path }) => `/api/console${filled(path)}`)
const api = Object.values<Route>(routesFor())
  .filter(({ method, session }) => method === 'GET' && session !== 'none')
  .map(({ path }) => `${API_PREFIX}${filled(path)}`)
const VARIANTS = [
  '/api/v1/reviews?stars=1,2',
  '/api/v1/reviews?text=nothing',
  '/api/v1/reviews?limit=200',
  '/api/v1/deliveries?limit=200',
  '/api/v1/deliveries?sort=created',
  '/api/v1/deliveries?status=dead',
  '/api/v1/deliveries?status=held',
  '/api/console/overview?range=30d',
  `/api/console/apps/${APP.store}/${APP.appId}?days=365`,
]
const figures: {
  readonly path: string
  readonly status: number
  /** Until the first byte of the body: exports stream, and start the download with it. */
  readonly firstMs: number
  readonly ms: number
  readonly cpuMs: number
  readonly bytes: number
}[] = []
for (const path of [...read, ...api, ...VARIANTS]) {
  await request(path)
  const runs: Awaited<ReturnType<typeof request>>[] = []
  const busyBefore = process.cpuUsage()
  for (let nth = 0; nth < REPEATS; nth += 1) runs.push(await request(path))
  const busy = process.cpuUsage(busyBefore)
  const last = runs.at(-1)
  figures.push({
    path,
    status: last?.status ?? 0,
    firstMs: median(runs.map(({ firstMs }) => firstMs)),
    ms: median(runs.map(({ ms }) => ms)),
    cpuMs: Math.round((busy.user + busy.system) / 1_000 / REPEATS),
    bytes: last?.bytes ?? 0,
  })
}
console.table(figures.sort((one, other) => other.ms - one.ms))

async function request(path: string) {
  const startedAt = performance.now()
  const headers = { 'x-radar-console': '1', cookie: ann.cookie() }
  const answer = await fetch(`${running.url}${path}`, { headers })
  let firstMs: number | null = null
  let bytes = 0
  for await (const chunk of answer.body ?? []) {
    firstMs ??= performance.now() - startedAt
    bytes += chunk.length
  }
  const ms = performance.now() - startedAt
  return { status: answer.status, firstMs: firstMs ?? ms, ms, bytes }
}

function median(times: readonly number[]): number {
  const middle = [...times].sort((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0
  return Math.round(middle * 10) / 10
}
