import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testClock } from '../support/clock.ts'
import { startConsumer } from '../support/consumer.ts'
import { baseline, requestsFor, subscribe } from '../support/radar.ts'
import { addApp, startTestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const consumer = await startConsumer()
after(() => consumer[Symbol.asyncDispose]())

/** One minute passes in three seconds. */
const SPEED = 20
const HOOKS_OF_ALICE = 150
/** Two requests of other feeds, and up to two for each of the four polls claimed before. */
const GAP_MS_MAX = 45_000

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
  const startMs = clock.now().getTime()
  await until('four minutes have passed', () => clock.now().getTime() - startMs > 240_000)
  const endMs = clock.now().getTime()
  const polls = requestsFor(radar.world, '7000')
    .map(({ at }) => at.getTime())
    .filter((at) => at > startMs)
  const gaps = [...polls, endMs].map((at, index) => at - (polls[index - 1] ?? startMs))
  assert.ok(Math.max(...gaps) <= GAP_MS_MAX, `Bob's feed was polled after ${gaps.map((ms) => ms / 1_000)} s`)
  const hers = radar.world.requests('apple').filter(({ at }) => at.getTime() > startMs).length - polls.length
  assert.ok(hers >= polls.length / 2, `only ${hers} requests were for Alice`)
})
