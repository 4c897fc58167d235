import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SubscribeBody } from '../../src/contract/hook.ts'
import { sampleEvent } from '../../src/contract/sample.ts'
import type { RatingDropped } from '../../src/contract/webhook.ts'
import { baseline, feedsOf, requestsFor, subscribe, waitUntilProcessed } from '../support/radar.ts'
import { addApp, startTestService } from '../support/service.ts'
import { serviceAndConsumer } from '../support/service-and-consumer.ts'
import { until } from '../support/until.ts'

const { radar, consumer } = await serviceAndConsumer()
const { world } = radar
const alice = await radar.person('Alice')

let apps = 0
/** An app with a rating, one hook per rule, and a stored baseline. */
async function watched(
  store: 'apple' | 'google',
  average: string,
  rules: Readonly<
    Record<string, Pick<SubscribeBody, 'delta' | 'delta_window_hours' | 'threshold' | 'country'>>
  >,
) {
  apps += 1
  const appId = store === 'apple' ? `300${apps}` : `com.example.rated${apps}`
  addApp(world, { store, appId }, { average, count: 1_000 })
  const names = new Map<string, string>()
  for (const [name, rule] of Object.entries(rules)) {
    const hook = `${appId}-${name}`
    await subscribe(alice, consumer, hook, { store, app_id: appId, event_type: 'rating.dropped', ...rule })
    names.set(name, hook)
  }
  await baseline(radar, appId)
  let count = 1_000
  return {
    appId,
    rate: async (newAverage: string, newCount = count + 10) => {
      count = newCount
      world.setRating({ store, appId, storefront: 'us' }, { average: newAverage, count })
      await waitUntilProcessed(radar, appId)
    },
    drops: (name: string) => consumer.events(names.get(name) ?? '') as readonly RatingDropped[],
  }
}
const pairs = (drops: readonly RatingDropped[]) =>
  drops.map((drop) => [drop.previous_rating, drop.current_rating])

for (const store of ['apple', 'google'] as const) {
  test(`the first observation of a rating sets the baseline without an event (${store})`, async () => {
    const app = await watched(store, '1.2', { any: { delta: 0 }, below: { threshold: 5 } })
    await waitUntilProcessed(radar, app.appId)
    assert.deepEqual([app.drops('any'), app.drops('below')], [[], []])
  })

  test(`an unchanged rating, a higher count and a rise create no event (${store})`, async () => {
    const app = await watched(store, '4.2', { any: { delta: 0 } })
    await app.rate('4.2', 1_000)
    await app.rate('4.2', 2_000)
    await app.rate('4.6', 2_100)
    assert.deepEqual(app.drops('any'), [])
  })

  test(`a rule that fires emits one drop, also after repeated polls (${store})`, async () => {
    const app = await watched(store, '4.5', { delta: { delta: 0.1 } })
    await app.rate('4.4', 1_234)
    await waitUntilProcessed(radar, app.appId)
    const [drop, ...more] = app.drops('delta')
    assert.deepEqual(more, [])
    assert.ok(drop)
    assert.deepEqual(
      [
        drop.previous_rating,
        drop.current_rating,
        drop.delta,
        drop.rating_count,
        drop.trigger,
        drop.threshold,
      ],
      [4.5, 4.4, -0.1, 1_234, 'delta', null],
    )
    assert.equal(drop.transition_id, drop.occurrence_id)
    assert.equal(drop.occurred_at, drop.observed_at)
  })
}

test('delta compares with the last observed rating and fires exactly at its limit', async () => {
  const app = await watched('google', '4.5', {
    tenth: { delta: 0.1 },
    half: { delta: 0.5 },
    any: { delta: 0 },
  })
  await app.rate('4.400001')
  assert.deepEqual(pairs(app.drops('tenth')), [], 'a fall of 0.099999 is less than 0.1')
  await app.rate('4.300001')
  assert.deepEqual(pairs(app.drops('tenth')), [[4.400001, 4.300001]])
  await app.rate('4.25')
  assert.deepEqual(app.drops('half'), [], 'each fall is measured from the previous observation')
  assert.deepEqual(pairs(app.drops('any')), [
    [4.5, 4.400001],
    [4.400001, 4.300001],
    [4.300001, 4.25],
  ])
  assert.deepEqual(
    app.drops('any').map((drop) => drop.delta),
    [-0.099999, -0.1, -0.050001],
  )
})

