import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { createClient } from '../../src/client/client.ts'
import { configOf } from '../../src/service/config/config.ts'
import { openConfigured } from '../../src/service/operate.ts'
import { freePort } from '../support/free-port.ts'
import { createAccount, createToken } from '../support/people.ts'
import { createNode } from './nodes.ts'

const folder = await mkdtemp(join(tmpdir(), 'radar-first-'))
after(() => rm(folder, { recursive: true, force: true }))
const environment = {
  RADAR_DATA_DIR: join(folder, 'data'),
  RADAR_APPLE_ITUNES_URL: 'http://127.0.0.1:9',
  RADAR_APPLE_WEB_URL: 'http://127.0.0.1:9',
  RADAR_GOOGLE_PLAY_URL: 'http://127.0.0.1:9',
  RADAR_ALLOW_TARGET_CIDRS: '127.0.0.1',
  // The language engine takes most of the processor time of a start, and writes nothing.
  RADAR_ENRICHMENT: 'off',
}
const node = createNode({
  port: await freePort(),
  environment,
  logFile: join(folder, 'log'),
  speed: 1,
  anchorMs: 0,
})
after(() => node.kill())

test('the service starts after a kill during its first start', async () => {
  for (let waitMs = 150; waitMs <= 900; waitMs += 150) {
    await rm(environment.RADAR_DATA_DIR, { recursive: true, force: true })
    node.start()
    await setTimeout(waitMs)
    await node.kill()
    node.start()
    await node.ready()
    assert.equal(await node.stop(), 0)
  }
})

test('a hook and its secret survive a kill right after the response to subscribe', async () => {
  node.start()
  await node.ready()
  const token = await (async () => {
    await using storage = await openConfigured(configOf(environment))
    return await createToken(storage, await createAccount(storage, 'Alice'), 'crash')
  })()
  const client = createClient({ baseUrl: node.url, token: token ?? '' })
  const ids: string[] = []
  for (let round = 0; round < 3; round += 1) {
    const made = await client.subscribe({
      target_url: 'http://127.0.0.1:9/hook',
      store: 'google',
      app_id: `com.example.durable${round}`,
      event_type: 'review.created',
    })
    await node.kill()
    ids.push(made.id)
    node.start()
    await node.ready()
    assert.deepEqual(
      (await client.listHooks()).map(({ id }) => id),
      ids,
    )
    assert.equal((await client.testHook(made.id)).reason, 'connect_refused', 'the secret can be decrypted')
  }
})
