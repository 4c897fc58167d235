import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testClock } from '../support/clock.ts'
import { startConsumer } from '../support/consumer.ts'
import { asked, baseline, subscribe } from '../support/radar.ts'
import { addApp, startTestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const consumer = await startConsumer()
after(() => consumer[Symbol.asyncDispose]())

/** A minute passes in three seconds. */
const SPEED = 20
const HOOKS_OF_ALICE = 150
/** Two requests of other feeds between two of Bob's, and the four polls claimed before: up to two requests each. */
const GAP_MS_MAX = 45_000

test("an account is polled as before while another adds more apps than the store's rate allows", async () => {
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
  const polls = asked(radar.world, '7000')
    .map(({ at }) => at.getTime())
    .filter((at) => at > startMs)
  const gaps = [...polls, endMs].map((at, index) => at - (polls[index - 1] ?? startMs))
  assert.ok(Math.max(...gaps) <= GAP_MS_MAX, `his feed was polled after ${gaps.map((ms) => ms / 1_000)} s`)
  const hers = radar.world.requests('apple').filter(({ at }) => at.getTime() > startMs).length - polls.length
  assert.ok(hers >= polls.length / 2, `${hers} requests were left for her`)
})
