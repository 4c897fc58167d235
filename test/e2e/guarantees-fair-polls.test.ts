import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testClock } from '../support/clock.ts'
import { startConsumer } from '../support/consumer.ts'
import { baseline, subscribe } from '../support/radar.ts'
import { addApp, startTestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const consumer = await startConsumer()
after(() => consumer[Symbol.asyncDispose]())

/** One minute passes in three seconds. */
const SPEED = 20
const HOOKS_OF_ALICE = 150
/** As many as the rate limit allows in four minutes. */
const REQUESTS = 160
/**
 * Requests of other feeds between two polls of Bob: about one for each of his, up to two for each of the four polls claimed before, and
 * more on a busy machine. Without fairness there would be at least one for each hook of Alice.
 */
const GAP_MAX = 30

test("the polls of an account keep their interval while another adds more apps than the store's rate limit allows", async () => {
  const clock = testClock({ speed: SPEED })
  await using radar = await startTestService(
    {
      RADAR_APPLE_REQUESTS_PER_MINUTE: '40',
      RADAR_REVIEWS_POLL_INTERVAL: '3s',
      RADAR_RATINGS_POLL_INTERVAL: '3s',
    },
    { clock },
  )
  const alice = await radar.person('Alice')
  const bob = await radar.person('Bob')
  addApp(radar.world, { store: 'apple', appId: '7000' })
  await subscribe(bob, consumer, 'bob', { store: 'apple', app_id: '7000', event_type: 'review.created' })
  await baseline(radar, '7000')
  for (let app = 0; app < HOOKS_OF_ALICE; app += 1) {
    const appId = String(7_001 + app)
    addApp(radar.world, { store: 'apple', appId })
    await subscribe(alice, consumer, 'alice', {
      store: 'apple',
      app_id: appId,
      event_type: 'review.created',
    })
  }
  const before = radar.world.requests('apple').length
  const requests = () => radar.world.requests('apple').slice(before)
  await until('the store got the requests', () => requests().length >= REQUESTS)
  const gaps = [0]
  for (const { appIds } of requests()) {
    if (appIds.includes('7000')) gaps.push(0)
    else gaps.push((gaps.pop() ?? 0) + 1)
  }
  assert.ok(Math.max(...gaps) <= GAP_MAX, `between polls of Bob's feed: ${gaps}`)
  const hers = gaps.reduce((sum, gap) => sum + gap, 0)
  assert.ok(hers >= (gaps.length - 1) / 2, `only ${hers} requests were for Alice`)
})
