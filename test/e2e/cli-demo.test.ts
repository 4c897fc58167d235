import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { freePort } from '../support/free-port.ts'
import { radarProcess, startRadar } from '../support/radar-command.ts'
import { until } from '../support/until.ts'

/** Only a limit: the release comes after 20 s, and on a busy machine its complaints wait for the old reviews to be read. */
const SPIKES_MS_MAX = 600_000

test('the demo shows its URLs, reviews, rating drops and one spike per store for its broken release, and exits cleanly', async () => {
  const running = startRadar(['demo', '--port', '0'])
  const shown = (line: RegExp) => running.out().match(line)?.length ?? 0
  const spikes = (store: string) =>
    shown(new RegExp(`▲ \\d+ in 1 h +${store} +Larkspur Notes: a spike of negative reviews`, 'g'))
  try {
    await until(
      'the events arrive',
      () =>
        shown(/^\S+ {2}★/m) > 0 &&
        shown(/: the rating fell by /) > 0 &&
        spikes('App Store') > 0 &&
        spikes('Google Play') > 0,
      SPIKES_MS_MAX,
    ).catch(() => assert.fail(`${running.out()}${running.err()}`))
    running.process.kill('SIGINT')
    const [status] = await once(running.process, 'close')
    assert.equal(status, 0, running.err())
  } finally {
    running.process.kill('SIGKILL')
  }
  const out = running.out()
  for (const part of ['Review Radar', 'App Store', 'Google Play', 'Receiver']) {
    assert.match(out, new RegExp(`^${part} +http://127\\.0\\.0\\.1:\\d+`, 'm'))
  }
  assert.deepEqual([spikes('App Store'), spikes('Google Play')], [1, 1], out)
  const [, reviews, drops] =
    /^(\d+) reviews, (\d+) rating drops and 2 spikes of negative reviews arrived, all signed; 0 repeated\.$/m.exec(
      out,
    ) ?? []
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
