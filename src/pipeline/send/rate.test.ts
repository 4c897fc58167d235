import assert from 'node:assert/strict'
import { test } from 'node:test'
import { takePermits } from '../../runtime/gcra.ts'
import { rateOf } from './rate.ts'

test('a rate limit allows a burst of a fifth of a second, then evenly spaced requests', () => {
  const first = takePermits(null, rateOf(10), 0, 100)
  assert.deepEqual([first.taken, first.waitMs], [2, 100])
})

test('a rate below one per second allows one request at a time', () => {
  const first = takePermits(null, rateOf(0.1), 0, 3)
  assert.deepEqual([first.taken, first.waitMs], [1, 10_000])
})

test('a hook with a backlog uses its full rate', () => {
  let arrivalMs: number | null = null
  let taken = 0
  for (let ms = 0; ms < 60_000; ms += 100) {
    const permits = takePermits(arrivalMs, rateOf(25), ms, 8)
    arrivalMs = permits.arrivalMs
    taken += permits.taken
  }
  assert.ok(taken >= 60 * 25 && taken <= 60 * 25 + rateOf(25).burst, String(taken))
})
