import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createRateLimit } from './rate-limit.ts'

function limitAt(max: number, windowMs: number) {
  let nowMs = 0
  const clock = { now: () => new Date(nowMs), monotonicMs: () => nowMs, sleep: async () => {} }
  const limit = createRateLimit({ max, windowMs, clock })
  return (key: string, atMs: number) => {
    nowMs = atMs
    return limit(key)
  }
}

test('turns up to the limit are free, the next says how long until the oldest is over', () => {
  const take = limitAt(2, 1_000)
  assert.deepEqual([take('a', 0), take('a', 300)], [0, 0])
  assert.equal(take('a', 400), 600)
  assert.equal(take('a', 999), 1)
  assert.equal(take('a', 1_000), 0)
  assert.equal(take('a', 1_001), 299)
})

test('a refused turn costs nothing, and one key does not hold up another', () => {
  const take = limitAt(1, 1_000)
  assert.equal(take('a', 0), 0)
  for (let ms = 1; ms < 1_000; ms += 100) assert.ok(take('a', ms) > 0)
  assert.equal(take('b', 500), 0)
  assert.equal(take('a', 1_000), 0)
})

test('no window ever holds more turns than the limit', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 60 }), (gaps) => {
      const take = limitAt(3, 1_000)
      const taken: number[] = []
      let nowMs = 0
      for (const gap of gaps) {
        nowMs += gap
        if (take('a', nowMs) === 0) taken.push(nowMs)
      }
      for (const start of taken)
        assert.ok(taken.filter((at) => at >= start && at < start + 1_000).length <= 3)
    }),
  )
})
