import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { rootCertificates } from 'node:tls'
import { createClient } from '../../src/client/client.ts'
import { createAuthority } from '../support/certificates.ts'
import { listen } from '../support/listen.ts'
import { radarProcess, servedUrl, startRadar } from '../support/radar-command.ts'
import { startTestService } from '../support/service.ts'

const authority = createAuthority()
const folder = mkdtempSync(join(tmpdir(), 'radar-authority-'))
const caFile = join(folder, 'authorities.pem')
after(() => rmSync(folder, { recursive: true }))
// As a company has it: several certificates in one file, with comments.
writeFileSync(caFile, `# public\n${rootCertificates[0]}\n# ours\n${authority.certificate}`)

const opened = new AsyncDisposableStack()
after(() => opened.disposeAsync())
const server = createServer(authority.issue('127.0.0.1'), (_, response) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[],"next_cursor":null}'),
)
const { url: tcpUrl } = opened.use(await listen(server))
const url = tcpUrl.replace('http:', 'https:')

test('a receiver with a certificate of an internal authority is reached with RADAR_CA_FILE, and not without', async () => {
  await using radar = await startTestService()
  const { token, client } = await radar.person('Alice')
  const { id } = await client.subscribe({
    target_url: url,
    event_type: 'review.created',
    store: 'apple',
    app_id: '1',
  })
  for (const [settings, expected] of [
    [{ RADAR_CA_FILE: caFile }, [200, null]],
    [{}, [null, 'tls']],
  ] as const) {
    const running = startRadar(['serve'], { ...radar.environment, ...settings })
    try {
      const baseUrl = await servedUrl(running)
      const { http_status, reason } = await createClient({ baseUrl, token }).testHook(id)
      assert.deepEqual([http_status, reason], expected)
    } finally {
      running.process.kill('SIGKILL')
    }
  }
})

test('a command reaches a service behind TLS of an internal authority with RADAR_CA_FILE, and not without', async () => {
  const settings = { RADAR_URL: url, RADAR_TOKEN: 'any' }
  const trusted = await radarProcess(['reviews'], { ...settings, RADAR_CA_FILE: caFile })
  assert.deepEqual([trusted.status, trusted.err], [0, 'No review matches.\n'])
  assert.match(
    (await radarProcess(['reviews'], settings)).err,
    /certificate .* cannot be verified .* Set RADAR_CA_FILE/,
  )
})

test('a wrong RADAR_CA_FILE ends a command with a sentence, beside those of other wrong settings', async () => {
  const invalid = join(folder, 'invalid.pem')
  writeFileSync(invalid, '-----BEGIN CERTIFICATE-----\nYWJj\n-----END CERTIFICATE-----\n')
  for (const file of ['/nowhere/ca.pem', invalid]) {
    const failed = await radarProcess(['reviews'], { RADAR_URL: url, RADAR_CA_FILE: file, RADAR_PORT: 'x' })
    assert.equal(failed.status, 1)
    assert.ok(failed.err.includes(`RADAR_CA_FILE must be a file that this user can read`), failed.err)
    assert.ok(failed.err.includes(JSON.stringify(file)), failed.err)
    assert.match(failed.err, /RADAR_PORT must be/)
  }
})
