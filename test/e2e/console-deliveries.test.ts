import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { DestinationPage } from '../../src/contract/console/destinations.ts'
import type { Overview } from '../../src/contract/console/overview.ts'
import type { DeadCount, ReplayView } from '../../src/contract/v1/dead-letters.ts'
import type { DeliveryDetail, DeliveryPage, DeliveryRow } from '../../src/contract/v1/deliveries.ts'
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
      const path = `/v1/deliveries?status=delivered&hook_id=${destination.id}`
      const { data: deliveries } = await fetchJson<DeliveryPage>('GET', path)
      return deliveries[0]
    })
    assert.equal(line.app_name, 'Sample Notes')
    const page = await fetchJson<DeliveryDetail>('GET', `/v1/deliveries/${line.event_id}`)
    assert.equal(JSON.parse(page.body ?? '').event_id, line.event_id)
    assert.equal(page.history[0]?.http_status, 200)
    assert.equal(page.history[0]?.response_body, 'thanks')
    const resent = await fetchJson<DeliveryRow>('POST', `/v1/deliveries/${line.event_id}/resend`)
    assert.equal(resent.status, 'pending')
    const requests = await receiver.received(before + 2)
    const [first, again] = requests.slice(-2)
    assert.deepEqual(again?.body, first?.body)
    assert.equal(again?.headers['x-radar-event-id'], line.event_id)
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
  const dead = () => fetchJson<DeliveryPage>('GET', '/v1/dead-letters')

  it('dead letters are counted, exported and replayed', async () => {
    receiver.answerWith(503)
    for (const n of [1, 2, 3]) write({ rating: 1, body: `dead ${n}` })
    await until('three deliveries are dead letters', async () => (await dead()).data.length === 3)
    const count = await fetchJson<DeadCount>('GET', '/v1/dead-letters/count')
    assert.deepEqual(count, { count: 3, by_reason: [{ reason: 'attempts_exhausted', count: 3 }] })
    assert.equal((await fetchJson<DeadCount>('GET', '/v1/dead-letters/count?reason=gone')).count, 0)
    assert.equal((await fetchJson<DeadCount>('GET', '/v1/dead-letters/count?http_status=503')).count, 3)
    const lines = (await ann.request('GET', '/v1/exports/dead-letters')).text.trim().split('\n')
    assert.equal(lines.length, 3)
    assert.equal(JSON.parse(lines[0] ?? '').reason, 'attempts_exhausted')
    assert.equal(
      (await ann.request('GET', '/v1/exports/dead-letters?format=csv')).text.split('\r\n').length,
      5,
    )

    receiver.answerWith(200)
    const [one, two] = (await dead()).data
    assert.ok(one && two)
    assert.deepEqual(
      await fetchJson('POST', '/v1/dead-letters/replay', { event_ids: [one.event_id, 'f'.repeat(64)] }),
      { replayed: 1, skipped: 1 },
    )
    assert.deepEqual(await fetchJson('POST', '/v1/dead-letters/discard', { event_ids: [two.event_id] }), {
      discarded: 1,
      skipped: 0,
    })
    await until('one dead letter is left', async () => (await dead()).data.length === 1)
    const replay = await fetchJson<ReplayView>('POST', '/v1/replays', { filter: {}, rate_per_second: 100 })
    assert.equal(replay.total, 1)
    const done = await until('the replay is done', async () => {
      const [last] = await fetchJson<ReplayView[]>('GET', '/v1/replays')
      return last?.status === 'done' && last.delivered === 1 && last
    })
    assert.equal(done.queued, 1)
    assert.deepEqual((await dead()).data, [])
    assert.equal(
      await fetchError(409, 'PUT', `/v1/replays/${replay.id}`, { status: 'paused' }),
      'This replay has ended: it is done.',
    )
    const overview = await fetchJson<Overview>('GET', '/overview')
    assert.ok(overview.successRate !== null && overview.successRate < 1)
    const { health } = await fetchJson<DestinationPage>('GET', `/destinations/${destination.id}`)
    assert.equal(health.successRate24h, overview.successRate)
  })

  it('dead letters are held by a paused replay', async () => {
    await fetchJson('PUT', `/v1/hooks/${destination.id}/status`, { status: 'paused' })
    write({ rating: 1, body: 'held' })
    const held = await until('the delivery is held', async () => {
      const page = await fetchJson<DeliveryPage>('GET', '/v1/deliveries?status=held')
      return page.data.length === 1 && page.data[0]
    })
    assert.equal(held.status, 'held')
    assert.equal((await fetchJson<Overview>('GET', '/overview')).held, 1)
    assert.equal(
      await fetchError(409, 'POST', `/v1/deliveries/${held.event_id}/resend`, {}),
      'It is already being sent.',
    )
    await fetchJson('PUT', `/v1/hooks/${destination.id}/status`, { status: 'active' })
    await until('the delivery succeeds', async () => {
      const page = await fetchJson<DeliveryDetail>('GET', `/v1/deliveries/${held.event_id}`)
      return page.status === 'delivered'
    })
  })
})
