import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Fault } from '../../src/simulate/fault.ts'
import { nextSecond, publish, publishOld } from '../support/publish.ts'
import { baseline, feedsOf, requestsFor, subscribe, waitUntilProcessed } from '../support/radar.ts'
import { addApp } from '../support/service.ts'
import { serviceAndConsumer } from '../support/service-and-consumer.ts'
import { until } from '../support/until.ts'

/** No response of a store loses or invents a review (docs/stores.md, Outcomes). */

const { radar, consumer } = await serviceAndConsumer({ RADAR_REVIEWS_POLL_INTERVAL: '30ms' })
const { world } = radar
const { storage } = radar.service
const alice = await radar.person('Alice')

let apps = 0
async function trackedApp(store: 'apple' | 'google', old = 3) {
  apps += 1
  const appId = store === 'apple' ? `400${apps}` : `com.example.store${apps}`
  const place = { store, appId, market: store === 'apple' ? 'us' : 'en' }
  addApp(world, place)
  if (old > 0) publishOld(radar, place, old)
  const hook = `stores-${appId}`
  await subscribe(alice, consumer, hook, { store, app_id: appId, event_type: 'review.created' })
  await baseline(radar, appId)
  return { ...place, hook, place }
}
const reviewIds = (hook: string) =>
  consumer.events(hook).flatMap((event) => ('review_id' in event ? [event.review_id] : []))

/** Waits until the store has answered `times` requests with the fault. */
async function met(appId: string, times = 2): Promise<void> {
  const before = requestsFor(world, appId).length
  await until(`${appId} is polled ${times} times`, () => requestsFor(world, appId).length >= before + times)
}

for (const [store, fault, outcome] of [
  ['apple', { kind: 'transient_empty' }, 'unknown'],
  ['apple', { kind: 'drop' }, 'unknown'],
  ['apple', { kind: 'status', status: 500 }, 'unknown'],
  ['google', { kind: 'null_payload' }, 'unknown'],
  ['google', { kind: 'gateway_error' }, 'unknown'],
  ['google', { kind: 'transient_empty' }, 'unknown'],
  ['google', { kind: 'drop' }, 'unknown'],
  ['google', { kind: 'status', status: 500 }, 'unknown'],
] as const satisfies readonly (readonly [string, Fault, string])[]) {
  const name = 'status' in fault ? `status ${fault.status}` : fault.kind
  test(`${name} is a store failure and never "no reviews", and no review is lost (${store})`, async () => {
    const app = await trackedApp(store)
    const sources = store === 'apple' ? ['rss', 'web', 'row', 'page'] : ['batchexecute']
    for (const source of sources) world.setFault({ store, appId: app.appId, source }, fault)
    const review = publish(radar, app.place)
    await until(
      'the feed is reported as failing',
      async () => (await feedsOf(radar, app.appId))[0]?.failingSince,
    )
    const [feed] = await feedsOf(radar, app.appId)
    assert.equal(feed?.lastOutcome, outcome, feed?.lastDetail ?? '')
    assert.ok((feed?.lastDetail ?? '').length > 0, 'the detail names the reason')
    world.clearFaults()
    // Google throttles with an empty frame; the next poll is one minute later.
    radar.clock.leap(60_000)
    await consumer.eventsOnce(app.hook, 1)
    assert.deepEqual(reviewIds(app.hook), [review.id])
    await until(
      'the feed is healthy again',
      async () => (await feedsOf(radar, app.appId))[0]?.failingSince === null,
    )
  })
}

test('when the feed is empty, the next source of the store is used', async () => {
  const app = await trackedApp('apple')
  world.setFault({ store: 'apple', appId: app.appId, source: 'rss' }, { kind: 'empty_shell' })
  const review = publish(radar, app.place)
  await consumer.eventsOnce(app.hook, 1)
  assert.deepEqual(reviewIds(app.hook), [review.id])
  assert.equal((await feedsOf(radar, app.appId))[0]?.lastSource, 'web')
  world.clearFaults()
})

test('a source sorted by helpfulness is a failed poll, and the newest reviews arrive from another source', async () => {
  const app = await trackedApp('apple', 12)
  for (const source of ['rss', 'web', 'row'])
    world.setFault({ store: 'apple', appId: app.appId, source }, { kind: 'status', status: 500 })
  const short = publish(radar, app.place, { body: 'Short.' })
  await until('the page source is used', async () => {
    const [feed] = await feedsOf(radar, app.appId)
    return feed?.lastSource === 'page' && feed.failures > 1
  })
  await met(app.appId, 8)
  const [feed] = await feedsOf(radar, app.appId)
  assert.deepEqual([feed?.lastOutcome, feed?.pagingIncomplete], ['unknown', true])
  assert.ok(feed?.failingSince)
  world.clearFaults()
  await consumer.eventsOnce(app.hook, 1)
  assert.deepEqual(reviewIds(app.hook), [short.id])
})

