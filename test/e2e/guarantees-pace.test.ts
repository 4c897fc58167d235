import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Store } from '../../src/model/vocabulary.ts'
import type { Fault } from '../../src/simulate/fault.ts'
import type { World } from '../../src/simulate/world.ts'
import { testClock } from '../support/clock.ts'
import { startConsumer } from '../support/consumer.ts'
import { publish } from '../support/publish.ts'
import { baseline, feedsOf, requestsFor, subscribe } from '../support/radar.ts'
import { addApp, startTestService } from '../support/service.ts'
import { until } from '../support/until.ts'

/** The rate limits of requests (docs/architecture.md, Rates), by the log of the simulated stores. */

const consumer = await startConsumer()
after(() => consumer[Symbol.asyncDispose]())

/** One minute passes in three seconds. */
const SPEED = 20
/**
 * The machine delays requests, and each real millisecond counts as twenty here. So the window is a minute less the
 * interval between two requests.
 */
const WINDOW_MS = 60_000 - 4_000

test('no period of 60 seconds has more requests to a store than its rate limit', async () => {
  const clock = testClock({ speed: SPEED })
  await using radar = await startTestService(
    {
      RADAR_APPLE_REQUESTS_PER_MINUTE: '20',
      RADAR_GOOGLE_REQUESTS_PER_MINUTE: '30',
      RADAR_REVIEWS_POLL_INTERVAL: '1s',
      RADAR_RATINGS_POLL_INTERVAL: '1s',
    },
    { clock },
  )
  const alice = await radar.person('Alice')
  for (let index = 0; index < 6; index += 1) {
    for (const store of ['apple', 'google'] as const) {
      const appId = store === 'apple' ? `50${index}` : `com.example.pace${index}`
      addApp(radar.world, { store, appId })
      for (const event_type of ['review.created', 'rating.dropped'] as const) {
        await subscribe(alice, consumer, 'pace', { store, app_id: appId, event_type, delta: 1 })
      }
    }
  }
  const startMs = clock.now().getTime()
  await until('two minutes have passed', () => clock.now().getTime() - startMs > 120_000)
  for (const [store, limit] of [
    ['apple', 20],
    ['google', 30],
  ] as const) {
    const instants = requestsAt(radar.world, store)
    assert.ok(instants.length > limit, `${store} was polled continuously: ${instants.length}`)
    assert.ok(maxWithin(instants, WINDOW_MS) <= limit, `${maxWithin(instants, WINDOW_MS)} to ${store}`)
    // Jitter: the distances between requests differ.
    const spaces = new Set(
      instants.slice(10).map((at, index) => Math.round((at - (instants[index + 9] ?? 0)) / 100)),
    )
    assert.ok(spaces.size > 2)
  }
})

for (const [store, fault, leastMs] of [
  ['google', { kind: 'status', status: 429, retryAfterSeconds: 180 }, 180_000],
  ['google', { kind: 'captcha' }, 60_000],
  ['google', { kind: 'status', status: 302 }, 60_000],
  ['apple', { kind: 'status', status: 503 }, 60_000],
  ['apple', { kind: 'status', status: 403, retryAfterSeconds: 1 }, 60_000],
  ['apple', { kind: 'html' }, 60_000],
] as const satisfies readonly (readonly [Store, Fault, number])[]) {
  const name = fault.kind === 'status' ? `status ${fault.status}` : fault.kind
  test(`${name} stops requests to the whole store but not to the other one, and no review is lost (${store})`, async () => {
    await using radar = await startTestService()
    const { world, clock } = radar
    const alice = await radar.person('Alice')
    const hookOf = (id: string) => `${name.replaceAll(' ', '-')}-${store}-${id}`
    const other: Store = store === 'apple' ? 'google' : 'apple'
    const appId = { apple: '5900', google: 'com.example.blocked' }
    const secondId = { apple: '5901', google: 'com.example.blocked2' }
    for (const each of ['apple', 'google'] as const) addApp(world, { store: each, appId: appId[each] })
    addApp(world, { store, appId: secondId[store] })
    for (const [each, id] of [
      [store, appId[store]],
      [store, secondId[store]],
      [other, appId[other]],
    ] as const) {
      const hook = hookOf(id)
      await subscribe(alice, consumer, hook, { store: each, app_id: id, event_type: 'review.created' })
      await baseline(radar, id)
    }

    world.setFault({ store }, fault)
    const blocked = await until('the store backs off', async () => {
      const { blockedUntil } = await radar.service.storage.pace.get(store)
      return blockedUntil
    })
    // Requests in progress have ended once the log does not change during ten polls of the other store.
    await awaitOtherPolls(world, appId[other], 10)
    const [last] = world.requests(store).slice(-1)
    assert.ok(last && blocked.getTime() - last.at.getTime() >= leastMs - 1_000)
    const quiet = world.requests(store).length
    const market = store === 'apple' ? 'us' : 'en'
    const reviews = [appId[store], secondId[store]].map((id) => publish(radar, { store, appId: id, market }))
    await awaitOtherPolls(world, appId[other], 10)
    clock.leap(leastMs / 2)
    await awaitOtherPolls(world, appId[other], 10)
    assert.equal(world.requests(store).length, quiet, 'no request is sent during the backoff')

    world.clearFaults()
    clock.leap(leastMs)
    for (const [index, id] of [appId[store], secondId[store]].entries()) {
      const [event] = await consumer.eventsOnce(hookOf(id), 1)
      assert.equal(event && 'review_id' in event && event.review_id, reviews[index]?.id)
    }
    assert.equal((await radar.service.storage.pace.get(store)).blocks, 0)
  })
}

test('each further block doubles the backoff of the store', async () => {
  await using radar = await startTestService()
  const { world, clock } = radar
  const { pace } = radar.service.storage
  const alice = await radar.person('Alice')
  addApp(world, { store: 'google', appId: 'com.example.doubling' })
  world.setFault({ store: 'google' }, { kind: 'status', status: 429 })
  await subscribe(alice, consumer, 'doubling', {
    store: 'google',
    app_id: 'com.example.doubling',
    event_type: 'review.created',
  })
  const waits: number[] = []
  for (let blocks = 1; blocks <= 4; blocks += 1) {
    const state = await until(`the store is blocked for the ${blocks}. time`, async () => {
      const now = await pace.get('google')
      // A leap before the commit of the poll would postpone the next one.
      const polls = await feedsOf(radar, 'com.example.doubling')
      return now.blocks === blocks && polls.every(({ failures }) => failures === blocks) && now
    })
    const waitMs = (state.blockedUntil?.getTime() ?? 0) - clock.now().getTime()
    waits.push(waitMs)
    clock.leap(waitMs + 1)
  }
  for (const [index, waitMs] of waits.entries()) {
    const leastMs = 60_000 * 2 ** index
    assert.ok(waitMs > leastMs - 2_000 && waitMs <= leastMs * 1.2 + 1, `wait ${index + 1} was ${waitMs} ms`)
  }
})

function requestsAt(world: World, store: Store): number[] {
  return world.requests(store).map(({ at }) => at.getTime())
}

/** The maximum number of requests within one window. */
function maxWithin(instants: readonly number[], windowMs: number): number {
  return Math.max(
    ...instants.map((start) => instants.filter((at) => at >= start && at < start + windowMs).length),
  )
}

async function awaitOtherPolls(world: World, appId: string, times: number): Promise<void> {
  const before = requestsFor(world, appId).length
  await until('the other store is polled', () => requestsFor(world, appId).length >= before + times)
}
