import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createReviewIds } from './review-ids.ts'

test('Apple ids are increasing numbers of ten or eleven digits, even at the same time', () => {
  const nextId = createReviewIds(() => 0.5)
  const now = new Date('2026-07-01T00:00:00Z')
  const ids = [now, now, now, new Date(now.getTime() + 60_000)].map((at) => nextId('apple', at))
  for (const id of ids) assert.match(id, /^\d{10,11}$/)
  assert.deepEqual(ids, [...new Set(ids)].toSorted())
})

test('Google ids are UUIDs that depend only on the random numbers', () => {
  const make = () => {
    let state = 0
    return createReviewIds(() => (state = (state + 0.37) % 1))('google', new Date(0))
  }
  assert.match(make(), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.equal(make(), make())
})
