import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '../../src/runtime/clock.ts'
import { instantOf } from '../../src/runtime/instant.ts'
import { publish, publishOld } from '../support/publish.ts'
import { baseline, subscribe } from '../support/radar.ts'
import { radarCommand } from '../support/radar-command.ts'
import { addApp } from '../support/service.ts'
import { serviceAndConsumer } from '../support/service-and-consumer.ts'
import { until } from '../support/until.ts'

const { radar, consumer } = await serviceAndConsumer({ RADAR_ENRICHMENT: 'off' })
const on = { ...radar.environment, RADAR_ENRICHMENT: 'offline' }

test('the running service enriches stored reviews again without creating events', async () => {
  const alice = await radar.person('Alice')
  const place = { store: 'google', appId: 'com.example.again', market: 'en' } as const
  addApp(radar.world, place)
  const body = 'It crashes every time I open it since the last update.'
  // Published before the hook: stored, but no event.
  publishOld(radar, place, 2)
  await subscribe(alice, consumer, 'again', {
    store: place.store,
    app_id: place.appId,
    event_type: 'review.created',
  })
  await baseline(radar, place.appId)
  publish(radar, place, { rating: 1, body })
  const [event] = await consumer.eventsOnce('again', 1)
  assert.equal(event && 'enrichment' in event && event.enrichment, null)

  const off = await radarCommand(['enrich', '--since', '1d'], radar.environment)
  assert.equal(off.status, 1)
  assert.match(off.err, /Enrichment is off, .* Set RADAR_ENRICHMENT/)

  const future = await radarCommand(['enrich', '--since', '2199-01-01'], on)
  assert.equal(future.out, '0 stored reviews published since 2199-01-01 00:00:00Z queued for enrichment.\n')

  const queued = await radarCommand(['enrich', '--since', '30m'], on)
  assert.deepEqual([queued.status, queued.out.slice(0, 25)], [0, '1 stored review published'])
  assert.match(queued.err, /^$/)
  const { maintenance } = radar.service.storage
  assert.equal((await maintenance.depths(instantOf(Date.now()))).waitingForEnrichment, 1)

  // In real time: the fast test clock would shorten the time limit of a batch.
  await using _ = await radar.startAnother(
    { RADAR_ENRICHMENT: 'offline', RADAR_ROLES: 'enrich' },
    { clock: systemClock },
  )
  await until(
    'the review is enriched',
    async () => (await maintenance.depths(instantOf(Date.now()))).waitingForEnrichment === 0,
  )
  const all = await radarCommand(['enrich', '--since', '90d'], on)
  assert.match(all.out, /^3 stored reviews/)
  await until(
    'all reviews are enriched',
    async () => (await maintenance.depths(instantOf(Date.now()))).waitingForEnrichment === 0,
  )
  const depths = await maintenance.depths(instantOf(Date.now()))
  assert.deepEqual([depths.waitingForFanOut, depths.pending, depths.dead], [0, 0, 0])
  assert.equal(consumer.requests('again').length, 1)
  const page = await radar.service.storage.reports.reviews(
    alice.accountId,
    { appId: place.appId },
    { limit: 9, before: null },
  )
  assert.deepEqual(
    page.reviews.map(({ enrichment }) => enrichment !== null),
    [true, true, true],
  )
  assert.equal(page.reviews.find((review) => review.body === body)?.enrichment?.is_bug_report, true)
})

test('enrich reports its start time, and warns when no node enriches', async () => {
  const missing = await radarCommand(['enrich'], on)
  assert.equal(missing.status, 2)
  assert.match(missing.err, /--since TIME is required/)
  const wrong = await radarCommand(['enrich', '--since', 'monday'], on)
  assert.equal(wrong.status, 2)
  await radar.service.stop()
  const alone = await radarCommand(['enrich', '--since', '90d'], on)
  assert.equal(alone.status, 0)
  assert.match(alone.err, /No node with the role enrich is running/)
})
