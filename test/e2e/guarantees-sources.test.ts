import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contentHashOf } from '../../src/model/review.ts'
import type { Fault } from '../../src/simulate/fault.ts'
import { publish, publishOld } from '../support/publish.ts'
import { baseline, feedsOf, requestsFor, subscribe, waitUntilProcessed } from '../support/radar.ts'
import { addApp } from '../support/service.ts'
import { serviceAndConsumer } from '../support/service-and-consumer.ts'
import { until } from '../support/until.ts'

/** Malformed rows, failing sources and frozen sources lose no review and are reported to the operator. */

const { radar, consumer } = await serviceAndConsumer({
  RADAR_REVIEWS_POLL_INTERVAL: '30ms',
  RADAR_RATINGS_POLL_INTERVAL: '30ms',
})
const { world } = radar
const { storage } = radar.service
const alice = await radar.person('Alice')
const HOUR = 3_600_000

let apps = 0
async function trackedApp(store: 'apple' | 'google', old: number, agoMs = HOUR) {
  apps += 1
  const appId = store === 'apple' ? `500${apps}` : `com.example.source${apps}`
  const place = { store, appId, market: store === 'apple' ? 'us' : 'en' }
  addApp(world, place)
  publishOld(radar, place, old, agoMs)
  const hook = `sources-${appId}`
  await subscribe(alice, consumer, hook, { store, app_id: appId, event_type: 'review.created' })
  await baseline(radar, appId)
  return { ...place, hook, place }
}
const reviewIds = (hook: string) =>
  consumer.events(hook).flatMap((event) => ('review_id' in event ? [event.review_id] : []))
const feedOf = async (appId: string) => {
  const feed = (await feedsOf(radar, appId)).find(({ kind }) => kind === 'reviews')
  assert.ok(feed)
  return feed
}
const quarantinedOf = async (appId: string) =>
  (await storage.feeds.quarantined({ limit: 1_000 })).filter((row) => row.appId === appId)

for (const store of ['apple', 'google'] as const) {
  test(`a malformed row affects no other review, is kept in quarantine, and is delivered once it is readable (${store})`, async () => {
    const app = await trackedApp(store, 4)
    const malformed = { id: '7900000001' }
    const over = world.setFault(
      { store, appId: app.appId },
      { kind: 'malformed_rows', reviewIds: [malformed.id] },
    )
    publish(radar, app.place, malformed)
    const good = publish(radar, app.place)
    await consumer.eventsOnce(app.hook, 1)
    const [row] = await until('the row is in quarantine', async () => {
      const rows = await quarantinedOf(app.appId)
      return rows.length > 0 ? rows : null
    })
    assert.equal(row?.rowKey, malformed.id)
    assert.match(row?.reason ?? '', /stars/)
    assert.ok(row?.raw.includes(malformed.id))
    assert.equal((await feedOf(app.appId)).failingSince, null, 'the feed is healthy')
    assert.deepEqual(reviewIds(app.hook), [good.id])
    over()
    await consumer.eventsOnce(app.hook, 2)
    await waitUntilProcessed(radar, app.appId)
    assert.deepEqual(reviewIds(app.hook), [good.id, malformed.id])
    assert.deepEqual(await quarantinedOf(app.appId), [])
  })

  test(`more than a third of malformed rows counts as a changed format, and no review is lost (${store})`, async () => {
    const app = await trackedApp(store, 2)
    const malformed = ['7900000011', '7900000012']
    const over = world.setFault({ store, appId: app.appId }, { kind: 'malformed_rows', reviewIds: malformed })
    for (const id of malformed) publish(radar, app.place, { id })
    await until('the format is reported as changed', async () => {
      const feed = await feedOf(app.appId)
      return feed.lastOutcome === 'changed'
    })
    const feed = await feedOf(app.appId)
    assert.ok(feed.hasRawAnswer)
    assert.match(feed.lastDetail ?? '', /of [34] rows/)
    over()
    radar.clock.leap(24 * HOUR)
    await consumer.eventsOnce(app.hook, 2)
    assert.deepEqual(reviewIds(app.hook).sort(), malformed.sort())
  })
}