test('threshold fires when the rating falls below it, not while it stays below, and again after a rise', async () => {
  const app = await watched('apple', '4.3', { four: { threshold: 4 } })
  await app.rate('4.0')
  assert.deepEqual(pairs(app.drops('four')), [], 'a rating at the threshold is not below it')
  await app.rate('3.9')
  await app.rate('3.5')
  assert.deepEqual(pairs(app.drops('four')), [[4, 3.9]])
  await app.rate('4.1')
  await app.rate('3.99')
  assert.deepEqual(pairs(app.drops('four')), [
    [4, 3.9],
    [4.1, 3.99],
  ])
  assert.deepEqual(
    app.drops('four').map((drop) => [drop.trigger, drop.threshold]),
    [
      ['threshold', 4],
      ['threshold', 4],
    ],
  )
})

test('when both rules fire in one observation there is one event, with trigger threshold', async () => {
  const app = await watched('apple', '4.2', { both: { threshold: 4, delta: 0.1 } })
  await app.rate('3.9')
  await app.rate('3.7')
  assert.deepEqual(
    app.drops('both').map((drop) => [drop.current_rating, drop.trigger, drop.threshold]),
    [
      [3.9, 'threshold', 4],
      [3.7, 'delta', null],
    ],
  )
})

test('one drop reaches every matching hook with one occurrence_id', async () => {
  const app = await watched('google', '4.8', {
    one: { delta: 0.2 },
    two: { threshold: 4.7 },
    three: { delta: 1 },
  })
  await app.rate('4.5')
  const [one] = app.drops('one')
  const [two] = app.drops('two')
  assert.ok(one && two)
  assert.equal(one.occurrence_id, two.occurrence_id)
  assert.notEqual(one.event_id, two.event_id)
  assert.deepEqual(app.drops('three'), [])
})

test('0 stars of 0 ratings is not a drop and keeps the baseline', async () => {
  for (const store of ['apple', 'google'] as const) {
    const app = await watched(store, '4.5', { any: { delta: 0 } })
    const off = world.setFault({ store, appId: app.appId }, { kind: 'zero_rating' })
    const before = requestsFor(world, app.appId).length
    await until('the app is polled three times', () => requestsFor(world, app.appId).length > before + 3)
    off()
    await app.rate('4.4')
    assert.deepEqual(pairs(app.drops('any')), [[4.5, 4.4]], store)
  }
})

test('an app that is no longer polled loses its baseline', async () => {
  const app = await watched('apple', '4.5', { first: { delta: 0 } })
  for (const hook of await alice.client.listHooks()) {
    if (hook.app_id === app.appId) await alice.client.unsubscribe(hook.id)
  }
  world.setRating({ store: 'apple', appId: app.appId, storefront: 'us' }, { average: '3.0', count: 5_000 })
  const rule = { store: 'apple', app_id: app.appId, event_type: 'rating.dropped', delta: 0 } as const
  await subscribe(alice, consumer, 'anew', rule)
  await waitUntilProcessed(radar, app.appId)
  assert.deepEqual(consumer.events('anew'), [])
  world.setRating({ store: 'apple', appId: app.appId, storefront: 'us' }, { average: '2.9', count: 5_001 })
  const [drop] = (await consumer.eventsOnce('anew', 1)) as readonly RatingDropped[]
  assert.deepEqual([drop?.previous_rating, drop?.current_rating], [3, 2.9])
})

