import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createClient } from '../../src/client/client.ts'
import { consoleClient, PASSWORD } from '../support/console-client.ts'
import { startConsumer } from '../support/consumer.ts'
import { startPostgres } from '../support/postgres.ts'
import { publish } from '../support/publish.ts'
import { baseline, subscribe, waitUntilProcessed } from '../support/radar.ts'
import { radarCommand } from '../support/radar-command.ts'
import { addApp, startTestService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const opened = new AsyncDisposableStack()
after(() => opened.disposeAsync())
const postgres = opened.use(await startPostgres())
const consumer = opened.use(await startConsumer())
const radar = opened.use(await startTestService({ RADAR_RETRY_WAITS: '1h,1h' }))

const HOUR_MS = 3_600_000
const PLACE = { store: 'google', appId: 'com.example.moved', market: 'en' } as const
const WANTS = { store: PLACE.store, app_id: PLACE.appId, event_type: 'review.created' } as const

function migrate(url: string, settings = radar.environment) {
  return radarCommand(['migrate', '--to', url], settings)
}

/** The lines `NAME=value` at the end of the command's output. */
function settingsIn(out: string): Record<string, string> {
  const lines = out.matchAll(/^ {2}(RADAR_\w+)=(\S+)$/gm)
  return Object.fromEntries([...lines].map(([, name = '', value = '']) => [name, value]))
}

/** The reviews of the events that the hook accepted, in order. */
function accepted(hook: string): string[] {
  return consumer
    .requests(hook)
    .filter(({ answered }) => answered === 204)
    .map(({ body }) => JSON.parse(body.toString('utf8')).review_id)
}

test('after a move to PostgreSQL pending events are delivered, and none is repeated', async () => {
  const alice = await radar.person('Alice')
  addApp(radar.world, PLACE)
  await subscribe(alice, consumer, 'up', WANTS)
  await subscribe(alice, consumer, 'down', WANTS)
  await baseline(radar, PLACE.appId)
  consumer.answer('down', (response) => response.writeHead(503).end())
  const before = [publish(radar, PLACE), publish(radar, PLACE)].map(({ id }) => id)
  await until('one receiver has accepted both events and the other has rejected both', async () => {
    const page = { limit: 9, before: null }
    const pending = await radar.service.storage.deliveries.list(alice.accountId, { status: 'pending' }, page)
    return (
      accepted('up').length === 2 && pending.length === 2 && pending.every(({ attempts }) => attempts === 1)
    )
  })
  const password = join(radar.environment.RADAR_DATA_DIR ?? '', 'password')
  writeFileSync(password, PASSWORD)
  const words = ['account', 'create', '--email', 'alice@example.com', '--password-file', password]
  assert.equal((await radarCommand(words, radar.environment)).status, 0)

  const url = await postgres.newDatabase()
  const tooEarly = await migrate(url)
  assert.equal(tooEarly.status, 1)
  assert.match(tooEarly.err, /^radar migrate: A service runs on .*radar\.db, .* Stop it, then move\./)
  await radar.service.stop()
  const moved = await migrate(url)
  assert.equal(moved.status, 0, moved.err)
  assert.match(moved.out, /^deliveries +4$/m)
  assert.match(moved.out, /counts and checksums are equal\. The SQLite database was not changed\./)

  // Only the settings that the command printed.
  const settings = settingsIn(moved.out)
  assert.deepEqual(Object.keys(settings), ['RADAR_DATABASE_URL', 'RADAR_SECRET_KEY_FILE'])
  await using service = await radar.startAnother(settings)
  const here: TestService = { ...radar, service }
  consumer.answer('down', (response) => response.writeHead(204).end())
  radar.clock.leap(2 * HOUR_MS)
  await until('the pending events are delivered', () => accepted('down').length === 2)
  const late = publish(radar, PLACE)
  await until('a review written after the move arrives', () => accepted('up').length === 3)
  await waitUntilProcessed(here, PLACE.appId)
  for (const hook of ['up', 'down']) {
    assert.deepEqual(accepted(hook).sort(), [...before, late.id].sort(), hook)
    // Every request has the same bytes for the same event, signed with the secret from before the move.
    assert.equal(consumer.events(hook).length, 3)
  }

  const client = createClient({ baseUrl: service.url, token: alice.token })
  assert.equal((await client.listHooks()).length, 2)
  const browser = consoleClient(service.url)
  const signedIn = await browser.request('POST', '/auth/sign-in/email', {
    email: 'alice@example.com',
    password: PASSWORD,
  })
  assert.equal(signedIn.status, 200, signedIn.text)
})

test('a move that fails prints the reason and ends with status 1', async () => {
  const url = await postgres.newDatabase()
  const failures: [string, RegExp, Record<string, string>?][] = [
    ['mysql://127.0.0.1/radar', /--to must be postgres:\/\/.* starts with "mysql:\/\/1"/],
    ['postgres://127.0.0.1:1/radar', /The PostgreSQL database cannot be used: no connection/],
    [new URL('/missing', url).href, /there is no database of that name/],
    [url, /There is no database .*elsewhere.* to move/, { RADAR_DATABASE_URL: 'sqlite:/elsewhere/radar.db' }],
  ]
  for (const [to, sentence, more] of failures) {
    const { status, out, err } = await migrate(to, { ...radar.environment, ...more })
    assert.deepEqual([status, out], [1, ''], err)
    assert.match(err, sentence)
    assert.equal(err.trimEnd().split('\n').length, 1, err)
  }
  assert.equal((await migrate(url)).status, 0)
  const again = await migrate(url)
  assert.equal(again.status, 1)
  assert.match(
    again.err,
    /^radar migrate: The PostgreSQL database is not empty: its table accounts holds rows/,
  )
})

test('a move to a database of a newer version is rejected', async () => {
  const url = await postgres.newDatabase()
  assert.equal((await migrate(url)).status, 0)
  const newest = await postgres.query(
    "insert into schema_migrations values (999, 'from_the_future', 0) returning version",
    url,
  )
  assert.equal(newest.length, 1)
  await postgres.query(`truncate ${(await tables(url)).join(', ')} cascade`, url)
  const rejected = await migrate(url)
  assert.equal(rejected.status, 1)
  assert.match(rejected.err, /has schema 999 \(from_the_future\), written by a newer version/)
})

async function tables(url: string): Promise<string[]> {
  const rows = await postgres.query(
    "select tablename from pg_tables where schemaname = 'public' and tablename <> 'schema_migrations'",
    url,
  )
  return rows.map(({ tablename }) => `"${tablename}"`)
}
