import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DeliveryView } from '../../src/storage/port/deliveries.ts'
import { signedIn } from '../support/console-client.ts'
import { publish } from '../support/publish.ts'
import { addApp } from '../support/service.ts'
import { serviceAndConsumer } from '../support/service-and-consumer.ts'
import { until } from '../support/until.ts'

// Retry waits are longer than a test, so that only manual retries are sent.
const { radar, consumer } = await serviceAndConsumer({ RADAR_RETRY_WAITS: '1h,1h,1h' })
const { storage } = radar.service
const alice = await signedIn(radar, 'Alice')
const { value: token } = await alice.fetchJson<{ value: string }>('POST', '/tokens', { name: 'one' })

let hooks = 0

/** A hook whose receiver is down, with `count` deliveries that failed once. */
async function outage(count: number) {
  hooks += 1
  const name = `recovery-${hooks}`
  const place = { store: 'google', appId: `com.example.recovery${hooks}`, market: 'en' } as const
  addApp(radar.world, place)
  let isRepaired = false
  consumer.answer(name, (response) => response.writeHead(isRepaired ? 204 : 500).end())
  const answer = await radar.request('/api/v1/hooks', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      target_url: consumer.targetUrl(name),
      store: place.store,
      app_id: place.appId,
      event_type: 'review.created',
    }),
  })
  const { id, secret } = answer.json() as { id: string; secret: string }
  consumer.setSecret(name, secret)
  for (let nth = 0; nth < count; nth += 1) publish(radar, place)
  const list = () => storage.deliveries.list(alice.accountId, { hookId: id }, { limit: 100, before: null })
  await until('each delivery has failed once', async () => {
    const rows = await list()
    return rows.length === count && rows.every(({ attempts }) => attempts === 1)
  })
  return {
    id,
    name,
    list,
    publish: () => publish(radar, place),
    repair: () => {
      isRepaired = true
    },
    breakerOpen: async () => {
      const page = await alice.fetchJson<{ health: { breakerOpenUntil: string | null } }>(
        'GET',
        `/destinations/${id}`,
      )
      return page.health.breakerOpenUntil !== null
    },
    delivered: (wanted: number) =>
      until(`${wanted} are delivered`, async () => {
        const rows = (await list()).filter(({ status }) => status === 'delivered')
        return rows.length === wanted && rows
      }),
  }
}

const retry = (eventId: string) => alice.fetchJson('POST', `/v1/deliveries/${eventId}/retry`, {})
const first = (rows: readonly DeliveryView[]) => rows[0] ?? assert.fail('no delivery')

test('a manual retry counts as an attempt, and the wait before the next attempt follows', async () => {
  const hook = await outage(1)
  const { eventId } = first(await hook.list())
  await retry(eventId)
  const failed = await until('the second attempt has failed', async () => {
    const one = first(await hook.list())
    return one.attempts === 2 && one
  })
  assert.ok((failed.dueAt?.getTime() ?? 0) > radar.clock.now().getTime() + 3_000_000)
  hook.repair()
  await retry(eventId)
  await hook.delivered(1)
  assert.equal(consumer.requests(hook.name).length, 3)
  assert.equal(consumer.events(hook.name).length, 1, 'the same event_id and bytes')
})

test('an open breaker allows a manual retry as its probe, and closes after its success', async () => {
  const hook = await outage(10)
  hook.publish()
  await until('one delivery is held back', async () => (await hook.list()).length === 11)
  assert.equal(await hook.breakerOpen(), true)
  const failed = (await hook.list()).find(({ attempts }) => attempts === 1) ?? assert.fail()

  await retry(failed.eventId)
  await until('the probe has failed', async () => {
    const one = await storage.deliveries.get(alice.accountId, failed.eventId)
    return one?.attempts === 2
  })
  assert.equal(consumer.requests(hook.name).length, 11, 'only the probe was sent')
  assert.equal(await hook.breakerOpen(), true)

  hook.repair()
  await retry(failed.eventId)
  const delivered = await hook.delivered(2)
  assert.ok(delivered.some(({ eventId }) => eventId === failed.eventId))
  assert.equal(await hook.breakerOpen(), false)
})

test('a retry of all pending deliveries sends the whole backlog of a recovered receiver', async () => {
  const hook = await outage(12)
  hook.repair()
  await alice.fetchJson('POST', `/v1/hooks/${hook.id}/retry`, {})
  await hook.delivered(12)
})

test('an accepted test event closes the breaker and releases its pending deliveries', async () => {
  const hook = await outage(10)
  hook.publish()
  await until('one delivery is held back', async () => (await hook.list()).length === 11)
  await alice.fetchJson('POST', `/v1/hooks/${hook.id}/test`, {})
  assert.equal(await hook.breakerOpen(), true, 'a failed test event changes nothing')
  hook.repair()
  await alice.fetchJson('POST', `/v1/hooks/${hook.id}/test`, {})
  await hook.delivered(1)
  assert.equal(await hook.breakerOpen(), false)
})

test('an accepted test event does not resume a hook that the user paused', async () => {
  const hook = await outage(1)
  await storage.hooks.setStatus(alice.accountId, hook.id, 'paused', radar.clock.now())
  hook.repair()
  await alice.fetchJson('POST', `/v1/hooks/${hook.id}/test`, {})
  const page = await alice.fetchJson<{ status: string }>('GET', `/destinations/${hook.id}`)
  assert.equal(page.status, 'paused')
  assert.equal(first(await hook.list()).status, 'pending')
})

test('a recovery sends delivered events again, with the same event id and bytes', async () => {
  const hook = await outage(1)
  const since = new Date(radar.clock.now().getTime() - 60_000).toISOString()
  hook.repair()
  const recover = () =>
    alice.fetchJson('POST', `/v1/hooks/${hook.id}/recovery`, {
      since,
      delivered: true,
      rate_per_second: 100,
    })
  await recover()
  await hook.delivered(1)
  assert.equal(consumer.requests(hook.name).length, 2)
  await recover()
  await until('the event arrives again', () => consumer.requests(hook.name).length === 3)
  assert.equal(consumer.events(hook.name).length, 1)
})
