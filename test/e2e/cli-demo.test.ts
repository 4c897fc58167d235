import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePort } from '../support/free-port.ts'
import { radarProcess } from '../support/radar-command.ts'

test('the demo shows reviews and rating drops within ten seconds, prints its URLs, and exits cleanly', async () => {
  const { status, out, err } = await radarProcess(['demo', '--port', '0', '--seconds', '10'])
  assert.equal(status, 0, err)
  for (const part of ['Review Radar', 'App Store', 'Google Play', 'Receiver']) {
    assert.match(out, new RegExp(`^${part} +http://127\\.0\\.0\\.1:\\d+`, 'm'))
  }
  const [, reviews, drops] =
    /^(\d+) reviews and (\d+) rating drops arrived, all signed; 0 repeated\.$/m.exec(out) ?? []
  assert.ok(Number(reviews) > 0 && Number(drops) > 0, out)
  assert.doesNotMatch(out, /could not answer/)
})

test('the demo uses RADAR_PORT and rejects an invalid port', async () => {
  const port = String(await freePort())
  const { out, err } = await radarProcess(['demo', '--seconds', '1'], { RADAR_PORT: port })
  assert.match(out, new RegExp(`http://127\\.0\\.0\\.1:${port}/`), err)
  const rejected = await radarProcess(['demo', '--seconds', '1'], { RADAR_PORT: 'http' })
  assert.equal(rejected.status, 1)
  assert.match(rejected.err, /RADAR_PORT must be a whole number/)
})
