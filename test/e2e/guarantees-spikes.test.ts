import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleEvent } from '../../src/contract/sample.ts'
import type { RatingRecovered, ReviewsSpiked } from '../../src/contract/webhook.ts'
import type { Store } from '../../src/model/vocabulary.ts'
import { publish } from '../support/publish.ts'
import { baseline, subscribe, waitUntilProcessed } from '../support/radar.ts'
import { addApp } from '../support/service.ts'
import { serviceAndConsumer } from '../support/service-and-consumer.ts'

const { radar, consumer } = await serviceAndConsumer()
const { world } = radar
const alice = await radar.person('Alice')
const bob = await radar.person('Bob')

const MARKETS = { apple: 'us', google: 'en' } as const

for (const store of ['apple', 'google'] as const) {
  test(`a storm of reviews with 1 star is exactly one signed event (${store})`, async () => {
    const appId = appOf(store, 'storm')
    addApp(world, { store, appId })
    const rule = { store, app_id: appId, event_type: 'reviews.spiked' } as const
    const name = `${store}-storm`
    const hookId = await subscribe(alice, consumer, name, { ...rule, country: 'us', cloudevents: true })
    await subscribe(alice, consumer, `${store}-large`, { ...rule, spike_min_reviews: 100 })
    await subscribe(bob, consumer, `${store}-reviews`, { ...rule, event_type: 'review.created' })
    await baseline(radar, appId)
    const where = { store, appId, market: MARKETS[store] }
    publish(radar, where, { rating: 5 })
    for (let index = 0; index < 6; index += 1) publish(radar, where, { rating: 1 })
    await consumer.eventsOnce(name, 1)
    // More of the same storm, which is the same spike.
    const storm = Array.from({ length: 6 }, () => publish(radar, where, { rating: 2 }))
    await consumer.eventsOnce(`${store}-reviews`, 13)
    await waitUntilProcessed(radar, appId)

    const [spike] = (await consumer.eventsOnce(name, 1)) as readonly ReviewsSpiked[]
    assert.ok(spike && storm.length === 6)
    assert.deepEqual(Object.keys(spike), Object.keys(sampleEvent('reviews.spiked')))
    assert.ok(spike.review_count >= 5, `${spike.review_count}`)
    assert.deepEqual([spike.usual_count, spike.factor, spike.countries], [0, null, ['us']])
    assert.equal(spike.occurred_at, spike.window_end)
    assert.ok(spike.reviews.every(({ rating }) => rating <= 2))
    const known = new Set(
      consumer.events(`${store}-reviews`).map((event) => 'fingerprint' in event && event.fingerprint),
    )
    for (const { fingerprint } of spike.reviews) assert.ok(known.has(fingerprint))
    const [request] = consumer.requests(name)
    assert.deepEqual(
      [request?.headers['ce-type'], request?.headers['ce-time']],
      ['reviews.spiked', spike.occurred_at],
    )
    const { data } = await alice.client.listEvents({ event_type: 'reviews.spiked', hook_id: hookId })
    assert.deepEqual(data, [spike])
    assert.deepEqual(consumer.events(`${store}-large`), [])
  })
}

test('reviews from before the hook, in the first poll or found late make no spike', async () => {
  const appId = appOf('apple', 'history')
  const where = { store: 'apple', appId, market: 'us' } as const
  addApp(world, where)
  const publishedAgo = (ms: number) =>
    publish(radar, where, { rating: 1, publishedAt: new Date(radar.clock.now().getTime() - ms) })
  for (let index = 0; index < 12; index += 1) publishedAgo(1_000 + index)
  await subscribe(alice, consumer, 'history', { store: 'apple', app_id: appId, event_type: 'reviews.spiked' })
  await baseline(radar, appId)
  const hour = 3_600_000
  for (let index = 0; index < 12; index += 1) {
    publishedAgo(600_000 + index * 1_000)
    publishedAgo(72 * hour + index * 1_000)
  }
  publish(radar, where, { rating: 1 })
  await waitUntilProcessed(radar, appId)
  assert.deepEqual(consumer.events('history'), [])
})

for (const store of ['apple', 'google'] as const) {
  test(`a rating that is again what it was before a drop is one event (${store})`, async () => {
    const appId = appOf(store, 'recovery')
    addApp(world, { store, appId }, { average: '4.5', count: 1_000 })
    const rule = { store, app_id: appId, event_type: 'rating.recovered', delta: 0.2 } as const
    const [name, never] = [`${store}-recovery`, `${store}-never`]
    await subscribe(alice, consumer, name, rule)
    await subscribe(alice, consumer, never, { ...rule, delta: 0.5 })
    const drops = `${store}-recovery-drops`
    await subscribe(bob, consumer, drops, { ...rule, event_type: 'rating.dropped' })
    await baseline(radar, appId)
    let count = 1_000
    const rate = async (average: string) => {
      count += 10
      world.setRating({ store, appId, storefront: 'us' }, { average, count })
      await waitUntilProcessed(radar, appId)
    }
    for (const average of ['4.4', '4.5', '4.3', '4.2', '4.4']) await rate(average)
    assert.deepEqual(consumer.events(name), [], 'not before the rating of the drop is reached')
    for (const average of ['4.51', '4.49', '4.52']) await rate(average)
    const [recovery] = (await consumer.eventsOnce(name, 1)) as readonly RatingRecovered[]
    const [drop] = await consumer.eventsOnce(drops, 1)
    assert.ok(recovery && drop?.event_type === 'rating.dropped')
    assert.deepEqual(Object.keys(recovery), Object.keys(sampleEvent('rating.recovered')))
    assert.deepEqual(
      [
        recovery.rating_before_drop,
        recovery.previous_rating,
        recovery.current_rating,
        recovery.lowest_rating,
      ],
      [4.5, 4.4, 4.51, 4.2],
    )
    assert.deepEqual(
      [recovery.drop_transition_id, recovery.dropped_at],
      [drop.transition_id, drop.observed_at],
    )
    assert.deepEqual(consumer.events(never), [])
  })
}

function appOf(store: Store, name: string): string {
  const number = [...name].reduce((sum, letter) => sum * 7 + letter.charCodeAt(0), 0)
  return store === 'apple' ? `44${number}` : `com.example.${name}`
}
