import assert from 'node:assert/strict'
import { test } from 'node:test'
import { counted, percent } from './words.ts'

test('one is singular, none and many are plural', () => {
  assert.deepEqual(
    [0, 1, 2, 1_200].map((count) => counted(count, 'dead letter')),
    ['0 dead letters', '1 dead letter', '2 dead letters', '1,200 dead letters'],
  )
})

test('a share is told to a tenth of a percent, and is 100 % only when nothing is missing', () => {
  assert.deepEqual([0, 0.5, 0.9996, 1, null].map(percent), ['0.0 %', '50.0 %', '99.9 %', '100 %', '–'])
})
