import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createClient } from '../../src/client/client.ts'
import type { ReplyRow } from '../../src/contract/v1/replies.ts'
import { createNode } from '../crash/nodes.ts'
import { testClock } from '../support/clock.ts'
import { connectStore } from '../support/connect-store.ts'
import { freePort } from '../support/free-port.ts'
import { publish } from '../support/publish.ts'
import { baseline } from '../support/radar.ts'
import { addApp, startTestService } from '../support/service.ts'
import { until } from '../support/until.ts'

/** Leases of minutes end within seconds. */
const SPEED = 60
/** The store applies a request at once and answers after this real time. */
const ANSWER_DELAY_MS = 1_500

for (const [store, market, appId] of [
  ['apple', 'us', '5000000001'],
  ['google', 'en', 'com.example.killed'],
] as const) {
  test(`an answer is written once although the service is killed before it gets the result (${store})`, async () => {
    const anchorMs = Date.now()
    const clock = testClock({ anchorMs, speed: SPEED, sleepMsMax: 25 })
    await using radar = await startTestService(
      {
        RADAR_OFFICIAL_POLL_INTERVAL: '30s',
        RADAR_REVIEWS_POLL_INTERVAL: '1h',
        RADAR_RATINGS_POLL_INTERVAL: '1h',
      },
      { clock, engine: 'sqlite' },
    )
    const { world } = radar
    const place = { store, appId, market }
    addApp(world, place)
    const who = await radar.person('Ann')
    await who.client.call('PUT', `/tracked-apps/${store}/${appId}`, { body: { countries: ['us'] } })
    // Otherwise a late first poll of the public pages would store the review.
    await baseline(radar, appId)
    const id = await connectStore(who, world, place)
    const review = publish(radar, place)
    await who.client.call('PUT', `/store-connections/${id}/apps/${appId}`)
    const row = await until('the review is stored', async () => {
      const { data } = await who.client.listReviews({ app_id: appId })
      return data.find(({ source }) => source !== 'public')
    })
    await radar.service.stop()

    const folder = await mkdtemp(join(tmpdir(), 'radar-killed-'))
    const port = await freePort()
    const node = createNode({
      port,
      environment: radar.environment,
      logFile: join(folder, 'log'),
      speed: SPEED,
      anchorMs,
    })
    const client = createClient({ baseUrl: node.url, token: who.token })
    const path = `/reviews/${row.fingerprint}/reply`
    const written = () => world.official.reply({ store, appId, reviewId: review.id })
    try {
      node.start()
      await node.ready()
      const endFault = world.setFault({ store }, { kind: 'slow', delayMs: ANSWER_DELAY_MS })
      await client.call('PUT', path, { body: { text: 'Thank you!' } })
      const first = await until('the store has the answer', written)
      await node.kill()
      node.start()
      await node.ready()
      const before = await client.call<ReplyRow>('GET', path)
      endFault()
      assert.equal(before.state, 'pending', 'the killed process did not store the result')
      await until('the answer is known to be in the store', async () => {
        const { state } = await client.call<ReplyRow>('GET', path)
        return state === 'sent' || state === 'published'
      })
      assert.deepEqual(written(), first, 'it was not written again')
    } finally {
      await node.kill()
      await rm(folder, { recursive: true, force: true })
    }
  })
}
