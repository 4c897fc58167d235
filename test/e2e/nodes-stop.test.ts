import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { after, test } from 'node:test'
import { configOf } from '../../src/service/config/config.ts'
import { openConfigured } from '../../src/service/operate.ts'
import { SchemaError } from '../../src/storage/port/errors.ts'
import { testClock } from '../support/clock.ts'
import { startConsumer } from '../support/consumer.ts'
import { onPostgres } from '../support/on-postgres.ts'
import { startOwnPostgres } from '../support/postgres.ts'
import { publish } from '../support/publish.ts'
import { baseline, feedsOf, requestsFor, subscribe } from '../support/radar.ts'
import { radarCommand, servedUrl, startRadar } from '../support/radar-command.ts'
import { addApp, startTestService } from '../support/service.ts'
import { until } from '../support/until.ts'

/** A stopping node, a node of an older version, a node with the wrong key, and a database outage. */

const opened = new AsyncDisposableStack()
after(() => opened.disposeAsync())
const postgres = opened.use(await onPostgres(startOwnPostgres))
const consumer = opened.use(await startConsumer())
const OWN_SERVER = process.env.TEST_POSTGRES_URL === undefined

function googleApp(appId: string) {
  const place = { store: 'google', appId, market: 'en' } as const
  return { place, wants: { store: place.store, app_id: appId, event_type: 'review.created' } as const }
}

test('a stopping node releases its leases at once, and another node claims them', async () => {
  const settings = { ...(await postgres.installation()), RADAR_ROLES: 'api,fanout' }
  await using radar = await startTestService(settings, { clock: testClock() })
  const { place, wants } = googleApp('com.example.stop')
  const alice = await radar.person('Alice')
  addApp(radar.world, place)
  await subscribe(alice, consumer, 'stop', wants)
  // The poller waits for a store and the sender for a target. Without a release, both leases would end after 30 s.
  const poller = await radar.startAnother({ RADAR_ROLES: 'poll' })
  await baseline(radar, place.appId)
  const held: ServerResponse[] = []
  consumer.answer('stop', (response, nth) => {
    if (nth === 1) held.push(response)
    else response.writeHead(204).end()
  })
  const sender = await radar.startAnother({ RADAR_ROLES: 'send' })
  publish(radar, place)
  await until('the target receives a request', () => held.length === 1)
  const clear = radar.world.setFault({ store: place.store }, { kind: 'slow', delayMs: 600_000 })
  const before = requestsFor(radar.world, place.appId).length
  await until('the store receives a request', () => requestsFor(radar.world, place.appId).length > before)
  const graceMs = 50
  const left = await Promise.all([poller.stop(graceMs), sender.stop(graceMs)])
  // On a busy machine the grace period ends before the node has left the list.
  assert.deepEqual(
    left.flat().filter((name) => name !== 'heartbeat'),
    [],
  )
  clear()

  await using _poller = await radar.startAnother({ RADAR_ROLES: 'poll' })
  await using _sender = await radar.startAnother({ RADAR_ROLES: 'send' })
  await consumer.eventsOnce('stop', 1)
  const page = { limit: 9, before: null }
  const [delivery] = await until('the event is delivered', async () => {
    const rows = await radar.service.storage.deliveries.list(alice.accountId, { status: 'delivered' }, page)
    return rows.length > 0 && rows
  })
  assert.equal(delivery?.attempts, 1, 'the aborted request is not an attempt')
  const [feed] = await feedsOf(radar, place.appId)
  const visitedAt = feed?.lastOkAt?.getTime() ?? 0
  await until('the feed is polled again', async () => {
    const [now] = await feedsOf(radar, place.appId)
    return (now?.lastOkAt?.getTime() ?? 0) > visitedAt
  })
})

test('SIGTERM ends a node on PostgreSQL within its grace period and removes it from the list', async () => {
  const settings = {
    ...(await postgres.installation()),
    RADAR_PORT: '0',
    RADAR_DATA_DIR: '/nowhere',
    RADAR_ENRICHMENT: 'off',
  }
  const running = startRadar(['serve'], settings)
  try {
    const url = await servedUrl(running)
    await until('the node is ready', async () => (await fetch(`${url}/readyz`)).status === 200)
    await using storage = await openConfigured(configOf(settings))
    const nodes = () => storage.maintenance.nodes()
    await until('the node is registered', async () => (await nodes()).length === 1)
    running.process.kill('SIGTERM')
    assert.deepEqual(await once(running.process, 'exit'), [0, null])
    assert.deepEqual(await nodes(), [])
  } finally {
    running.process.kill('SIGKILL')
  }
})

test('a node does not start with a newer schema, and a running older node keeps working', async () => {
  const settings = await postgres.installation()
  await using radar = await startTestService(settings)
  await postgres.server.query(
    "insert into schema_migrations values (999, 'from_the_future', 0)",
    settings.RADAR_DATABASE_URL,
  )
  await assert.rejects(radar.startAnother(), (error) => {
    assert.ok(error instanceof SchemaError)
    assert.match(
      error.message,
      /^The database has schema 999 \(from_the_future\), written by a newer version/,
    )
    assert.match(error.message, /Start the newer version, or restore a backup from before the upgrade\.$/)
    return true
  })
  const { status, err } = await radarCommand(['serve'], radar.environment)
  assert.equal(status, 1)
  assert.match(err, /^radar serve: The database has schema 999 /)
  assert.equal((await radar.request('/readyz')).status, 200)
})

test('with PostgreSQL every node requires the same key', async () => {
  const settings = await postgres.installation()
  const { RADAR_DATABASE_URL } = settings
  const without = await radarCommand(['serve'], { RADAR_DATABASE_URL })
  assert.equal(without.status, 1)
  assert.match(without.err, /RADAR_SECRET_KEY is required with PostgreSQL, the same on every node/)
  await using _ = await startTestService(settings)
  const other = Buffer.alloc(32, 8).toString('base64')
  const wrong = await radarCommand(['serve'], {
    RADAR_DATABASE_URL,
    RADAR_SECRET_KEY: other,
    RADAR_PORT: '0',
  })
  assert.equal(wrong.status, 1)
  assert.match(wrong.err, /^radar serve: This is not the key of this database: .*RADAR_SECRET_KEY/)
})

test('a node is not ready during a database outage, and recovers by itself', {
  skip: !OWN_SERVER,
}, async () => {
  await using radar = await startTestService(await postgres.installation())
  const { place, wants } = googleApp('com.example.gone')
  const alice = await radar.person('Alice')
  addApp(radar.world, place)
  await subscribe(alice, consumer, 'gone', wants)
  await baseline(radar, place.appId)
  const readiness = async () => {
    const { status, json } = await radar.request('/readyz')
    return { status, reasons: (json() as { reasons: string[] }).reasons }
  }
  assert.deepEqual(await readiness(), { status: 200, reasons: [] })
  let review = ''
  await postgres.server.restart(async () => {
    const { reasons } = await until('the node is not ready', async () => {
      const now = await readiness()
      return now.status === 503 && now
    })
    assert.ok(reasons.includes('The database does not answer.'), reasons.join())
    assert.equal((await radar.request('/healthz')).status, 200)
    const answer = await radar.request('/api/v1/hooks', { headers: { 'x-api-key': alice.token } })
    assert.equal(answer.status, 503)
    review = publish(radar, place).id
  })
  await until('the node is ready again', async () => (await readiness()).status === 200)
  const [event] = await consumer.eventsOnce('gone', 1)
  assert.equal(event && 'review_id' in event && event.review_id, review)
})
