import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createClient } from '../../src/client/client.ts'
import type { StoreConnectionView } from '../../src/contract/v1/store-connections.ts'
import { createNode } from '../crash/nodes.ts'
import { testClock } from '../support/clock.ts'
import { connectStore, withoutQuotas } from '../support/connect-store.ts'
import { startConsumer } from '../support/consumer.ts'
import { freePort } from '../support/free-port.ts'
import { publishOld } from '../support/publish.ts'
import { baseline, subscribe } from '../support/radar.ts'
import { addApp, startTestService } from '../support/service.ts'
import { until } from '../support/until.ts'

/** Leases and waits of minutes end within seconds. */
const SPEED = 60
/** The store applies a request at once and answers after this real time; longer than the test needs to kill the node. */
const ANSWER_DELAY_MS = 8_000
/** More than the first poll reads, and more than one part of a report. */
const REVIEWS = 3_000
/** Older than the newest row of a report. */
const AGE_MS = 10 * 24 * 3_600_000
const KILLS = 4
const BUCKET = 'pubsite_prod_rev_1'

for (const { store, market, appId, source, engine } of [
  { store: 'apple', market: 'us', appId: '6000000001', source: 'appstoreconnect', engine: 'sqlite' },
  { store: 'google', market: 'en', appId: 'com.example.killed', source: 'storage', engine: 'postgres' },
] as const) {
  test(`an import of the history that is killed in the middle of a page reads each page once (${store}, ${engine})`, async () => {
    const anchorMs = Date.now()
    const clock = testClock({ anchorMs, speed: SPEED, sleepMsMax: 25 })
    await using consumer = await startConsumer()
    await using radar = await startTestService(
      {
        RADAR_OFFICIAL_POLL_INTERVAL: '10h',
        RADAR_REVIEWS_POLL_INTERVAL: '10h',
        RADAR_RATINGS_POLL_INTERVAL: '10h',
        RADAR_ACCOUNT_API_REQUESTS_PER_MINUTE: '100000',
      },
      { clock, engine },
    )
    const { world } = radar
    withoutQuotas(world)
    const place = { store, appId, market }
    addApp(world, place)
    publishOld(radar, place, REVIEWS, AGE_MS)
    const who = await radar.person('Ann')
    await subscribe(who, consumer, 'killed', {
      store,
      app_id: appId,
      event_type: 'review.created',
      country: 'us',
    })
    await baseline(radar, appId)
    const id = await connectStore(who, world, place, store === 'google' ? { bucket: BUCKET } : {})
    await who.client.call('PUT', `/store-connections/${id}/apps/${appId}`)
    await until('the official source is used', async () => {
      const { apps } = await who.client.call<StoreConnectionView>('GET', `/store-connections/${id}`)
      return apps[0]?.source?.state === 'official'
    })
    await radar.service.stop()

    const folder = await mkdtemp(join(tmpdir(), 'radar-killed-'))
    const node = createNode({
      port: await freePort(),
      environment: radar.environment,
      logFile: join(folder, 'log'),
      speed: SPEED,
      anchorMs,
    })
    const client = createClient({ baseUrl: node.url, token: who.token })
    const history = async () => {
      const { apps } = await client.call<StoreConnectionView>('GET', `/store-connections/${id}`)
      return apps[0]?.history ?? assert.fail('there is no import')
    }
    const pagesAsked = () =>
      world
        .requests(store)
        .filter((request) => request.source === source && /cursor=|alt=media/.test(request.url))
    const restart = async () => {
      await node.kill()
      node.start()
      await node.ready()
    }
    try {
      node.start()
      await node.ready()
      await client.call('PUT', `/store-connections/${id}/apps/${appId}/history`)
      await until('some pages are read', async () => (await history()).reviews > 0)

      const endFault = world.setFault({ store, source }, { kind: 'slow', delayMs: ANSWER_DELAY_MS })
      const before = pagesAsked().length
      await until('a page is asked', () => pagesAsked().length > before)
      const { reviews } = await history()
      const asked = pagesAsked().at(-1)?.url
      const askedBefore = pagesAsked().length
      await restart()
      const { state, reviews: left } = await history()
      assert.equal(state, 'running')
      assert.equal(left, reviews, 'nothing of the page was stored')
      endFault()
      await restart()
      await until('a page is asked again', () => pagesAsked().length > askedBefore)
      assert.equal(pagesAsked()[askedBefore]?.url, asked, 'it continues with the same page')

      for (let kill = 0; kill < KILLS; kill += 1) {
        const from = (await history()).reviews
        await until('the import goes on', async () => {
          const now = await history()
          return now.reviews > from || now.state !== 'running'
        })
        await restart()
      }
      const done = await until('the import ends', async () => {
        const now = await history()
        return now.state === 'running' ? null : now
      })
      assert.deepEqual([done.state, done.reviews, done.problem], ['done', REVIEWS, null])
    } finally {
      await node.kill()
      await rm(folder, { recursive: true, force: true })
    }
    await using again = await radar.startAnother()
    assert.equal(
      await again.storage.reports.countReviews(who.accountId, { store, appId }, REVIEWS * 2),
      REVIEWS,
    )
    assert.deepEqual(consumer.events('killed'), [])
  })
}
