import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { createClient } from '../../src/client/client.ts'
import { INBOX_TARGET, PULL_TARGET } from '../../src/model/inbox.ts'
import { silentLog } from '../../src/runtime/log.ts'
import { configOf } from '../../src/service/config/config.ts'
import { openConfigured } from '../../src/service/operate.ts'
import { startSimulation } from '../../src/simulate/server.ts'
import { createWorld } from '../../src/simulate/world.ts'
import { webhookTo } from '../../src/storage/conformance/samples.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { testClock } from '../support/clock.ts'
import { freePort } from '../support/free-port.ts'
import { createAccount, createToken } from '../support/people.ts'
import { publish, publishOld } from '../support/publish.ts'
import { addApp } from '../support/service.ts'
import { until } from '../support/until.ts'
import { createNode } from './nodes.ts'

const APP = { store: 'apple', appId: '900001', market: 'us' } as const
const ROUNDS = 4
const REVIEWS_PER_ROUND = 5
/** Kills interrupt the poll, the fan-out and the inbox at different points. */
const KILL_STEP_MS = 150

test('kills neither lose nor repeat events of the inbox', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'radar-inbox-'))
  after(() => rm(folder, { recursive: true, force: true }))
  const world = createWorld()
  const stores = { world, clock: testClock() }
  addApp(world, APP)
  publishOld(stores, APP, 1)
  await using simulation = await startSimulation({
    host: '127.0.0.1',
    world,
    clock: stores.clock,
    log: silentLog,
  })
  const environment = {
    RADAR_DATA_DIR: folder,
    RADAR_APPLE_ITUNES_URL: simulation.appleUrl,
    RADAR_APPLE_WEB_URL: simulation.appleUrl,
    RADAR_REVIEWS_POLL_INTERVAL: '300ms',
    RADAR_APPLE_REQUESTS_PER_MINUTE: '600000',
    RADAR_ENRICHMENT: 'off',
    RADAR_ACCOUNT_API_REQUESTS_PER_MINUTE: '1000000',
  }
  const withStorage = async <T>(use: (storage: Storage) => Promise<T>): Promise<T> => {
    await using storage = await openConfigured(configOf(environment))
    return await use(storage)
  }
  const accountId = await withStorage((storage) => createAccount(storage, 'Alice'))
  const token = await withStorage((storage) => createToken(storage, accountId, 'crash'))
  const node = createNode({
    port: await freePort(),
    environment,
    logFile: join(folder, 'log'),
    speed: 1,
    anchorMs: 0,
  })
  after(() => node.kill())
  const rowsOf = async (path: string) => {
    const answer = await fetch(`${node.url}/api/v1/${path}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    return ((await answer.json()) as { data: { event_id: string; status: string; attempts: number }[] }).data
  }
  node.start()
  await node.ready()
  // The API creates no inbox. A hook that is only pulled becomes one before its first event.
  const { id: hookId } = await createClient({ baseUrl: node.url, token: token ?? '' }).subscribe({
    target_url: PULL_TARGET,
    store: APP.store,
    app_id: APP.appId,
    event_type: 'review.created',
  })
  await withStorage((storage) => storage.hooks.update(accountId, hookId, { target: webhookTo(INBOX_TARGET) }))
  await until('the first poll is done', async () => (await rowsOf('reviews')).length === 1)

  for (let round = 0; round < ROUNDS; round += 1) {
    for (let nth = 0; nth < REVIEWS_PER_ROUND; nth += 1) publish(stores, APP)
    await setTimeout(round * KILL_STEP_MS)
    await node.kill()
    node.start()
    await node.ready()
  }
  const expected = ROUNDS * REVIEWS_PER_ROUND
  const read = () => rowsOf(`deliveries?hook_id=${hookId}&limit=200`)
  await until('every event is in the inbox', async () => {
    const rows = await read()
    return rows.length >= expected && rows.every(({ status }) => status === 'delivered')
  })
  const rows = await read()
  assert.equal(rows.length, expected)
  assert.equal(new Set(rows.map(({ event_id }) => event_id)).size, expected)
  assert.deepEqual([...new Set(rows.map(({ attempts }) => attempts))], [1])
})
