import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instantOf } from '../../src/runtime/instant.ts'
import { shownAtOf } from '../../src/simulate/world.ts'
import { publish, publishOld } from '../support/publish.ts'
import { baseline, subscribe, waitUntilProcessed } from '../support/radar.ts'
import { addApp } from '../support/service.ts'
import { serviceAndConsumer } from '../support/service-and-consumer.ts'

const { radar, consumer } = await serviceAndConsumer()
const { world } = radar
const alice = await radar.person('Alice')
const bob = await radar.person('Bob')

/** Both stores, with the market of reviews for `us`. */
const STORES = [
  { store: 'apple', market: 'us', ids: '1000' },
  { store: 'google', market: 'en', ids: 'com.example.app' },
] as const

let apps = 0
function newApp(kind: (typeof STORES)[number]) {
  apps += 1
  const place = { store: kind.store, appId: `${kind.ids}${apps}`, market: kind.market }
  addApp(world, place)
  return place
}
const wants = (place: { store: 'apple' | 'google'; appId: string }) =>
  ({ store: place.store, app_id: place.appId, event_type: 'review.created' }) as const

for (const kind of STORES) {
  const { store } = kind

  test(`a review yields one event per hook, and later polls never emit it again (${store})`, async () => {
    const place = newApp(kind)
    const [one, two, three] = [`once-a-${store}`, `once-b-${store}`, `once-c-${store}`]
    await subscribe(alice, consumer, one, wants(place))
    await subscribe(alice, consumer, two, wants(place))
    await subscribe(bob, consumer, three, wants(place))
    await baseline(radar, place.appId)
    const review = publish(radar, place)
    await waitUntilProcessed(radar, place.appId)
    const events = [one, two, three].map((name) => consumer.events(name))
    assert.deepEqual(
      events.map((list) => list.map((event) => 'review_id' in event && event.review_id)),
      [[review.id], [review.id], [review.id]],
    )
    const all = events.flat()
    assert.equal(new Set(all.map((event) => event.event_id)).size, 3)
    assert.equal(new Set(all.map((event) => event.occurrence_id)).size, 1)
    for (const name of [one, two, three]) assert.equal(consumer.requests(name).length, 1)
  })

  test(`a hook gets nothing published before its creation (${store})`, async () => {
    const place = newApp(kind)
    publishOld(radar, place, 70)
    const early = `forward-early-${store}`
    await subscribe(alice, consumer, early, wants(place))
    const seen = publish(radar, place)
    await consumer.eventsOnce(early, 1)

    const late = `forward-late-${store}`
    const id = await subscribe(alice, consumer, late, wants(place))
    const { createdAt } = (await radar.service.storage.hooks.get(alice.accountId, id)) ?? {}
    const newer = publish(radar, place)
    await consumer.eventsOnce(early, 2)
    await waitUntilProcessed(radar, place.appId)
    const [first, ...rest] = consumer.events(late)
    assert.deepEqual(rest, [])
    assert.equal(first && 'review_id' in first && first.review_id, newer.id)
    assert.notEqual(newer.id, seen.id)
    assert.ok(createdAt && first && new Date(first.occurred_at) >= createdAt)
  })

  test(`a hook gets no review published before its creation, even when the review is detected later (${store})`, async () => {
    const place = newApp(kind)
    const [early, late] = [`detected-early-${store}`, `detected-late-${store}`]
    await subscribe(alice, consumer, early, wants(place))
    await baseline(radar, place.appId)
    const off = world.setFault({ store, appId: place.appId }, { kind: 'status', status: 500 })
    const review = publish(radar, place)
    radar.clock.leap(2_000)
    await subscribe(bob, consumer, late, wants(place))
    off()
    await consumer.eventsOnce(early, 1)
    await waitUntilProcessed(radar, place.appId)
    assert.deepEqual(consumer.events(late), [])
    const [event] = consumer.events(early)
    assert.equal(event && 'review_id' in event && event.review_id, review.id)
  })

  test(`a review seen again or edited creates no new event (${store})`, async () => {
    const place = newApp(kind)
    const old = publishOld(radar, place, 3)
    const hook = `edited-${store}`
    await subscribe(alice, consumer, hook, wants(place))
    await baseline(radar, place.appId)
    const review = publish(radar, place, { rating: 5 })
    await consumer.eventsOnce(hook, 1)
    const at = new Date(shownAtOf({ ...review, editedAt: null, history: [] }).getTime() + 1_000)
    world.editReview({ ...place, reviewId: review.id }, { rating: 1, body: 'Changed my mind.' }, at)
    const [oldest] = old
    if (oldest) world.editReview({ ...place, reviewId: oldest.id }, { body: 'Still here.' }, at)
    await waitUntilProcessed(radar, place.appId)
    assert.equal(consumer.requests(hook).length, 1)
  })

  test(`each hook with a matching range of stars gets the event, bounds included (${store})`, async () => {
    const place = newApp(kind)
    const bands = [
      { min_stars: 1, max_stars: 2 },
      { min_stars: 3, max_stars: 3 },
      { min_stars: 4 },
      { max_stars: null },
    ]
    for (const [index, band] of bands.entries()) {
      await subscribe(alice, consumer, `band-${index}-${store}`, { ...wants(place), ...band })
    }
    await baseline(radar, place.appId)
    for (const rating of [1, 2, 3, 4, 5]) publish(radar, place, { rating })
    await consumer.eventsOnce(`band-3-${store}`, 5)
    await waitUntilProcessed(radar, place.appId)
    const ratings = bands.map((_, index) =>
      consumer
        .events(`band-${index}-${store}`)
        .map((event) => ('rating' in event ? event.rating : 0))
        .sort(),
    )
    assert.deepEqual(ratings, [[1, 2], [3], [4, 5], [1, 2, 3, 4, 5]])
  })

  test(`a hook gets the reviews that pass all of its filters (${store})`, async () => {
    const place = newApp(kind)
    // An empty feed of Apple lets a poll go on to sources without versions, which may show reviews written meanwhile.
    publishOld(radar, place, 1)
    const hook = `filtered-${store}`
    await subscribe(alice, consumer, hook, {
      ...wants(place),
      countries: ['gb', 'us'],
      keywords: ['refund', '返金'],
      excluded_keywords: ['joke'],
      app_versions: ['4.*', '3.9'],
    })
    await subscribe(alice, consumer, `all-${store}`, wants(place))
    await subscribe(alice, consumer, `german-${store}`, { ...wants(place), countries: ['de', 'fr'] })
    await baseline(radar, place.appId)
    const write = (body: string, version: string | null) =>
      publish(radar, place, { title: null, body, version })
    const passing = [write('I want a REFUND.', '4.2'), write('すぐに返金してください', '3.9')]
    write('A refund? What a joke.', '4.2')
    write('I want a refund.', '3.10')
    write('I want a refund.', null)
    write('It crashes.', '4.2')
    await consumer.eventsOnce(`all-${store}`, 6)
    await waitUntilProcessed(radar, place.appId)
    const ids = consumer.events(hook).map((event) => ('review_id' in event ? event.review_id : ''))
    assert.deepEqual(
      ids.sort(),
      passing.map(({ id }) => id),
    )
    assert.deepEqual(consumer.events(`german-${store}`), [])
  })

  test(`a wider filter sends no event for reviews that the old filter excluded (${store})`, async () => {
    const place = newApp(kind)
    const hook = `widened-${store}`
    const id = await subscribe(alice, consumer, hook, { ...wants(place), max_stars: 2 })
    await baseline(radar, place.appId)
    publish(radar, place, { rating: 5 })
    await waitUntilProcessed(radar, place.appId)
    const { hooks } = radar.service.storage
    const [watch] = (await hooks.get(alice.accountId, id))?.watches ?? []
    assert.ok(watch)
    // The watch keeps its creation time, so only the stored review prevents an event.
    assert.ok(
      await hooks.updateWatch(alice.accountId, {
        ...watch,
        createdAt: instantOf(watch.createdAt.getTime()),
        maxStars: 5,
      }),
    )
    await waitUntilProcessed(radar, place.appId)
    assert.deepEqual(consumer.events(hook), [])
    const next = publish(radar, place, { rating: 5 })
    const [event] = await consumer.eventsOnce(hook, 1)
    assert.equal(event && 'review_id' in event && event.review_id, next.id)
  })
}
