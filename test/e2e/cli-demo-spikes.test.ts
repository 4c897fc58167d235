import assert from 'node:assert/strict'
import { test } from 'node:test'
import { radarProcess } from '../support/radar-command.ts'

test('the complaints about the broken release are one spike per store', async () => {
  const { status, out, err } = await radarProcess(['demo', '--port', '0', '--seconds', '45'])
  assert.equal(status, 0, err)
  for (const store of ['App Store', 'Google Play']) {
    const lines = out.match(
      new RegExp(`▲ \\d+ in 1 h +${store} +Larkspur Notes: a spike of negative reviews`, 'g'),
    )
    assert.equal(lines?.length, 1, out)
  }
  assert.match(
    out,
    /^\d+ reviews, \d+ rating drops and 2 spikes of negative reviews arrived, all signed; 0 repeated\.$/m,
  )
})
