import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { testClock } from '../support/clock.ts'
import { startConsumer } from '../support/consumer.ts'
import { publish } from '../support/publish.ts'
import { baseline, requestsFor, subscribe } from '../support/radar.ts'
import { addApp, startTestService } from '../support/service.ts'
import { until } from '../support/until.ts'

/** A restart repeats no event, counts no attempt and loses no event. */

const consumer = await startConsumer()
after(() => consumer[Symbol.asyncDispose]())

const place = { store: 'google', appId: 'com.example.restart', market: 'en' } as const
const wants = { store: place.store, app_id: place.appId, event_type: 'review.created' } as const

/** Longer than any test may take. */
const GRACE_MS = 3_600_000

/** A service with real sleeps, because the grace period of a stop is a sleep. */
async function started(settings: Readonly<Record<string, string>> = {}) {
  const radar = await startTestService(settings, { clock: testClock() })
  addApp(radar.world, place)
  return { radar, alice: await radar.person('Alice') }
}

test('a restart repeats no event, and reviews published meanwhile arrive after it', async () => {
  const { radar, alice } = await started()
  await using _ = radar
  await subscribe(alice, consumer, 'meanwhile', wants)
  await baseline(radar, place.appId)
  publish(radar, place)
  await consumer.eventsOnce('meanwhile', 1)
  assert.deepEqual(await radar.service.stop(), [])
  const missed = publish(radar, place)
  await using _again = await radar.startAnother()
  const [, event] = await consumer.eventsOnce('meanwhile', 2)
  assert.equal(event && 'review_id' in event && event.review_id, missed.id)
  const before = requestsFor(radar.world, place.appId).length
  await until('the app is polled again', () => requestsFor(radar.world, place.appId).length > before + 2)
  assert.equal(consumer.requests('meanwhile').length, 2)
})

for (const roles of ['api', 'poll'])
  test(`a graceful stop does not wait for a connection on which nothing was sent (role ${roles})`, async () => {
    const { radar } = await started({ RADAR_ROLES: roles })
    await using _ = radar
    const silent = connect(Number(new URL(radar.url).port), '127.0.0.1')
    const closed = once(silent, 'close')
    await once(silent, 'connect')
    // Connections are accepted in their order.
    await (await fetch(`${radar.url}/healthz`)).text()
    assert.deepEqual(await radar.service.stop(GRACE_MS), [])
    await closed
  })

test('a graceful stop waits for the request in progress, and its event is delivered once', async () => {
  const { radar, alice } = await started()
  await using _ = radar
  const answer = Promise.withResolvers<void>()
  consumer.answer('under-way', (response) => {
    void answer.promise.then(() => response.writeHead(204).end())
  })
  await subscribe(alice, consumer, 'under-way', wants)
  publish(radar, place)
  await consumer.eventsOnce('under-way', 1)
  const stopped = radar.service.stop()
  answer.resolve()
  assert.deepEqual(await stopped, [])
  await using again = await radar.startAnother()
  await until('the delivery is settled', async () => {
    const [row] = await again.storage.deliveries.list(alice.accountId, {}, { limit: 1, before: null })
    return row?.status === 'delivered' && row.attempts === 1
  })
  assert.equal(consumer.requests('under-way').length, 1)
})

test('a stop without a grace period aborts the request without counting an attempt, and the next start repeats it', async () => {
  const { radar, alice } = await started({ RADAR_DELIVERY_TIMEOUT: '30s' })
  await using _ = radar
  let hangs = true
  consumer.answer('cut-off', (response) => {
    if (!hangs) response.writeHead(204).end()
  })
  await subscribe(alice, consumer, 'cut-off', wants)
  publish(radar, place)
  await consumer.eventsOnce('cut-off', 1)
  assert.deepEqual(await radar.service.stop(50), [])
  hangs = false
  await using again = await radar.startAnother()
  const delivery = await until('the event is delivered', async () => {
    const [row] = await again.storage.deliveries.list(alice.accountId, {}, { limit: 1, before: null })
    return row?.status === 'delivered' && row
  })
  assert.equal(delivery.attempts, 1, 'the aborted attempt does not count')
  assert.equal(consumer.requests('cut-off').length, 2)
  assert.equal(consumer.events('cut-off').length, 1, 'both requests carry the same event_id and bytes')
})

test('a stop between two pages of a poll loses no review: the next start reads the remaining pages', async () => {
  const { radar, alice } = await started()
  await using _ = radar
  await subscribe(alice, consumer, 'mid-poll', wants)
  await baseline(radar, place.appId)
  // Each page takes so long that the service stops between two of them.
  const off = radar.world.setFault({ store: 'google' }, { kind: 'slow', delayMs: 150 })
  const before = requestsFor(radar.world, place.appId).length
  const ids = Array.from({ length: 500 }, () => publish(radar, place).id)
  await until('the poll reads its second page', () =>
    requestsFor(radar.world, place.appId)
      .slice(before)
      .some(({ page }) => page === 2),
  )
  assert.deepEqual(await radar.service.stop(), [])
  off()
  await using _again = await radar.startAnother()
  const events = await consumer.eventsOnce('mid-poll', ids.length)
  assert.deepEqual(
    events.flatMap((event) => ('review_id' in event ? [event.review_id] : [])).sort(),
    ids.sort(),
  )
  assert.equal(consumer.requests('mid-poll').length, ids.length)
})

test('retries continue their schedule after a restart', async () => {
  const { radar, alice } = await started({ RADAR_RETRY_WAITS: '300ms,300ms' })
  await using _ = radar
  consumer.answer('goes-on', (response, nth) => response.writeHead(nth < 3 ? 500 : 200).end())
  await subscribe(alice, consumer, 'goes-on', wants)
  publish(radar, place)
  await consumer.eventsOnce('goes-on', 1)
  await radar.service.stop()
  await using again = await radar.startAnother()
  const delivery = await until('the event is delivered', async () => {
    const [row] = await again.storage.deliveries.list(alice.accountId, {}, { limit: 1, before: null })
    return row?.status === 'delivered' && row
  })
  assert.equal(delivery.attempts, 3)
  assert.equal(consumer.requests('goes-on').length, 3)
})