test('a slow slide is one event, compared with the highest rating of the window', async () => {
  const app = await watched('apple', '4.5', {
    slide: { delta: 0.2, delta_window_hours: 24 },
    step: { delta: 0.2 },
  })
  await app.rate('4.4')
  const rule = { store: 'apple', app_id: app.appId, event_type: 'rating.dropped' } as const
  await subscribe(alice, consumer, 'late-slide', { ...rule, delta: 0.2, delta_window_hours: 24 })
  for (const rating of ['4.35', '4.3', '4.31', '4.3', '4.29']) await app.rate(rating)
  assert.deepEqual(pairs(app.drops('slide')), [[4.5, 4.3]])
  assert.deepEqual(app.drops('step'), [])
  // A new slide begins at the rating of the event.
  await app.rate('4.11')
  assert.deepEqual(pairs(app.drops('slide')), [
    [4.5, 4.3],
    [4.31, 4.11],
  ])
  const [, drop] = app.drops('slide')
  assert.deepEqual([drop?.delta, drop?.trigger, drop?.threshold], [-0.2, 'delta', null])
  assert.deepEqual(Object.keys(drop ?? {}), Object.keys(sampleEvent('rating.dropped')))
  // The fall from before the hook does not count.
  assert.deepEqual(pairs(consumer.events('late-slide') as readonly RatingDropped[]), [[4.4, 4.11]])
})

test('a hook gets only drops after its creation', async () => {
  const app = await watched('google', '4.5', { early: { delta: 0 } })
  await app.rate('4.4')
  const rule = { store: 'google', app_id: app.appId, event_type: 'rating.dropped', delta: 0 } as const
  await subscribe(alice, consumer, 'late-ratings', rule)
  await app.rate('4.3')
  assert.deepEqual(pairs(app.drops('early')), [
    [4.5, 4.4],
    [4.4, 4.3],
  ])
  assert.deepEqual(pairs(consumer.events('late-ratings') as readonly RatingDropped[]), [[4.4, 4.3]])
})

test('a drop in one storefront is not a drop in another', async () => {
  const appId = '3900'
  addApp(world, { store: 'apple', appId }, { average: '4.5', count: 100 }, ['us', 'de'])
  const rule = { store: 'apple', app_id: appId, event_type: 'rating.dropped', delta: 0 } as const
  await subscribe(alice, consumer, 'fall-us', { ...rule, country: 'us' })
  await subscribe(alice, consumer, 'fall-de', { ...rule, country: 'de' })
  await baseline(radar, appId)
  world.setRating({ store: 'apple', appId, storefront: 'de' }, { average: '4.1', count: 101 })
  await consumer.eventsOnce('fall-de', 1)
  await waitUntilProcessed(radar, appId)
  assert.deepEqual(consumer.events('fall-us'), [])
})

test('due ratings of one storefront share a lookup of up to 200 apps', async () => {
  await using many = await startTestService({
    RADAR_ROLES: 'api',
    RADAR_RATINGS_POLL_INTERVAL: '6h',
  })
  const bob = await many.person('Bob')
  const appIds = Array.from({ length: 450 }, (_, index) => String(500_000 + index))
  for (const appId of appIds) {
    addApp(many.world, { store: 'apple', appId })
    await bob.client.subscribe({
      store: 'apple',
      app_id: appId,
      event_type: 'rating.dropped',
      delta: 0.1,
      target_url: consumer.targetUrl('many'),
    })
  }
  assert.equal(many.world.requests('apple').length, 0)
  await using poller = await many.startAnother({ RADAR_ROLES: 'poll' })
  await until('all ratings are observed', async () => {
    const feeds = await poller.storage.feeds.list({ failingOnly: false, limit: 1_000 })
    return feeds.every(({ lastOkAt }) => lastOkAt !== null)
  })
  const lookups = many.world.requests('apple').map(({ appIds: ids }) => ids.length)
  assert.deepEqual(
    lookups.sort((a, b) => b - a),
    [200, 200, 50],
  )
  assert.equal((await feedsOf(many, '500449'))[0]?.lastSource, 'lookup')
})
