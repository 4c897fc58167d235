import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { newSecret } from '../../src/model/signature.ts'
import { attempt } from '../../src/pipeline/send/attempt.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { createGuard } from '../../src/runtime/egress/guard.ts'
import { openEgress } from '../../src/runtime/egress/open.ts'
import { createReceiverLookup } from '../support/receivers/names.ts'
import { BYTES_OUT_MAX, hangs, limitsOf, type Receiver } from '../support/receivers/receiver.ts'
import { RECEIVERS } from '../support/receivers/registry.ts'
import { RECEIVER_AUTHORITY } from '../support/receivers/tls.ts'

test('there are at least 40 hostile receivers with different names', () => {
  assert.ok(RECEIVERS.length >= 40, String(RECEIVERS.length))
  assert.equal(new Set(RECEIVERS.map((receiver) => receiver.name)).size, RECEIVERS.length)
})

describe('an attempt at each hostile receiver has the expected result, in time and with bounded bytes', {
  concurrency: 8,
}, () => {
  for (const receiver of RECEIVERS) test(receiver.name, () => drive(receiver))
})

async function drive(receiver: Receiver): Promise<void> {
  const { expect } = receiver
  const { timeoutMs, boundMs } = limitsOf(hangs(receiver))
  const running = await receiver.start()
  await using egress = openEgress({
    guard: createGuard({ allowCidrs: ['127.0.0.0/8'] }),
    userAgent: 'ReviewRadar/test',
    lookup: createReceiverLookup(),
    ca: RECEIVER_AUTHORITY,
  })
  try {
    const body = JSON.stringify({ text: 'x'.repeat(1000) })
    for (const [i, expected] of expect.attempts.entries()) {
      const startedAt = performance.now()
      const { attempt: record, outcome } = await attempt(
        { egress, clock: systemClock, userAgent: 'ReviewRadar/test' },
        { eventId: 'e'.repeat(64), targetUrl: running.url, body, secrets: [newSecret()], number: i + 1 },
        timeoutMs,
      )
      const tookMs = performance.now() - startedAt
      // A connection is reusable one event loop iteration after its response.
      await setImmediate()
      assert.deepEqual(
        { reason: record.reason, httpStatus: record.httpStatus },
        expected,
        record.detail ?? '',
      )
      assert.ok(tookMs <= boundMs, `took ${tookMs} ms`)
      assert.ok(record.timings.totalMs <= boundMs)
      assert.ok(record.reason === null || record.detail !== null)
      assert.equal(record.remoteAddress === null || record.remoteAddress === '127.0.0.1', true)
      assert.ok(JSON.stringify(record).length < 120_000, 'the record has a size limit')
      const last = i === expect.attempts.length - 1
      if (last) expect.check?.(record)
      const retryAfterMs = outcome.kind === 'failed' ? outcome.retryAfterMs : null
      assert.equal(retryAfterMs === null ? undefined : retryAfterMs / 1000, expect.retryAfterSeconds)
    }
    assert.equal(running.requests.length, expect.reached ?? expect.attempts.length, 'requests that arrived')
    assert.ok(running.bytesOut() <= BYTES_OUT_MAX, `${running.bytesOut()} bytes were read`)
  } finally {
    await running.close()
  }
}
