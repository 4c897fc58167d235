import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { systemClock } from '../../src/runtime/clock.ts'
import { ROLES } from '../../src/service/config/settings.ts'
import { startConsumer } from '../support/consumer.ts'
import { onPostgres } from '../support/on-postgres.ts'
import { publish } from '../support/publish.ts'
import { baseline, requestsFor, subscribe } from '../support/radar.ts'
import { addApp, startTestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const opened = new AsyncDisposableStack()
after(() => opened.disposeAsync())
const postgres = opened.use(await onPostgres())
const consumer = opened.use(await startConsumer())

test('each role does only its own work', async () => {
  const settings = { ...(await postgres.installation()), RADAR_ENRICHMENT: 'offline' }
  await using nodes = new AsyncDisposableStack()
  const radar = nodes.use(await startTestService({ ...settings, RADAR_ROLES: 'api' }))
  const place = { store: 'google', appId: 'com.example.roles', market: 'en' } as const
  const { maintenance } = radar.service.storage
  const alice = await radar.person('Alice')
  addApp(radar.world, place)
  const wants = { store: place.store, app_id: place.appId, event_type: 'review.created' } as const
  await subscribe(alice, consumer, 'roles', wants)
  // Real sleeps, because the short sleeps of tests would shorten the time limit of an enrichment batch.
  const start = (role: string) => radar.startAnother({ RADAR_ROLES: role }, { clock: systemClock })
  const requests = () => requestsFor(radar.world, place.appId).length
  const waiting = async () => {
    const { waitingForEnrichment, waitingForFanOut, pending } = await maintenance.depths(systemClock.now())
    return [waitingForEnrichment, waitingForFanOut, pending, consumer.requests('roles').length]
  }
  /** The queue lengths after two more polls of the app, so that other roles have had time to work. */
  const waitingLater = async () => {
    const before = requests()
    await until('two more polls are done', () => requests() >= before + 2)
    return waiting()
  }

  const others = await Promise.all(['enrich', 'fanout', 'send'].map(start))
  await until('every node is registered', async () => (await maintenance.nodes()).length === 4)
  await Promise.all(others.map((node) => node.stop()))
  assert.equal(requests(), 0, 'a node without the role poll sends no request to a store')

  nodes.use(await start('poll'))
  await baseline(radar, place.appId)
  publish(radar, place)
  await until('the review is found', async () => (await waiting())[0] === 1)
  assert.deepEqual(await waitingLater(), [1, 1, 0, 0])
  nodes.use(await start('enrich'))
  await until('the review is enriched', async () => (await waiting())[0] === 0)
  assert.deepEqual(await waitingLater(), [0, 1, 0, 0])
  nodes.use(await start('fanout'))
  await until('the event is created', async () => (await waiting())[1] === 0)
  assert.deepEqual(await waitingLater(), [0, 0, 1, 0])
  nodes.use(await start('send'))
  await consumer.eventsOnce('roles', 1)
  await until('the delivery is settled', async () => (await waiting())[2] === 0)
})

test('every combination of roles starts, reports its health, and stops', async () => {
  await using radar = await startTestService()
  const combinations = Array.from({ length: 2 ** ROLES.length - 1 }, (_, index) =>
    ROLES.filter((_role, at) => ((index + 1) >> at) & 1),
  )
  for (const roles of combinations) {
    const node = await radar.startAnother({ RADAR_ROLES: roles.join(',') })
    assert.equal((await fetch(`${node.url}/readyz`)).status, 200, roles.join(','))
    assert.equal((await fetch(`${node.url}/docs`)).status, roles.includes('api') ? 200 : 404)
    await until(`the node ${roles} is registered`, async () =>
      (await node.storage.maintenance.nodes()).some((each) => each.roles.join() === roles.join()),
    )
    assert.deepEqual(await node.stop(), [], roles.join(','))
    const left = await radar.service.storage.maintenance.nodes()
    assert.equal(left.length, 1, 'the stopped node is removed from the list')
  }
})
