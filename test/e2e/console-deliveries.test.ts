import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type {
  DeadCount,
  DeliveriesPage,
  DeliveryPage,
  ReplayView,
} from '../../src/contract/console/deliveries.ts'
import type { DestinationPage } from '../../src/contract/console/destinations.ts'
import type { Overview } from '../../src/contract/console/overview.ts'
import { startConsoleArea } from '../support/console-area.ts'
import { until } from '../support/until.ts'

const area = await startConsoleArea()
after(() => area[Symbol.asyncDispose]())
const { receiver, ann, fetchJson, fetchError, trackStorefronts, newDestination, write } = area
await trackStorefronts()
const destination = await newDestination()

describe('a delivered event', () => {
  it('a delivered event is listed with its attempts and can be sent again', async () => {
    receiver.answerWith(200, {}, 'thanks')
    const before = receiver.requests.length
    write({ rating: 2, title: 'Sync', body: 'Sync is broken, I lost notes. =HYPERLINK("http://evil")' })
    const line = await until('the review is delivered', async () => {
      const path = `/deliveries?status=delivered&destination=${destination.id}`
      const { deliveries } = await fetchJson<DeliveriesPage>('GET', path)
      return deliveries[0]
    })
    assert.equal(line.appName, 'Sample Notes')
    const page = await fetchJson<DeliveryPage>('GET', `/deliveries/${line.eventId}`)
    assert.equal(JSON.parse(page.body ?? '').event_id, line.eventId)
    assert.equal(page.history[0]?.httpStatus, 200)
    assert.equal(page.history[0]?.responseBody, 'thanks')
    assert.deepEqual(await fetchJson('POST', `/deliveries/${line.eventId}/resend`, {}), { changed: 1 })
    const requests = await receiver.received(before + 2)
    const [first, again] = requests.slice(-2)
    assert.deepEqual(again?.body, first?.body)
    assert.equal(again?.headers['x-radar-event-id'], line.eventId)
    const found = await fetchJson<DeliveriesPage>('GET', `/deliveries?eventId=${line.eventId}`)
    assert.equal(found.deliveries.length, 1)
  })

  it('a delivered event is counted in the statistics', async () => {
    const overview = await until('both attempts are counted', async () => {
      const now = await fetchJson<Overview>('GET', '/overview')
      return now.delivered >= 2 && now
    })
    assert.equal(overview.successRate, 1)
    assert.equal(overview.apps, 1)
    assert.equal(overview.destinations, 1)
    assert.ok((overview.p95Ms ?? 0) > 0)
    const { health } = await fetchJson<DestinationPage>('GET', `/destinations/${destination.id}`)
    assert.ok(health.delivered24h >= 2)
    assert.equal(health.successRate24h, 1)
    assert.notEqual(health.lastDeliveredAt, null)
  })
})

describe('dead letters', () => {
  const dead = () => fetchJson<DeliveriesPage>('GET', '/dead')

  it('dead letters are counted, exported and replayed', async () => {
    receiver.answerWith(503)
    for (const n of [1, 2, 3]) write({ rating: 1, body: `dead ${n}` })
    await until('three deliveries are dead letters', async () => (await dead()).deliveries.length === 3)
    const count = await fetchJson<DeadCount>('GET', '/dead/count')
    assert.deepEqual(count, { count: 3, byReason: [{ reason: 'attempts_exhausted', count: 3 }] })
    assert.equal((await fetchJson<DeadCount>('GET', '/dead/count?reason=gone')).count, 0)
    assert.equal((await fetchJson<DeadCount>('GET', '/dead/count?httpStatus=503')).count, 3)
    const lines = (await ann.request('GET', '/dead/export')).text.trim().split('\n')
    assert.equal(lines.length, 3)
    assert.equal(JSON.parse(lines[0] ?? '').reason, 'attempts_exhausted')
    assert.equal((await ann.request('GET', '/dead/export?format=csv')).text.split('\r\n').length, 5)

    receiver.answerWith(200)
    const [one, two] = (await dead()).deliveries
    assert.ok(one && two)
    assert.deepEqual(await fetchJson('POST', '/dead/replay', { eventIds: [one.eventId, 'f'.repeat(64)] }), {
      changed: 1,
    })
    assert.deepEqual(await fetchJson('POST', '/dead/discard', { eventIds: [two.eventId] }), { changed: 1 })
    await until('one dead letter is left', async () => (await dead()).deliveries.length === 1)
    const replay = await fetchJson<ReplayView>('POST', '/dead/replays', { filter: {}, ratePerSecond: 100 })
    assert.equal(replay.total, 1)
    const done = await until('the replay is done', async () => {
      const [last] = await fetchJson<ReplayView[]>('GET', '/dead/replays')
      return last?.status === 'done' && last.delivered === 1 && last
    })
    assert.equal(done.queued, 1)
    assert.deepEqual((await dead()).deliveries, [])
    assert.equal(
      await fetchError(409, 'POST', `/dead/replays/${replay.id}`, { status: 'paused' }),
      'This replay has ended: it is done.',
    )
    const overview = await fetchJson<Overview>('GET', '/overview')
    assert.ok(overview.successRate !== null && overview.successRate < 1)
    const { health } = await fetchJson<DestinationPage>('GET', `/destinations/${destination.id}`)
    assert.equal(health.successRate24h, overview.successRate)
  })

  it('dead letters are held by a paused replay', async () => {
    await fetchJson('POST', `/destinations/${destination.id}/pause`, {})
    write({ rating: 1, body: 'held' })
    const held = await until('the delivery is held', async () => {
      const page = await fetchJson<DeliveriesPage>('GET', '/deliveries?status=held')
      return page.deliveries.length === 1 && page.deliveries[0]
    })
    assert.equal(held.status, 'held')
    assert.equal((await fetchJson<Overview>('GET', '/overview')).held, 1)
    assert.equal(
      await fetchError(409, 'POST', `/deliveries/${held.eventId}/resend`, {}),
      'It is already being sent.',
    )
    await fetchJson('POST', `/destinations/${destination.id}/resume`, {})
    await until('the delivery succeeds', async () => {
      const page = await fetchJson<DeliveryPage>('GET', `/deliveries/${held.eventId}`)
      return page.status === 'delivered'
    })
  })
})
