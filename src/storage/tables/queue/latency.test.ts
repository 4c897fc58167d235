import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { DEAD_LETTERED, FAILED, latencyBucket, percentileMs } from './latency.ts'

it('the estimated percentile is within 10 % of the true one for any latencies', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 1, max: 60_000, noNaN: true }), { minLength: 1, maxLength: 200 }),
      fc.constantFrom(0.5, 0.95, 1),
      (latencies, share) => {
        const outcomes = latencies.map((ms) => ({ outcome: latencyBucket(ms), count: 1 }))
        const estimated = percentileMs(outcomes, share) ?? Number.NaN
        const exact = latencies.sort((a, b) => a - b)[Math.ceil(latencies.length * share) - 1] ?? Number.NaN
        assert.ok(Math.abs(estimated - exact) <= exact * 0.1 + 0.5, `${estimated} for ${exact}`)
      },
    ),
  )
})

it('the estimated percentile counts only accepted attempts', () => {
  assert.equal(percentileMs([], 0.5), null)
  assert.equal(
    percentileMs(
      [
        { outcome: FAILED, count: 9 },
        { outcome: DEAD_LETTERED, count: 9 },
      ],
      0.5,
    ),
    null,
  )
  const mixed = [
    { outcome: latencyBucket(5_000), count: 1 },
    { outcome: FAILED, count: 500 },
    { outcome: latencyBucket(10), count: 99 },
  ]
  assert.ok((percentileMs(mixed, 0.95) ?? 0) < 12)
  assert.ok((percentileMs(mixed, 1) ?? 0) > 4_500)
})
