import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { instantOf } from '../../src/runtime/instant.ts'
import type { DeliveryView } from '../../src/storage/port/deliveries.ts'
import type { Answering } from '../support/consumer.ts'
import { publish } from '../support/publish.ts'
import { subscribe } from '../support/radar.ts'
import { addApp } from '../support/service.ts'
import { serviceAndConsumer } from '../support/service-and-consumer.ts'
import { until } from '../support/until.ts'

const WAITS_MS = [40, 80, 160]
const RADAR_RETRY_WAITS = WAITS_MS.map((ms) => `${ms}ms`).join()
const usual = await sender({ RADAR_RETRY_WAITS })
/** For receivers that hang. Others would exceed its timeout on a busy machine. */
const impatient = await sender({ RADAR_RETRY_WAITS, RADAR_DELIVERY_TIMEOUT: '2s' })
const { radar, consumer, storage, alice } = usual

async function sender(settings: Readonly<Record<string, string>>) {
  const running = await serviceAndConsumer(settings)
  return {
    ...running,
    storage: running.radar.service.storage,
    alice: await running.radar.person('Alice'),
  }
}

let hooks = 0
/** Creates a hook for a separate app with this receiver. `review` publishes a review of the app. */
async function createHook(answering: Answering, source = 'api', { radar, consumer, alice } = usual) {
  hooks += 1
  const name = `delivery-${hooks}`
  const place = { store: 'google', appId: `com.example.delivery${hooks}`, market: 'en' } as const
  addApp(radar.world, place)
  consumer.answer(name, answering)
  const id = await subscribe(alice, consumer, name, {
    store: place.store,
    app_id: place.appId,
    event_type: 'review.created',
    source,
  })
  return { id, name, review: () => publish(radar, place), requests: () => consumer.requests(name) }
}

async function deliveriesOf(hookId: string, { storage, alice } = usual): Promise<DeliveryView[]> {
  return storage.deliveries.list(alice.accountId, { hookId }, { limit: 100, before: null })
}

/** Waits until the hook's only delivery has this state. */
async function waitForStatus(
  hookId: string,
  status: DeliveryView['status'],
  at = usual,
): Promise<DeliveryView> {
  return until(`the delivery is ${status}`, async () => {
    const [one] = await deliveriesOf(hookId, at)
    return one?.status === status && one
  })
}

