import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ratingChange } from './rating-change.ts'

test('a change is told to two places', () => {
  assert.deepEqual(ratingChange(4.5, 4.25), { before: '4.50', now: '4.25', change: '-0.25' })
  assert.deepEqual(ratingChange(4.25, 4.5), { before: '4.25', now: '4.50', change: '+0.25' })
})

test('a small change is told to as many places as it takes to see it', () => {
  assert.deepEqual(ratingChange(4.0204, 4.0198), { before: '4.0204', now: '4.0198', change: '-0.0006' })
  assert.deepEqual(ratingChange(4.02, 4.02), { before: '4.02', now: '4.02', change: '0.00' })
})
