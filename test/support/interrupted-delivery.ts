import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '../../src/client/client.ts'
import { startConsumer } from './consumer.ts'
import { type RunningCommand, radarCommand, servedUrl, startRadar } from './radar-command.ts'
import { addApp, startTestService } from './service.ts'
import { until } from './until.ts'

const APP = { store: 'apple', appId: '700' } as const

/** The bodies of both requests and the log of the second process. */
export type Redelivered = { readonly bodies: readonly unknown[]; readonly log: string }

/**
 * Runs `radar serve` on a SQLite file until its only delivery hangs, ends it with `interrupt`, and starts it again.
 * Resolves after the second request of the delivery.
 */
export async function redeliverAfter(
  interrupt: (running: RunningCommand) => Promise<void>,
): Promise<Redelivered> {
  await using opened = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'radar-interrupted-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  const stores = opened.use(await startTestService({ RADAR_ROLES: 'api' }, { engine: 'sqlite' }))
  const consumer = opened.use(await startConsumer())
  consumer.answer('hanging', () => {})
  const received = () => consumer.requests('hanging')
  addApp(stores.world, APP)
  const settings = {
    ...stores.environment,
    RADAR_DATA_DIR: folder,
    RADAR_PORT: '0',
    RADAR_ROLES: 'all',
    RADAR_ENRICHMENT: 'off',
    // The lease of a delivery is longer than this, and far longer than a test waits.
    RADAR_DELIVERY_TIMEOUT: '60s',
  }
  const serve = () => {
    const running = startRadar(['serve'], settings)
    opened.defer(() => void running.process.kill('SIGKILL'))
    return running
  }

  const running = serve()
  const baseUrl = await servedUrl(running)
  const password = join(folder, 'password')
  await writeFile(password, 'correct horse battery')
  const owner = ['--email', 'alice@example.com', '--password-file', password]
  const account = (await radarCommand(['account', 'create', ...owner], settings)).out.trim()
  const token = (await radarCommand(['token', 'create', '--account', account], settings)).out.trim()
  const client = createClient({ baseUrl, token })
  await client.subscribe({
    target_url: consumer.targetUrl('hanging'),
    store: APP.store,
    app_id: APP.appId,
    event_type: 'rating.dropped',
    delta: 0.1,
  })
  await until('the app is polled', async () => (await client.listApps())[0]?.name === 'An App')
  stores.world.setRating({ ...APP, storefront: 'us' }, { average: '4.1', count: 1_001 })
  await until('the request hangs', () => received().length === 1)
  await interrupt(running)

  consumer.answer('hanging', (response) => response.writeHead(204).end())
  const again = serve()
  await until('the event is delivered', () => received().length === 2)
  return { bodies: received().map(({ body }) => body), log: again.out() }
}
