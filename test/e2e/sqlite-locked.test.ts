import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { startConsumer } from '../support/consumer.ts'
import { longestBlockMs } from '../support/longest-block.ts'
import { publish } from '../support/publish.ts'
import { baseline, subscribe } from '../support/radar.ts'
import { addApp, startTestService, type TestService } from '../support/service.ts'
import { holdSqliteLock } from '../support/sqlite-lock.ts'
import { until } from '../support/until.ts'

const opened = new AsyncDisposableStack()
after(() => opened.disposeAsync())
const consumer = opened.use(await startConsumer())

const LOCK_MS = 2_000
/** Longer than the delays of a busy machine, and shorter than the block of a call that waits for the lock. */
const BLOCK_MS_MAX = LOCK_MS / 2

const fileOf = (radar: TestService) => join(radar.environment.RADAR_DATA_DIR ?? '', 'radar.db')
const place = { store: 'apple', market: 'us' } as const

test('while another process locks the database, health checks and reads succeed and no event is lost', async () => {
  await using radar = await startTestService({}, { engine: 'sqlite' })
  const alice = await radar.person('Alice')
  addApp(radar.world, { store: 'apple', appId: '810' })
  const wants = { store: 'apple', app_id: '810', event_type: 'review.created' } as const
  await subscribe(alice, consumer, 'locked', wants)
  await baseline(radar, '810')
  publish(radar, { ...place, appId: '810' })
  await consumer.eventsOnce('locked', 1)

  await using lock = await holdSqliteLock(fileOf(radar))
  let subscribed = false
  const subscribing = alice.client
    .subscribe({ ...wants, target_url: consumer.targetUrl('other') })
    .finally(() => {
      subscribed = true
    })
  publish(radar, { ...place, appId: '810' })
  const blockedMs = await longestBlockMs(async () => {
    const until = performance.now() + LOCK_MS
    while (performance.now() < until) {
      assert.equal((await radar.request('/healthz')).status, 200)
      assert.equal((await alice.client.listHooks()).length, 1)
      await setTimeout(50)
    }
  })
  assert.equal(subscribed, false)
  assert.equal((await consumer.events('locked')).length, 1, 'unclaimed deliveries are not sent')
  assert.ok(blockedMs < BLOCK_MS_MAX, `blocked for ${blockedMs} ms`)
  await lock.release()
  await subscribing
  assert.equal((await alice.client.listHooks()).length, 2)
  await consumer.eventsOnce('locked', 2)
})

test('during a long lock the node is not ready, and writes answer 503 with Retry-After', async () => {
  await using radar = await startTestService({}, { engine: 'sqlite' })
  const bob = await radar.person('Bob')
  await using lock = await holdSqliteLock(fileOf(radar))
  const subscribing = radar.request('/api/v1/hooks', {
    method: 'POST',
    headers: { 'x-api-key': bob.token, 'content-type': 'application/json' },
    body: JSON.stringify({
      target_url: consumer.targetUrl('never'),
      store: 'apple',
      app_id: '811',
      event_type: 'review.created',
    }),
  })
  const unready = await until('the node is not ready', async () => {
    const answer = await radar.request('/readyz')
    return answer.status === 503 && answer
  })
  assert.match(unready.text, /The database does not answer/)
  const answer = await subscribing
  assert.equal(answer.status, 503)
  assert.deepEqual(answer.json(), {
    error: 'The database is locked by another process; try again in a few seconds.',
  })
  assert.equal(answer.headers.get('retry-after'), '5')
  await lock.release()
  await until('the node is ready again', async () => (await radar.request('/readyz')).status === 200)
})
