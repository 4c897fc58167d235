import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Store } from '../../src/model/vocabulary.ts'
import type { Log } from '../../src/runtime/log.ts'
import { silentLog } from '../../src/runtime/log.ts'
import type { Overrides } from '../../src/service/service.ts'
import { type TestClock, testClock } from '../support/clock.ts'
import { consoleClient, PASSWORD, signedIn } from '../support/console-client.ts'
import { startConsumer } from '../support/consumer.ts'
import { onPostgres } from '../support/on-postgres.ts'
import { publish } from '../support/publish.ts'
import { baseline, requestsFor, subscribe } from '../support/radar.ts'
import { addApp, startTestService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

/** Two nodes on one PostgreSQL are one installation: they share the work and the rate limits. */

const opened = new AsyncDisposableStack()
after(() => opened.disposeAsync())
const postgres = opened.use(await onPostgres())
const consumer = opened.use(await startConsumer())

type Line = { readonly event: string; readonly fields: Readonly<Record<string, unknown>> }

/** Two nodes with the same settings and clock, and the log of each. */
async function twoNodes(settings: Readonly<Record<string, string>>, clock: TestClock) {
  const logs: Line[][] = [[], []]
  const logOf = (lines: Line[] = []): Log => ({
    ...silentLog,
    info: (event, fields = {}) => void lines.push({ event, fields }),
  })
  await using stack = new AsyncDisposableStack()
  const radar = stack.use(
    await startTestService(
      { ...(await postgres.installation()), ...settings },
      { clock, log: logOf(logs[0]) },
    ),
  )
  const overrides: Overrides = { clock, log: logOf(logs[1]) }
  const another = stack.use(await radar.startAnother({}, overrides))
  const moved = stack.move()
  return {
    radar,
    another,
    /** The number of matching lines in the log of each node. */
    counts: (fits: (line: Line) => boolean) => logs.map((lines) => lines.filter(fits).length),
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}

function requestsAt(radar: TestService, store: Store): number[] {
  return radar.world.requests(store).map(({ at }) => at.getTime())
}

/** The maximum number of requests within one window. */
function maxWithin(instants: readonly number[], windowMs: number): number {
  return Math.max(
    0,
    ...instants.map((start) => instants.filter((at) => at >= start && at < start + windowMs).length),
  )
}

test('two nodes share the rate limit of a store, and both send requests', async () => {
  const [limit, speed] = [20, 20]
  const clock = testClock({ speed })
  const settings = {
    RADAR_APPLE_REQUESTS_PER_MINUTE: String(limit),
    RADAR_REVIEWS_POLL_INTERVAL: '1s',
    RADAR_RATINGS_POLL_INTERVAL: '1s',
  }
  await using nodes = await twoNodes(settings, clock)
  const { radar } = nodes
  const alice = await radar.person('Alice')
  for (let index = 0; index < 8; index += 1) {
    const app = { store: 'apple', appId: `70${index}` } as const
    addApp(radar.world, app)
    const wants = { store: app.store, app_id: app.appId, event_type: 'review.created' } as const
    await subscribe(alice, consumer, 'limit', wants)
  }
  const startMs = clock.now().getTime()
  await until('two and a half minutes have passed', () => clock.now().getTime() - startMs > 150_000)
  const instants = requestsAt(radar, 'apple')
  assert.ok(instants.length > limit * 1.5, `the store was polled continuously: ${instants.length}`)
  // The machine delays requests, and each real millisecond counts as twenty here.
  const most = maxWithin(instants, 60_000 - 4_000)
  assert.ok(most <= limit, `${most} requests within a minute`)
  const polls = nodes.counts(({ event }) => event === 'feed.polled')
  assert.ok(
    polls.every((count) => count > 3),
    `polls of each node: ${polls}`,
  )
})

test('a feed is polled by one node at a time, and as often as with one node', async () => {
  const clock = testClock({ speed: 10 })
  const intervalMs = 4_000
  await using nodes = await twoNodes({ RADAR_REVIEWS_POLL_INTERVAL: `${intervalMs}ms` }, clock)
  const { radar } = nodes
  const alice = await radar.person('Alice')
  const appIds = Array.from({ length: 6 }, (_, index) => `com.example.shared${index}`)
  for (const appId of appIds) {
    addApp(radar.world, { store: 'google', appId })
    await subscribe(alice, consumer, 'shared', {
      store: 'google',
      app_id: appId,
      event_type: 'review.created',
    })
  }
  await until('each feed is polled six times', () =>
    appIds.every((appId) => requestsFor(radar.world, appId, 'batchexecute').length >= 6),
  )
  for (const appId of appIds) {
    const instants = requestsFor(radar.world, appId, 'batchexecute').map(({ at }) => at.getTime())
    // The jitter is 10 %, and after a late request the next one seems early.
    assert.equal(
      maxWithin(instants, intervalMs * 0.6),
      1,
      `${appId}: ${instants.map((at) => at - (instants[0] ?? 0))}`,
    )
  }
  const polls = nodes.counts(({ event }) => event === 'feed.polled')
  assert.ok(
    polls.every((count) => count > 0),
    `polls of each node: ${polls}`,
  )
  assert.deepEqual(
    nodes.counts(({ event, fields }) => event === 'feed.polled' && fields.lease_lost === true),
    [0, 0],
  )
})

test('events are sent once by any node, within the rate of their hook', async () => {
  const clock = testClock()
  await using nodes = await twoNodes({}, clock)
  const { radar } = nodes
  const alice = await radar.person('Alice')
  const place = { store: 'google', appId: 'com.example.rate', market: 'en' } as const
  addApp(radar.world, place)
  const wants = { store: place.store, app_id: place.appId, event_type: 'review.created' } as const
  const id = await subscribe(alice, consumer, 'rate', wants)
  const ratePerSecond = 20
  await radar.service.storage.hooks.update(alice.accountId, id, { ratePerSecond })
  await baseline(radar, place.appId)
  const publishedMs = Date.now()
  const reviews = Array.from({ length: 120 }, () => publish(radar, place).id)
  await until('all arrived', () => consumer.requests('rate').length >= reviews.length)
  const events = consumer.events('rate')
  assert.deepEqual(events.map((event) => 'review_id' in event && event.review_id).sort(), reviews.sort())
  assert.equal(consumer.requests('rate').length, reviews.length)
  // A busy machine sends later than the permit allows, never earlier. Two nodes with separate limits would take half the time.
  const burst = ratePerSecond / 5
  const tooEarly = consumer
    .requests('rate')
    .map(({ at }, index) => ({ request: index + 1, afterMs: at.getTime() - publishedMs }))
    .filter(({ request, afterMs }) => afterMs < ((request - burst) * 1_000) / ratePerSecond)
  assert.deepEqual(tooEarly, [])
  // The node that claims the hook's lane first sends the request.
  const attempts = () => nodes.counts(({ event }) => event === 'delivery.attempted')
  await until('both nodes have sent events', () => attempts().reduce((a, b) => a + b) >= reviews.length)
  assert.equal(
    attempts().reduce((a, b) => a + b),
    reviews.length,
  )
})

test('wrong passwords at one node count at the other, and a restart forgets none', async () => {
  const clock = testClock()
  await using nodes = await twoNodes({}, clock)
  const { radar, another } = nodes
  await signedIn(radar, 'Ann')
  const status = async (url: string, password: string) =>
    (await consoleClient(url).request('POST', '/auth/sign-in/email', { email: 'ann@example.com', password }))
      .status
  for (let n = 0; n < 10; n += 1) {
    assert.equal(await status(n % 2 === 0 ? radar.url : another.url, 'a wrong password'), 401)
  }
  for (const { url } of [radar, another]) assert.equal(await status(url, PASSWORD), 429)
  await using restarted = await radar.startAnother({}, { clock })
  assert.equal(await status(restarted.url, PASSWORD), 429)
})
