import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instantOf } from '../../src/runtime/instant.ts'
import { publish } from '../support/publish.ts'
import { baseline, feedsOf, requestsFor, subscribe, waitUntilProcessed } from '../support/radar.ts'
import { addApp, startTestService } from '../support/service.ts'
import { serviceAndConsumer } from '../support/service-and-consumer.ts'
import { until } from '../support/until.ts'

const { radar, consumer } = await serviceAndConsumer()
const { world } = radar
const alice = await radar.person('Alice')
const bob = await radar.person('Bob')

function appleApp(appId: string, storefronts: readonly string[] = ['us']) {
  addApp(world, { store: 'apple', appId }, undefined, storefronts)
  return { store: 'apple', appId, market: 'us' } as const
}
const reviewsOf = (appId: string) =>
  ({ store: 'apple', app_id: appId, event_type: 'review.created' }) as const

test('subscribing adds the feed of the event type to the polled feeds immediately', async () => {
  appleApp('2001')
  await subscribe(alice, consumer, 'enters', reviewsOf('2001'))
  const polled = async () =>
    (await feedsOf(radar, '2001'))
      .filter(({ active }) => active)
      .map(({ kind, market }) => `${kind} ${market}`)
      .sort()
  assert.deepEqual(await polled(), ['reviews us'])
  await subscribe(alice, consumer, 'enters-ratings', {
    store: 'apple',
    app_id: '2001',
    event_type: 'rating.dropped',
    delta: 0.1,
  })
  assert.deepEqual(await polled(), ['rating us', 'reviews us'])
  await baseline(radar, '2001')
})

test('a new app is polled within a second of subscribing, at any polling interval', async () => {
  await using patient = await startTestService({ RADAR_REVIEWS_POLL_INTERVAL: '6h' })
  const charlie = await patient.person('Charlie')
  addApp(patient.world, { store: 'google', appId: 'com.example.first' })
  await subscribe(charlie, consumer, 'first', {
    store: 'google',
    app_id: 'com.example.first',
    event_type: 'review.created',
  })
  const { createdAt } = (await patient.service.storage.hooks.list(charlie.accountId))[0] ?? {}
  const [request] = await until('the app is polled', () => {
    const requests = requestsFor(patient.world, 'com.example.first')
    return requests.length > 0 && requests
  })
  assert.ok(createdAt && request)
  assert.ok(request.at.getTime() - createdAt.getTime() < 1_000)
})

test('polling of an app ends when the last hook that watches it is deleted', async () => {
  const place = appleApp('2002')
  const mine = await subscribe(alice, consumer, 'leaves-mine', reviewsOf('2002'))
  const theirs = await subscribe(bob, consumer, 'leaves-theirs', reviewsOf('2002'))
  await baseline(radar, '2002')

  await alice.client.unsubscribe(mine)
  publish(radar, place)
  await consumer.eventsOnce('leaves-theirs', 1)
  await waitUntilProcessed(radar, '2002')
  assert.deepEqual(consumer.requests('leaves-mine'), [], 'the hook is removed')

  await bob.client.unsubscribe(theirs)
  const [feed] = await feedsOf(radar, '2002')
  assert.ok(feed === undefined || !feed.active)
  const before = requestsFor(world, '2002').length
  // Polls of another app show that the loop still runs.
  appleApp('2003')
  await subscribe(bob, consumer, 'leaves-other', reviewsOf('2003'))
  await until('other apps are polled', () => requestsFor(world, '2003').length > 10)
  assert.ok(requestsFor(world, '2002').length <= before + 1, 'one poll may have been in progress')
})

test('pending deliveries of an unsubscribed hook are never sent', async () => {
  const place = appleApp('2004')
  await using slow = await startTestService({ RADAR_RETRY_WAITS: '1h' })
  addApp(slow.world, { store: 'apple', appId: '2004' })
  const charlie = await slow.person('Charlie')
  consumer.answer('torn', (response) => response.writeHead(503).end())
  const id = await subscribe(charlie, consumer, 'torn', reviewsOf('2004'))
  publish(slow, place)
  await consumer.eventsOnce('torn', 1)
  const { storage } = slow.service
  await until('the attempt is stored', async () => {
    const [row] = await storage.deliveries.list(charlie.accountId, {}, { limit: 1, before: null })
    return row?.attempts === 1
  })
  await charlie.client.unsubscribe(id)
  await until(
    'no delivery is pending',
    async () => (await storage.maintenance.depths(instantOf(Date.now()))).pending === 0,
  )
  assert.equal(await storage.deadLetters.count(charlie.accountId, {}), 0)
  assert.equal(consumer.requests('torn').length, 1)
})

test('subscribing again sends no event for reviews seen before', async () => {
  const place = appleApp('2005')
  const first = await subscribe(alice, consumer, 'again-first', reviewsOf('2005'))
  await baseline(radar, '2005')
  publish(radar, place)
  await consumer.eventsOnce('again-first', 1)
  await alice.client.unsubscribe(first)
  await subscribe(alice, consumer, 'again-second', reviewsOf('2005'))
  const next = publish(radar, place)
  const events = await consumer.eventsOnce('again-second', 1)
  await waitUntilProcessed(radar, '2005')
  assert.deepEqual(
    consumer.events('again-second').map((event) => 'review_id' in event && event.review_id),
    [next.id],
  )
  assert.equal(events.length, 1)
})

test('unsubscribing an unknown hook changes nothing', async () => {
  const place = appleApp('2006')
  const id = await subscribe(alice, consumer, 'unchanged', reviewsOf('2006'))
  await assert.rejects(bob.client.unsubscribe(id), { status: 404 })
  await baseline(radar, '2006')
  publish(radar, place)
  await consumer.eventsOnce('unchanged', 1)
})

test('a hook with a country gets only events of that storefront', async () => {
  appleApp('2007', ['us', 'de'])
  await subscribe(alice, consumer, 'in-us', { ...reviewsOf('2007'), country: 'us' })
  await subscribe(alice, consumer, 'in-de', { ...reviewsOf('2007'), country: 'de' })
  await subscribe(alice, consumer, 'everywhere', reviewsOf('2007'))
  await subscribe(bob, consumer, 'bob-everywhere', reviewsOf('2007'))
  await baseline(radar, '2007')
  publish(radar, { store: 'apple', appId: '2007', market: 'us' })
  publish(radar, { store: 'apple', appId: '2007', market: 'de' })
  await consumer.eventsOnce('everywhere', 2)
  await waitUntilProcessed(radar, '2007')
  const countries = (name: string) =>
    consumer
      .events(name)
      .map((event) => ('country' in event ? event.country : ''))
      .sort()
  assert.deepEqual(countries('in-us'), ['us'])
  assert.deepEqual(countries('in-de'), ['de'])
  assert.deepEqual(countries('everywhere'), ['de', 'us'])
  // Bob watches the app only in us.
  assert.deepEqual(countries('bob-everywhere'), ['us'])
})