test('each request is a POST of JSON with signatures over the raw bytes', async () => {
  const hook = await createHook((response) => response.writeHead(200).end('ok'))
  const review = hook.review()
  const [event] = await consumer.eventsOnce(hook.name, 1)
  const [request] = hook.requests()
  assert.ok(request && event && 'body' in event)
  assert.equal(event.body, review.body)
  assert.equal(event.subscriber_id, hook.id)
  assert.match(String(request.headers['user-agent']), /^ReviewRadar\//)
  assert.equal(Number(request.headers['content-length']), request.body.length)

  const { secret } = await alice.client.subscribe({
    target_url: consumer.targetUrl('library'),
    store: 'google',
    app_id: 'com.example.library',
    event_type: 'review.created',
  })
  consumer.setSecret('library', secret)
  addApp(radar.world, { store: 'google', appId: 'com.example.library' })
  publish(radar, { store: 'google', appId: 'com.example.library', market: 'en' })
  await consumer.eventsOnce('library', 1)
  const [signed] = consumer.requests('library')
  assert.ok(signed)
  const headers = signed.headers as Record<string, string>
  new Webhook(secret).verify(signed.body.toString(), headers)
  assert.throws(() => new Webhook(secret).verify(signed.body.toString().replace('3', '4'), headers))
})

for (const status of [200, 201, 202, 204, 226, 299]) {
  test(`a response with status ${status} counts as delivered`, async () => {
    const hook = await createHook((response) => response.writeHead(status).end())
    hook.review()
    const delivery = await waitForStatus(hook.id, 'delivered')
    assert.equal(delivery.attempts, 1)
    assert.equal(hook.requests().length, 1)
  })
}

for (const [what, answering, reason] of [
  ['500', (response) => response.writeHead(500).end(), 'http_status'],
  ['400', (response) => response.writeHead(400).end(), 'http_status'],
  ['410 to a hook without a platform', (response) => response.writeHead(410).end(), 'http_status'],
  ['a redirect', (response) => response.writeHead(302, { location: '/elsewhere' }).end(), 'redirect'],
  ['a permanent redirect', (response) => response.writeHead(308, { location: '/x' }).end(), 'redirect'],
  ['304', (response) => response.writeHead(304).end(), 'redirect'],
  ['a time-out', () => {}, 'timeout_headers'],
  ['an endless body', (response) => response.writeHead(200).write('a'), 'timeout_total'],
] as const satisfies readonly (readonly [string, Answering, string])[]) {
  test(`a failed delivery is retried with backoff, then dead-lettered: ${what}`, async () => {
    const at = reason.startsWith('timeout') ? impatient : usual
    const { alice, storage, consumer } = at
    const hook = await createHook(answering, 'api', at)
    hook.review()
    const delivery = await waitForStatus(hook.id, 'dead', at)
    assert.equal(delivery.deadReason, 'attempts_exhausted')
    assert.equal(delivery.attempts, WAITS_MS.length + 1)
    const attempts = await storage.deliveries.attempts(alice.accountId, delivery.eventId)
    assert.deepEqual(
      attempts.map((attempt) => attempt.reason),
      Array(WAITS_MS.length + 1).fill(reason),
    )
    assert.equal(consumer.events(hook.name).length, 1, 'every attempt has the same event_id and bytes')
    assert.equal(hook.requests().length, WAITS_MS.length + 1)
    assert.equal(consumer.requests('elsewhere').length, 0, 'redirects are not followed')
    for (const [index, waitMs] of WAITS_MS.entries()) {
      const [before, next] = [attempts[index], attempts[index + 1]]
      assert.ok(before && next)
      const endedMs = before.startedAt.getTime() + Math.floor(before.timings.totalMs)
      assert.ok(next.startedAt.getTime() - endedMs >= waitMs - 1, `wait before attempt ${index + 2}`)
    }
  })
}

test('a delivery with a lost response is attempted again with the same event_id and bytes', async () => {
  const hook = await createHook((response, nth) => {
    // With a part of the answer: a request whose reused connection closes without any is repeated in the same attempt.
    if (nth === 1) response.socket?.end('HTTP/1.')
    else response.writeHead(204).end()
  })
  hook.review()
  const delivery = await waitForStatus(hook.id, 'delivered')
  assert.equal(delivery.attempts, 2)
  const [first, second] = hook.requests()
  assert.ok(first && second)
  assert.ok(first.body.equals(second.body))
  assert.equal(first.headers['x-radar-event-id'], second.headers['x-radar-event-id'])
  assert.equal(first.headers['x-radar-signature'], second.headers['x-radar-signature'])
})

test('a dead letter can be replayed with the same event_id and bytes, and gets a new retry schedule', async () => {
  let repaired = false
  const hook = await createHook((response) => response.writeHead(repaired ? 204 : 503).end())
  hook.review()
  const dead = await waitForStatus(hook.id, 'dead')
  assert.equal(await storage.deadLetters.count(alice.accountId, { hookId: hook.id }), 1)
  repaired = true
  assert.equal(
    await storage.deadLetters.replay(alice.accountId, [dead.eventId], instantOf(Date.now()), 60_000),
    1,
  )
  await waitForStatus(hook.id, 'delivered')
  assert.equal(consumer.events(hook.name).length, 1)
  assert.equal(hook.requests().length, WAITS_MS.length + 2)
  assert.equal(await storage.deadLetters.count(alice.accountId, { hookId: hook.id }), 0)
})

test('after a 410 from an automation platform, pending deliveries become dead letters and polling ends', async () => {
  const hook = await createHook((response, nth) => response.writeHead(nth < 3 ? 500 : 410).end(), 'zapier')
  hook.review()
  hook.review()
  await until('both are dead letters', async () => {
    const rows = await deliveriesOf(hook.id)
    return rows.length === 2 && rows.every(({ status }) => status === 'dead')
  })
  const rows = await deliveriesOf(hook.id)
  assert.deepEqual(
    rows.map(({ deadReason }) => deadReason),
    ['gone', 'gone'],
  )
  assert.equal((await alice.client.getHook(hook.id)).status, 'gone')
  const feeds = await storage.feeds.list({ failingOnly: false, limit: 1_000 })
  assert.ok(!feeds.some(({ appId, active }) => active && appId === rows[0]?.appId))
})

test('Retry-After of a 429 or 503 lengthens the wait and never shortens it', async () => {
  for (const status of [429, 503]) {
    const longer = await createHook((response, nth) => {
      if (nth === 1) response.writeHead(status, { 'retry-after': '1' }).end()
      else response.writeHead(204).end()
    })
    longer.review()
    const delivery = await waitForStatus(longer.id, 'delivered')
    const [first, second] = await storage.deliveries.attempts(alice.accountId, delivery.eventId)
    assert.ok(first && second)
    const endedMs = first.startedAt.getTime() + Math.floor(first.timings.totalMs)
    assert.ok(second.startedAt.getTime() - endedMs >= 999)

    const shorter = await createHook((response, nth) => {
      if (nth <= 3) response.writeHead(status, { 'retry-after': '0' }).end()
      else response.writeHead(204).end()
    })
    shorter.review()
    const { eventId } = await waitForStatus(shorter.id, 'delivered')
    const attempts = await storage.deliveries.attempts(alice.accountId, eventId)
    assert.equal(attempts.length, 4)
    const [third, fourth] = attempts.slice(2)
    assert.ok(third && fourth && fourth.startedAt.getTime() - third.startedAt.getTime() >= 160)
  }
})

test('a pause holds pending deliveries, and resume releases all of them in order', async () => {
  const hook = await createHook((response) => response.writeHead(204).end())
  await storage.hooks.setStatus(alice.accountId, hook.id, 'paused', instantOf(Date.now()))
  const reviews = []
  for (let index = 0; index < 5; index += 1) {
    reviews.push(hook.review())
    await until('the delivery is pending', async () => (await deliveriesOf(hook.id)).length === index + 1)
  }
  assert.equal((await storage.maintenance.depths(instantOf(Date.now()))).held, 5)
  assert.equal(hook.requests().length, 0)
  await storage.hooks.setStatus(alice.accountId, hook.id, 'active', instantOf(Date.now()))
  await consumer.eventsOnce(hook.name, 5)
  const attempts = await Promise.all(
    (await deliveriesOf(hook.id)).map(async ({ eventId, seq }) => {
      const [attempt] = await until('the attempt is stored', async () => {
        const list = await storage.deliveries.attempts(alice.accountId, eventId)
        return list.length > 0 && list
      })
      return { seq, at: attempt?.startedAt.getTime() ?? 0 }
    }),
  )
  const inOrder = attempts.toSorted((a, b) => a.seq - b.seq).map(({ at }) => at)
  assert.deepEqual(
    inOrder,
    inOrder.toSorted((a, b) => a - b),
  )
})
