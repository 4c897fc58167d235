import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testClock } from '../support/clock.ts'
import { startConsumer } from '../support/consumer.ts'
import { publish } from '../support/publish.ts'
import { baseline, subscribe } from '../support/radar.ts'
import { addApp, startTestService } from '../support/service.ts'
import { until } from '../support/until.ts'

/** A wrong clock and its correction neither stop the service nor delete data. */

const consumer = await startConsumer()
after(() => consumer[Symbol.asyncDispose]())

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** As the clock of other tests, but with real monotonic time. */
async function started(name: string) {
  const place = { store: 'google', appId: `com.example.${name}`, market: 'en' } as const
  const radar = await startTestService(
    { RADAR_REVIEWS_POLL_INTERVAL: '1s', RADAR_RETRY_WAITS: '1s,1s' },
    { clock: testClock({ sleepMsMax: 25 }) },
  )
  addApp(radar.world, place)
  const alice = await radar.person('Alice')
  const wants = { store: place.store, app_id: place.appId, event_type: 'review.created' } as const
  await subscribe(alice, consumer, name, wants)
  await baseline(radar, place.appId)
  const readiness = async () =>
    (await radar.request('/readyz')).json() as { status: string; warnings: string[] }
  // Until the timekeeper notices a jump, feeds may be reported as overdue.
  const warned = (words: RegExp) =>
    until(`a warning like ${words}`, async () =>
      (await readiness()).warnings.some((text) => words.test(text)),
    )
  return { radar, alice, place, readiness, warned }
}

test('after the clock was 400 days ahead, reviews are polled and delivered, also after a restart', async () => {
  const { radar, alice, place, readiness, warned } = await started('ahead')
  await using _ = radar
  publish(radar, place)
  await consumer.eventsOnce('ahead', 1)

  radar.clock.jump(400 * DAY_MS)
  await warned(/^The clock went forward by 400\.0 days/)
  publish(radar, place)
  await consumer.eventsOnce('ahead', 2)
  const kept = async () =>
    (await radar.service.storage.reports.reviews(alice.accountId, {}, { limit: 10, before: null })).reviews
      .length
  assert.equal(await kept(), 2)

  radar.clock.jump(-400 * DAY_MS)
  await warned(/^The clock went back/)
  publish(radar, place)
  await consumer.eventsOnce('ahead', 3)
  assert.equal((await readiness()).status, 'ready')
  assert.equal(await kept(), 3)

  await radar.service.stop()
  await using again = await radar.startAnother()
  publish(radar, place)
  await consumer.eventsOnce('ahead', 4)
  assert.equal((await again.storage.feeds.overdue(radar.clock.now(), 1)).count, 0)
  assert.equal(consumer.requests('ahead').length, 4)
})

test('after the clock is set back by an hour, new events are delivered at once and retries after their wait', async () => {
  const { radar, place } = await started('back')
  await using _ = radar
  consumer.answer('back', (response, nth) => response.writeHead(nth === 1 ? 500 : 204).end())
  publish(radar, place)
  await until('the first attempt failed', () => consumer.requests('back').length === 1)
  radar.clock.jump(-HOUR_MS)
  await until('the retry is sent', () => consumer.requests('back').length === 2)
  // The store's clock must not be before the creation of the hook.
  publish(radar, place, {
    publishedAt: new Date(Math.ceil((radar.clock.now().getTime() + HOUR_MS) / 1_000) * 1_000),
  })
  await consumer.eventsOnce('back', 2)
})

test('a service that was killed while its clock was ahead continues at the next start', async () => {
  const { radar, place } = await started('killed')
  await using _ = radar
  radar.clock.jump(400 * DAY_MS)
  publish(radar, place)
  await consumer.eventsOnce('killed', 1)
  await radar.service.stop()
  radar.clock.jump(-400 * DAY_MS)
  await using _again = await radar.startAnother()
  publish(radar, place)
  await consumer.eventsOnce('killed', 2)
})
