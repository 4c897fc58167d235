import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instantOf } from '../../src/runtime/instant.ts'
import { publish } from '../support/publish.ts'
import { baseline, subscribe, waitUntilProcessed } from '../support/radar.ts'
import { addApp } from '../support/service.ts'
import { serviceAndConsumer } from '../support/service-and-consumer.ts'
import { until } from '../support/until.ts'

/** One test per guarantee on PostgreSQL; `TEST_ENGINE=postgres` runs all other tests on PostgreSQL too. */

const { radar, consumer } = await serviceAndConsumer({}, { engine: 'postgres' })
const { world } = radar
const { storage } = radar.service
const alice = await radar.person('Alice')
const bob = await radar.person('Bob')

function newApp(appId: string) {
  const place = { store: 'google', appId, market: 'en' } as const
  addApp(world, place)
  return { place, wants: { store: 'google', app_id: appId, event_type: 'review.created' } as const }
}

test('a review yields one event per hook of every account, also after repeated polls', async () => {
  const { place, wants } = newApp('com.example.pg1')
  await subscribe(alice, consumer, 'pg-alice', wants)
  await subscribe(bob, consumer, 'pg-bob', { ...wants, max_stars: 2 })
  await baseline(radar, place.appId)
  for (const rating of [1, 5]) publish(radar, place, { rating })
  await waitUntilProcessed(radar, place.appId)
  assert.equal(consumer.events('pg-alice').length, 2)
  assert.equal(consumer.events('pg-bob').length, 1)
  assert.equal(consumer.requests('pg-alice').length + consumer.requests('pg-bob').length, 3)
})

test('a failed delivery is retried with the same bytes, becomes a dead letter and is replayed on request', async () => {
  const { place, wants } = newApp('com.example.pg2')
  let broken = true
  consumer.answer('pg-dead', (response) => response.writeHead(broken ? 500 : 204).end())
  const id = await subscribe(alice, consumer, 'pg-dead', wants)
  await baseline(radar, place.appId)
  publish(radar, place)
  const dead = await until('the delivery is dead', async () => {
    const [row] = await storage.deadLetters.list(alice.accountId, { hookId: id }, { limit: 1, before: null })
    return row
  })
  assert.equal(consumer.requests('pg-dead').length, 3)
  broken = false
  await storage.deadLetters.replay(alice.accountId, [dead.eventId], instantOf(Date.now()), 60_000)
  await until('the event is delivered', async () => {
    const row = await storage.deliveries.get(alice.accountId, dead.eventId)
    return row?.status === 'delivered'
  })
  assert.equal(consumer.events('pg-dead').length, 1)
})

test('a rating drop reaches the hook once', async () => {
  const { place } = newApp('com.example.pg3')
  await subscribe(alice, consumer, 'pg-rating', {
    store: 'google',
    app_id: place.appId,
    event_type: 'rating.dropped',
    threshold: 4.5,
  })
  await baseline(radar, place.appId)
  world.setRating({ ...place, storefront: 'us' }, { average: '4.4', count: 1_001 })
  await consumer.eventsOnce('pg-rating', 1)
  await waitUntilProcessed(radar, place.appId)
  assert.equal(consumer.requests('pg-rating').length, 1)
})

test('several nodes on one database send each event once', async () => {
  const { place, wants } = newApp('com.example.pg4')
  await using _second = await radar.startAnother()
  await using _third = await radar.startAnother()
  await subscribe(alice, consumer, 'pg-nodes', wants)
  await baseline(radar, place.appId)
  const ids = Array.from({ length: 300 }, () => publish(radar, place).id)
  const events = await consumer.eventsOnce('pg-nodes', ids.length)
  await waitUntilProcessed(radar, place.appId)
  assert.deepEqual(
    events.flatMap((event) => ('review_id' in event ? [event.review_id] : [])).sort(),
    ids.sort(),
  )
  assert.equal(consumer.requests('pg-nodes').length, ids.length)
})
