import assert from 'node:assert/strict'
import { test } from 'node:test'
import { averageChange, averageOf, countChange, lowShareOf, shareChange } from './change.ts'

test('a count changes by a percentage, or is new if it was zero', () => {
  assert.deepEqual(countChange(150, 100), { text: '50%', direction: 'up' })
  assert.deepEqual(countChange(50, 100), { text: '50%', direction: 'down' })
  assert.deepEqual(countChange(7, 7), { text: '0%', direction: 'same' })
  assert.deepEqual(countChange(3, 0), { text: 'new', direction: 'up' })
  assert.equal(countChange(0, 0), null)
})

test('averages change by stars, and shares by percentage points', () => {
  assert.deepEqual(averageChange(4.5, 4.25), { text: '0.25', direction: 'up' })
  assert.deepEqual(averageChange(4.501, 4.5), { text: '0.00', direction: 'same' })
  assert.equal(averageChange(null, 4), null)
  assert.deepEqual(shareChange(0.3, 0.42), { text: '12 points', direction: 'down' })
  assert.deepEqual(shareChange(0.31, 0.3), { text: '1 point', direction: 'up' })
})

test('without reviews there is no average and no share', () => {
  assert.equal(averageOf([0, 0, 0, 0, 0]), null)
  assert.equal(lowShareOf([0, 0, 0, 0, 0]), null)
  assert.equal(averageOf([1, 0, 0, 0, 1]), 3)
  assert.equal(lowShareOf([1, 1, 0, 1, 1]), 0.5)
})