test('while a source is empty, a poll takes one request to the fallback, until the source recovers', async () => {
  const app = await trackedApp('apple', 3)
  const over = world.setFault({ store: 'apple', appId: app.appId, source: 'rss' }, { kind: 'empty_shell' })
  await until('the fallback is stored', async () => (await feedOf(app.appId)).sources.fallback)
  const { fallback } = (await feedOf(app.appId)).sources
  assert.equal(fallback?.source, 'web')
  assert.match(fallback?.reason ?? '', /rss: .*empty/)
  const before = requestsFor(world, app.appId).length
  await until('polling continued', () => requestsFor(world, app.appId).length >= before + 20)
  const later = requestsFor(world, app.appId).slice(before)
  assert.deepEqual(new Set(later.map((request) => request.source)), new Set(['web']))
  const review = publish(radar, app.place)
  await consumer.eventsOnce(app.hook, 1)
  assert.deepEqual(reviewIds(app.hook), [review.id])
  const counts = await storage.feeds.counts()
  assert.ok((counts.find((one) => one.store === 'apple' && one.kind === 'reviews')?.fallback ?? 0) >= 1)

  over()
  radar.clock.leap(6 * HOUR)
  await until('the primary source is used again', async () => {
    const feed = await feedOf(app.appId)
    return feed.sources.fallback === null && feed.lastSource === 'rss'
  })
})

test('the raw response of a source in a changed format is kept while another source is used', async () => {
  const app = await trackedApp('apple', 3)
  const over = world.setFault({ store: 'apple', appId: app.appId, source: 'rss' }, { kind: 'changed' })
  const feed = await until('the raw answer is kept', async () => {
    const one = await feedOf(app.appId)
    return one.hasRawAnswer ? one : null
  })
  assert.match((await storage.feeds.rawAnswer(feed.id)) ?? '', /im:stars/)
  assert.equal((await feedOf(app.appId)).failingSince, null)
  over()
})

test('a source with an older state than before is reported as frozen, and another source delivers the newer reviews', async () => {
  const app = await trackedApp('apple', 12, HOUR)
  const at = new Date(radar.clock.now().getTime() - 5 * HOUR)
  // The first twelve are one minute apart and the others older, so that the source can return its state of five hours ago.
  publishOld(radar, app.place, 12, 10 * HOUR)
  await waitUntilProcessed(radar, app.appId)
  const frozen: Fault = { kind: 'frozen', at }
  const over = world.setFault({ store: 'apple', appId: app.appId, source: 'rss' }, frozen)
  const review = publish(radar, app.place)
  await consumer.eventsOnce(app.hook, 1)
  assert.deepEqual(reviewIds(app.hook), [review.id])
  const feed = await feedOf(app.appId)
  assert.deepEqual(
    [
      feed.sources.frozen?.source,
      feed.sources.frozen?.reason,
      feed.sources.fallback?.source,
      feed.failingSince,
    ],
    ['rss', 'other_source_newer', 'web', null],
  )
  over()
  radar.clock.leap(6 * HOUR)
  await until('the suspicion ends', async () => (await feedOf(app.appId)).sources.frozen === null)
})

test('a feed without new reviews is reported as possibly frozen while ratings increase, and is polled as before', async () => {
  const app = await trackedApp('apple', 12)
  const where = { store: 'apple', appId: app.appId, storefront: 'us' } as const
  world.setRating(where, { average: '4.5', count: 100 })
  await subscribe(alice, consumer, `rating-${app.appId}`, {
    store: 'apple',
    app_id: app.appId,
    event_type: 'rating.dropped',
    delta: 1,
  })
  await until('the rating is observed', async () =>
    (await feedsOf(radar, app.appId)).some(({ kind, lastOkAt }) => kind === 'rating' && lastOkAt !== null),
  )
  // The newest review must be newer than the first observation of the rating.
  const review = publish(radar, app.place)
  await consumer.eventsOnce(app.hook, 1)
  radar.clock.leap(72 * HOUR)
  world.setRating(where, { average: '4.5', count: 150 })
  await until(
    'the source is suspected to be frozen',
    async () => (await feedOf(app.appId)).sources.frozen?.reason === 'ratings_move',
  )
  assert.equal((await feedOf(app.appId)).failingSince, null)
  const next = publish(radar, app.place)
  await consumer.eventsOnce(app.hook, 2)
  assert.deepEqual(reviewIds(app.hook), [review.id, next.id])
  await until('the suspicion ends', async () => (await feedOf(app.appId)).sources.frozen === null)
})

test('a NUL and an unpaired surrogate in a review become U+FFFD, in the event and in its hash', async () => {
  for (const store of ['apple', 'google'] as const) {
    const app = await trackedApp(store, 1)
    publish(radar, app.place, {
      title: 'T\u0000',
      body: 'a\u0000b \uD83D c',
      author: 'N\u0000',
      version: '1\u0000',
    })
    await consumer.eventsOnce(app.hook, 1)
    const [event] = consumer.events(app.hook)
    assert.ok(event !== undefined && 'review_id' in event)
    assert.deepEqual(
      [event.title, event.body, event.author, event.app_version],
      ['T\uFFFD', 'a\uFFFDb \uFFFD c', 'N\uFFFD', '1\uFFFD'],
      store,
    )
    assert.equal(event.content_hash, contentHashOf(event.title, event.body))
  }
})
