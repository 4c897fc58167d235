import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKeyedRateLimit } from './keyed-rate-limit.ts'

function limitOf(max: number, windowMs: number) {
  let nowMs = 0
  const limit = createKeyedRateLimit({ max, windowMs, clock: { monotonicMs: () => nowMs } })
  return {
    ...limit,
    takeAt(key: string, atMs: number) {
      nowMs = atMs
      return limit.take(key)
    },
  }
}

test('a key gets its burst at once, then permits spread over the window', () => {
  const { takeAt } = limitOf(2, 1_000)
  assert.deepEqual([takeAt('a', 0), takeAt('a', 0)], [0, 0])
  assert.equal(takeAt('a', 400), 100)
  assert.equal(takeAt('a', 499), 1)
  assert.equal(takeAt('a', 500), 0)
  assert.equal(takeAt('a', 501), 499)
})

test('a denied call costs no permit, and one key does not limit another', () => {
  const { takeAt } = limitOf(1, 1_000)
  assert.equal(takeAt('a', 0), 0)
  for (let ms = 1; ms < 1_000; ms += 100) assert.ok(takeAt('a', ms) > 0)
  assert.equal(takeAt('b', 500), 0)
  assert.equal(takeAt('a', 1_000), 0)
})

test('several permits are taken all or not at all', () => {
  const { takeAt, take } = limitOf(3, 3_000)
  assert.equal(takeAt('a', 0), 0)
  assert.equal(take('a', 3), 1_000)
  assert.equal(take('a', 2), 0)
  assert.equal(take('a', 3), 3_000)
})

test('a reset key has its full burst again', () => {
  const { takeAt, reset } = limitOf(2, 1_000)
  takeAt('a', 0)
  takeAt('a', 0)
  reset('a')
  assert.deepEqual([takeAt('a', 0), takeAt('a', 0)], [0, 0])
  assert.ok(takeAt('a', 0) > 0)
})

test('a limited key stays limited whatever number of other keys is used', () => {
  const { takeAt } = limitOf(3, 100_000)
  for (let attempt = 0; attempt < 3; attempt += 1) takeAt('first', 0)
  for (let key = 0; key < 25_000; key += 1) takeAt(String(key), 1)
  assert.ok(takeAt('first', 2) > 0)
  assert.equal(takeAt('another', 2), 0)
})

test('a limited key stays limited when keys with fewer attempts are reset', () => {
  const { takeAt, reset } = limitOf(3, 100_000)
  const limited = Array.from({ length: 50 }, (_, index) => `limited ${index}`)
  for (const key of limited) for (let attempt = 0; attempt < 3; attempt += 1) takeAt(key, 0)
  for (let key = 0; key < 10_000; key += 1) {
    takeAt(String(key), 1)
    reset(String(key))
  }
  assert.deepEqual(
    limited.filter((key) => takeAt(key, 2) === 0),
    [],
  )
})