test('a burst larger than a page is delivered completely, each review once', async () => {
  for (const [store, count] of [
    ['apple', 230],
    ['google', 400],
  ] as const) {
    const app = await trackedApp(store)
    const ids = Array.from({ length: count }, () => publish(radar, app.place).id)
    await consumer.eventsOnce(app.hook, count)
    await waitUntilProcessed(radar, app.appId)
    assert.deepEqual(reviewIds(app.hook).sort(), ids.sort(), store)
    assert.equal(consumer.requests(app.hook).length, count)
  }
})

for (const page of [2, 3]) {
  test(`a missing page ${page} of a burst is fetched by a later poll, and no review is lost`, async () => {
    const app = await trackedApp('apple')
    world.setFault({ store: 'apple', appId: app.appId, source: 'rss' }, { kind: 'hole', page })
    for (const source of ['web', 'row'])
      world.setFault({ store: 'apple', appId: app.appId, source }, { kind: 'status', status: 500 })
    const ids = Array.from({ length: 180 }, () => publish(radar, app.place).id)
    await until('the pages around the missing one arrived', () => consumer.requests(app.hook).length >= 130)
    await until('the poll is reported as incomplete', async () => {
      const [feed] = await feedsOf(radar, app.appId)
      return feed?.pagingIncomplete === true
    })
    assert.ok(reviewIds(app.hook).length < ids.length, 'the reviews of the missing page have not arrived')
    world.clearFaults()
    await consumer.eventsOnce(app.hook, ids.length)
    await waitUntilProcessed(radar, app.appId)
    assert.deepEqual(reviewIds(app.hook).sort(), ids.sort())
    assert.equal((await feedsOf(radar, app.appId))[0]?.pagingIncomplete, false)
  })
}

test('an empty page of a source without an end marker loses no review of a burst on later pages', async () => {
  const app = await trackedApp('apple')
  const fault = (source: string, what: Fault) =>
    world.setFault({ store: 'apple', appId: app.appId, source }, what)
  fault('rss', { kind: 'empty_shell' })
  fault('web', { kind: 'status', status: 500 })
  fault('row', { kind: 'hole', page: 2 })
  const ids = Array.from({ length: 320 }, () => publish(radar, app.place).id)
  await until('the first page of the last source arrived', () => consumer.requests(app.hook).length >= 200)
  await until(
    'the poll is reported as incomplete',
    async () => (await feedsOf(radar, app.appId))[0]?.pagingIncomplete,
  )
  world.clearFaults()
  await consumer.eventsOnce(app.hook, ids.length)
  assert.deepEqual(reviewIds(app.hook).sort(), ids.sort())
})

test('a failure in the middle of a poll keeps the pages read and loses no review of the others', async () => {
  for (const store of ['apple', 'google'] as const) {
    const app = await trackedApp(store)
    const source = store === 'apple' ? 'rss' : 'batchexecute'
    // The first page succeeds; the following ones fail.
    const off = [2, 3, 4].map((page) =>
      world.setFault({ store, appId: app.appId, source }, { kind: 'hole', page }),
    )
    if (store === 'apple') {
      for (const other of ['web', 'row'])
        world.setFault({ store, appId: app.appId, source: other }, { kind: 'drop' })
    }
    const ids = Array.from({ length: 330 }, () => publish(radar, app.place).id)
    await until('the first page arrived', () => consumer.requests(app.hook).length >= 50)
    for (const end of off) end()
    world.clearFaults()
    await consumer.eventsOnce(app.hook, ids.length)
    assert.deepEqual(reviewIds(app.hook).sort(), ids.sort(), store)
  }
})

test('an edited review at the top does not end a poll, because reviews below it may be new', async () => {
  const app = await trackedApp('google', 10)
  const [old] = world.reviews(app.place)
  assert.ok(old)
  // More reviews than fit on the page with the edited review.
  const ids = Array.from({ length: 200 }, () => publish(radar, app.place).id)
  const at = new Date(nextSecond(radar).getTime() + 1_000)
  world.editReview({ ...app.place, reviewId: old.id }, { body: 'Edited.' }, at)
  await consumer.eventsOnce(app.hook, ids.length)
  await waitUntilProcessed(radar, app.appId)
  assert.deepEqual(reviewIds(app.hook).sort(), ids.sort())
})

