import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attemptSuccess, counted, percent } from './numbers.ts'

test('counts have the right plural and a thousands separator', () => {
  assert.deepEqual(
    [0, 1, 2, 1_200].map((count) => counted(count, 'dead letter')),
    ['0 dead letters', '1 dead letter', '2 dead letters', '1,200 dead letters'],
  )
})

test('a share is rounded down to a tenth of a percent, so only a complete one is 100%', () => {
  assert.deepEqual([0, 0.5, 0.9996, 1, null].map(percent), ['0%', '50.0%', '99.9%', '100%', '–'])
})

test('attempt success counts failed attempts of delivered events, and is absent without attempts', () => {
  assert.equal(attemptSuccess(1, 3), 0.25)
  assert.equal(attemptSuccess(0, 13), 0)
  assert.equal(attemptSuccess(0, 0), null)
})
