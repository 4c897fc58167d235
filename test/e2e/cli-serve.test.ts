import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { redeliverAfter } from '../support/interrupted-delivery.ts'
import { radarCommand, servedUrl, startRadar } from '../support/radar-command.ts'
import { startTestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const folders: string[] = []
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** Settings for a separate service, on a free port, in a new folder and without the language engine. */
function fresh(): { RADAR_PORT: string; RADAR_DATA_DIR: string; RADAR_ENRICHMENT: string } {
  const folder = mkdtempSync(join(tmpdir(), 'radar-serve-'))
  folders.push(folder)
  return { RADAR_PORT: '0', RADAR_DATA_DIR: folder, RADAR_ENRICHMENT: 'off' }
}

test('serve responds, and ends with status 0 on SIGTERM and on SIGINT', async () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const running = startRadar(['serve'], { ...fresh(), RADAR_ENRICHMENT: undefined })
    try {
      const url = await servedUrl(running)
      assert.equal((await fetch(`${url}/healthz`)).status, 200)
      await until('the setup code is a plain line', () => /^Setup code: \S+$/m.test(running.err()))
      await until('the service is ready', async () => (await fetch(`${url}/readyz`)).status === 200)
      running.process.kill(signal)
      const [status] = await once(running.process, 'exit')
      assert.equal(status, 0)
    } finally {
      running.process.kill('SIGKILL')
    }
  }
})

test('the service starts beside Kubernetes services named radar and radar-web, and names their variables in one line', async () => {
  const { RADAR_PORT, ...settings } = fresh()
  const file = join(settings.RADAR_DATA_DIR, 'radar.conf')
  writeFileSync(file, `RADAR_PORT=${RADAR_PORT}\n`)
  const running = startRadar(['serve'], {
    ...settings,
    RADAR_CONFIG: file,
    RADAR_PORT: 'tcp://10.0.0.1:80',
    RADAR_PORT_80_TCP: 'tcp://10.0.0.1:80',
    RADAR_WEB_SERVICE_HOST: '10.0.0.2',
  })
  try {
    await servedUrl(running)
    const lines = running
      .out()
      .split('\n')
      .filter((line) => line.includes('"settings.ignored"'))
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).names),
      [['RADAR_PORT', 'RADAR_PORT_80_TCP', 'RADAR_WEB_SERVICE_HOST']],
    )
  } finally {
    running.process.kill('SIGKILL')
  }
})

test('serve fails if the port is in use, and says what to do', async () => {
  await using other = await startTestService()
  const { status, err } = await radarCommand(['serve'], { ...fresh(), RADAR_PORT: new URL(other.url).port })
  assert.equal(status, 1)
  assert.match(err, /^radar serve: The address 127\.0\.0\.1:\d+ is in use by another process\. .*RADAR_PORT/)
})

test('serve fails for an address that this machine does not have', async () => {
  const { status, err } = await radarCommand(['serve'], { ...fresh(), RADAR_HOST: '203.0.113.7' })
  assert.equal(status, 1)
  assert.match(err, /is not an address of this machine\. Set RADAR_HOST/)
})

test('serve fails with a key that does not match the database', async () => {
  const settings = fresh()
  assert.equal((await radarCommand(['migrate'], settings)).status, 0)
  const first = startRadar(['serve'], settings)
  await servedUrl(first)
  first.process.kill('SIGTERM')
  await once(first.process, 'exit')
  const { status, err } = await radarCommand(['serve'], {
    ...settings,
    RADAR_SECRET_KEY: Buffer.alloc(32, 9).toString('base64'),
  })
  assert.equal(status, 1)
  assert.match(err, /^radar serve: This is not the key of this database: .*RADAR_SECRET_KEY/)
})

test('serve fails with a corrupt key file and creates no new one', async () => {
  const settings = fresh()
  writeFileSync(join(settings.RADAR_DATA_DIR, 'secret.key'), 'not a key\n')
  const { status, err } = await radarCommand(['serve'], settings)
  assert.equal(status, 1)
  assert.match(err, /secret\.key does not contain 32 bytes in base64/)
})

test('every command rejects a database of a newer version, and one of a version before the migrations', async () => {
  const settings = fresh()
  assert.equal((await radarCommand(['migrate'], settings)).status, 0)
  const change = (sql: string) => {
    const db = new DatabaseSync(join(settings.RADAR_DATA_DIR, 'radar.db'))
    db.exec(sql)
    db.close()
  }
  const rejected = async (message: RegExp) => {
    for (const words of [['serve'], ['token', 'list'], ['doctor']]) {
      const { status, err } = await radarCommand(words, settings)
      assert.equal(status, 1)
      assert.match(err, message)
    }
  }
  change("insert into schema_migrations values (999, 'from_the_future', 0)")
  await rejected(/has schema 999 \(from_the_future\), written by a newer version/)
  change("delete from schema_migrations; insert into schema_migrations values (1, 'core', 0)")
  await rejected(/radar\.db has schema version 1\. Start Review Radar 0\.5\.0 once to upgrade it/)
})

test('serve fails with a file that is not a database', async () => {
  const settings = fresh()
  const file = join(settings.RADAR_DATA_DIR, 'radar.db')
  writeFileSync(
    file,
    'this is a text, long enough to look like the damaged header of a database file. '.repeat(20),
  )
  const { status, err } = await radarCommand(['serve'], settings)
  assert.equal(status, 1)
  assert.match(err, /is not a SQLite database/)
})

test('a node without the role api serves only health, readiness and metrics', async () => {
  const running = startRadar(['serve'], { ...fresh(), RADAR_ROLES: 'poll,send' })
  try {
    const url = await servedUrl(running)
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      assert.equal((await fetch(`${url}${path}`)).status, 200, path)
    }
    for (const path of ['/', '/api/v1/hooks', '/api/console/session', '/docs', '/openapi.json', '/%']) {
      const answer = await fetch(`${url}${path}`)
      assert.equal(answer.status, 404, path)
      assert.match(await answer.text(), /runs without the role api/)
    }
    assert.equal((await fetch(`${url}/healthz`, { method: 'POST' })).status, 404)
    running.process.kill('SIGTERM')
    assert.deepEqual(await once(running.process, 'exit'), [0, null])
  } finally {
    running.process.kill('SIGKILL')
  }
})

test('a node without the role api fails if the port is in use, and says what to do', async () => {
  await using other = await startTestService()
  const settings = { ...fresh(), RADAR_PORT: new URL(other.url).port, RADAR_ROLES: 'send' }
  const { status, err } = await radarCommand(['serve'], settings)
  assert.equal(status, 1)
  assert.match(err, /is in use by another process\. .*RADAR_PORT/)
})

test('a second signal aborts requests without counting an attempt, and the next start delivers the events', async () => {
  const { bodies } = await redeliverAfter(async (running) => {
    running.process.kill('SIGTERM')
    await until('the service is stopping', () => running.out().includes('service.stopping'))
    await setTimeout(INSISTED_AFTER_MS)
    running.process.kill('SIGTERM')
    assert.deepEqual(await once(running.process, 'exit'), [0, null], running.err())
  })
  assert.deepEqual(bodies[1], bodies[0])
})

/** Longer than the time within which a terminal and its launchers deliver one Ctrl-C twice. */
const INSISTED_AFTER_MS = 700
