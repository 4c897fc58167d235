import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { later } from '../../src/runtime/instant.ts'
import { testClock } from '../support/clock.ts'
import { startConsumer } from '../support/consumer.ts'
import { onPostgres } from '../support/on-postgres.ts'
import { publish } from '../support/publish.ts'
import { baseline, subscribe } from '../support/radar.ts'
import { addApp, startTestService } from '../support/service.ts'
import { until } from '../support/until.ts'

/** Nodes on one PostgreSQL use the clock of the database, not their own. */

const opened = new AsyncDisposableStack()
after(() => opened.disposeAsync())
const postgres = opened.use(await onPostgres())
const consumer = opened.use(await startConsumer())

const place = { store: 'google', appId: 'com.example.skew', market: 'en' } as const
const wants = { store: place.store, app_id: place.appId, event_type: 'review.created' } as const
const REVIEWS = 6

test('a node with a clock two minutes ahead takes over no lease, claims no delivery, and reports the reason', async () => {
  const clock = testClock({ sleepMsMax: 25 })
  await using radar = await startTestService(await postgres.installation(), { clock })
  addApp(radar.world, place)
  const alice = await radar.person('Alice')
  const release = Promise.withResolvers<void>()
  consumer.answer('skew', (response) => {
    void release.promise.then(() => response.writeHead(204).end())
  })
  await subscribe(alice, consumer, 'skew', wants)
  await baseline(radar, place.appId)
  for (let review = 0; review < REVIEWS; review += 1) publish(radar, place)
  await until('all requests are in flight', () => consumer.requests('skew').length >= REVIEWS)

  const ahead = { ...clock, now: () => later(clock.now(), 120_000) }
  await using other = await radar.startAnother({}, { clock: ahead, databaseNow: clock.now })
  const readiness = await fetch(`${other.url}/readyz`)
  assert.equal(readiness.status, 503)
  const { reasons } = (await readiness.json()) as { reasons: string[] }
  assert.match(reasons.join(), /The clock of this machine is 2\.0 min ahead of the database's/)
  const nodes = await until('both nodes have sent a heartbeat', async () => {
    const all = await radar.service.storage.maintenance.nodes()
    return all.length === 2 && all
  })
  assert.deepEqual(nodes.map(({ skewMs }) => Math.round(Math.abs(skewMs ?? 0) / 1_000)).sort(), [0, 120])
  // Longer than the interval of the node's loops.
  const sinceMs = clock.monotonicMs()
  await until('the interval has passed', () => clock.monotonicMs() > sinceMs + 2_500)
  assert.equal(consumer.requests('skew').length, REVIEWS)
  release.resolve()
  await until('all events are delivered', async () => {
    const rows = await radar.service.storage.deliveries.list(alice.accountId, {}, { limit: 20, before: null })
    return (
      rows.length === REVIEWS &&
      rows.every(({ status, attempts }) => status === 'delivered' && attempts === 1)
    )
  })
  assert.equal(consumer.requests('skew').length, REVIEWS)
})
