import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { redeliverAfter } from '../support/interrupted-delivery.ts'

test('a killed service sends its interrupted deliveries again at the next start, without waiting for leases', async () => {
  const { bodies, log } = await redeliverAfter(async ({ process }) => {
    process.kill('SIGKILL')
    await once(process, 'exit')
  })
  assert.deepEqual(bodies[1], bodies[0])
  assert.match(log, /"event":"leases\.released"/)
})
