import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ratingChange } from './rating-change.ts'

test('a change has two decimal places', () => {
  assert.deepEqual(ratingChange(4.5, 4.25), { before: '4.50', now: '4.25', distance: '0.25', fell: true })
  assert.deepEqual(ratingChange(4.25, 4.5), { before: '4.25', now: '4.50', distance: '0.25', fell: false })
})

test('a small change has enough decimal places to be visible', () => {
  assert.deepEqual(ratingChange(4.0204, 4.0198), {
    before: '4.0204',
    now: '4.0198',
    distance: '0.0006',
    fell: true,
  })
  const acrossTwoPlaces = { before: '3.774', now: '3.776', distance: '0.002', fell: false }
  assert.deepEqual(ratingChange(3.774, 3.776), acrossTwoPlaces)
  const equalToTwoPlaces = { before: '4.015', now: '4.025', distance: '0.010', fell: false }
  assert.deepEqual(ratingChange(4.0151, 4.0249), equalToTwoPlaces)
  assert.deepEqual(ratingChange(4.02, 4.02), { before: '4.02', now: '4.02', distance: '0.00', fell: false })
})