test('an app that the store does not know changes nothing, and reviews arrive once it exists', async () => {
  for (const store of ['apple', 'google'] as const) {
    const appId = store === 'apple' ? '4990' : 'com.example.absent'
    const hook = `absent-${store}`
    await subscribe(alice, consumer, hook, { store, app_id: appId, event_type: 'review.created' })
    await until(
      'the outcome is reported',
      async () => (await feedsOf(radar, appId))[0]?.lastOutcome === 'gone',
    )
    const [feed] = await feedsOf(radar, appId)
    assert.equal(feed?.lastOkAt, null)
    addApp(world, { store, appId })
    const review = publish(radar, { store, appId, market: store === 'apple' ? 'us' : 'en' })
    await consumer.eventsOnce(hook, 1)
    assert.deepEqual(reviewIds(hook), [review.id])
  }
})

test('an unknown format is reported with its raw response, and creates no event', async () => {
  for (const store of ['apple', 'google'] as const) {
    const app = await trackedApp(store)
    world.setFault({ store, appId: app.appId }, { kind: 'changed' })
    const review = publish(radar, app.place)
    const feed = await until('the format is reported', async () => {
      const [one] = await feedsOf(radar, app.appId)
      return one?.lastOutcome === 'changed' && one
    })
    assert.ok(feed.hasRawAnswer && feed.failingSince !== null, 'visible to the operator')
    const raw = await storage.feeds.rawAnswer(feed.id)
    assert.ok(raw !== null && raw.length > 0 && raw.length <= 65_536)
    assert.deepEqual(reviewIds(app.hook), [])
    world.clearFaults()
    await consumer.eventsOnce(app.hook, 1)
    assert.deepEqual(reviewIds(app.hook), [review.id], store)
  }
})

test('an old Google review seen first after an edit today is dated by its history and creates no event', async () => {
  // More reviews than the first poll reads, so that the oldest stay unseen.
  const app = await trackedApp('google', 1_700)
  const [unseen] = world.reviews(app.place).slice(-1)
  assert.ok(unseen)
  const at = new Date(nextSecond(radar).getTime() + 1_000)
  world.editReview({ ...app.place, reviewId: unseen.id }, { rating: 1, body: 'Now it crashes.' }, at)
  await until('its history is requested', () => requestsFor(world, app.appId, 'history').length > 0)
  await waitUntilProcessed(radar, app.appId)
  assert.deepEqual(consumer.events(app.hook), [])
  assert.equal(requestsFor(world, app.appId, 'history').length, 1, 'it is requested once')

  // A review written and edited after the hook's creation is new, and dated by its first version.
  const fresh = publish(radar, app.place)
  const edited = new Date(fresh.publishedAt.getTime() + 2_000)
  world.editReview({ ...app.place, reviewId: fresh.id }, { body: 'Second thoughts.' }, edited)
  const [event] = await consumer.eventsOnce(app.hook, 1)
  assert.equal(event?.occurred_at, fresh.publishedAt.toISOString())
})

test('one request per language polls all its storefronts, and each hook gets its own country', async () => {
  const appId = 'com.example.pool'
  addApp(world, { store: 'google', appId })
  const wants = { store: 'google', app_id: appId, event_type: 'review.created' } as const
  const bob = await radar.person('Bob')
  await subscribe(alice, consumer, 'pool-gb', { ...wants, country: 'gb' })
  await subscribe(alice, consumer, 'pool-in', { ...wants, country: 'in' })
  await subscribe(alice, consumer, 'pool-all', wants)
  await subscribe(bob, consumer, 'pool-bob', { ...wants, country: 'au' })
  await subscribe(bob, consumer, 'pool-mx', { ...wants, country: 'mx' })
  await baseline(radar, appId)
  publish(radar, { store: 'google', appId, market: 'en' })
  publish(radar, { store: 'google', appId, market: 'es' })
  await waitUntilProcessed(radar, appId)
  const countries = ['pool-gb', 'pool-in', 'pool-all', 'pool-bob', 'pool-mx'].map((name) =>
    consumer.events(name).map((event) => 'country' in event && event.country),
  )
  // us is the first of Alice's storefronts for the app, in the order of docs/contract.md, Storefronts.
  assert.deepEqual(countries, [['gb'], ['in'], ['us'], ['au'], ['mx']])
  const markets = new Set(requestsFor(world, appId, 'batchexecute').map(({ market }) => market))
  assert.deepEqual([...markets].sort(), ['en', 'es'])
  assert.equal((await feedsOf(radar, appId)).length, 2)
})
