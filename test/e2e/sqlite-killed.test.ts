import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createClient } from '../../src/client/client.ts'
import { startConsumer } from '../support/consumer.ts'
import { radarCommand, servedUrl, startRadar } from '../support/radar-command.ts'
import { addApp, startTestService } from '../support/service.ts'
import { until } from '../support/until.ts'

test('a service that was killed goes on at its next start, without waiting for its leases', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'radar-killed-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  await using stores = await startTestService({ RADAR_ROLES: 'api' }, { engine: 'sqlite' })
  await using consumer = await startConsumer()
  consumer.answer('hanging', () => {})
  const received = () => consumer.requests('hanging')
  addApp(stores.world, { store: 'apple', appId: '700' })
  const settings = {
    ...stores.environment,
    RADAR_DATA_DIR: folder,
    RADAR_PORT: '0',
    RADAR_ROLES: 'all',
    // Leases of deliveries last longer than this, and far longer than the test waits.
    RADAR_DELIVERY_TIMEOUT: '60s',
  }
  const running = startRadar(['serve'], settings)
  try {
    const baseUrl = await servedUrl(running)
    const password = join(folder, 'password')
    writeFileSync(password, 'correct horse battery')
    const owner = ['--email', 'alice@example.com', '--password-file', password]
    const account = (await radarCommand(['account', 'create', ...owner], settings)).out.trim()
    const token = (await radarCommand(['token', 'create', '--account', account], settings)).out.trim()
    const client = createClient({ baseUrl, token })
    await client.subscribe({
      target_url: consumer.targetUrl('hanging'),
      store: 'apple',
      app_id: '700',
      event_type: 'rating.dropped',
      delta: 0.1,
    })
    await until('the app was polled', async () => (await client.listApps())[0]?.name === 'An App')
    stores.world.setRating(
      { store: 'apple', appId: '700', storefront: 'us' },
      { average: '4.1', count: 1_001 },
    )
    await until('the request hung', () => received().length === 1)
    running.process.kill('SIGKILL')
    await once(running.process, 'exit')
  } finally {
    running.process.kill('SIGKILL')
  }
  consumer.answer('hanging', (response) => response.writeHead(204).end())
  const again = startRadar(['serve'], settings)
  try {
    await until('it was delivered', () => received().length === 2)
    assert.deepEqual(received()[1]?.body, received()[0]?.body)
    assert.match(again.out(), /"event":"leases\.released"/)
  } finally {
    again.process.kill('SIGKILL')
  }
})
