import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextFirstReviewsAt } from './first-reviews.ts'
import { type NamedSourceHealth, unprovenSource } from './source-health.ts'

const NOON = new Date('2026-11-18T12:00:00Z')
const after = (hours: number) => new Date(NOON.getTime() + hours * 3_600_000)
const watch = (store: 'apple' | 'google', hoursAgo = 0) =>
  ({ store, eventType: 'review.created', createdAt: after(-hoursAgo) }) as const
const expected = (
  watches: Parameters<typeof nextFirstReviewsAt>[0]['watches'],
  sources: readonly NamedSourceHealth[],
  now: Date,
  lateReviewsHours = 0,
) => nextFirstReviewsAt({ watches, lateReviewsHours }, sources, now)
const source = (ageHours: number | null, fault: 'delayed' | null = null): NamedSourceHealth => ({
  ...unprovenSource(NOON),
  store: 'apple',
  source: 'rss',
  fault,
  newestAt: ageHours === null ? null : after(-ageHours),
})

test('the first reviews are expected after the usual delay of the store', () => {
  assert.deepEqual(expected([watch('apple')], [], NOON), after(28))
  assert.deepEqual(expected([watch('google'), watch('apple')], [source(null)], NOON), after(24))
})

test('a younger review than usual shortens the expected time, and an older one lengthens it only in a store that is late', () => {
  assert.deepEqual(expected([watch('apple')], [source(40), source(5)], NOON), after(5))
  assert.deepEqual(expected([watch('apple')], [source(40)], NOON), after(28))
  assert.deepEqual(expected([watch('apple')], [source(40, 'delayed')], NOON), after(40))
  assert.deepEqual(expected([watch('google')], [source(5)], NOON), after(24))
  assert.deepEqual(expected([watch('apple')], [source(-1)], NOON), after(28))
})

test('the wait is over once the delay has passed, and other events have none', () => {
  assert.equal(expected([watch('apple', 28)], [], NOON), null)
  assert.deepEqual(expected([watch('apple', 28), watch('google', 20)], [], NOON), after(4))
  assert.equal(expected([{ ...watch('apple'), eventType: 'rating.dropped' }], [], NOON), null)
})

test('a hook that takes late reviews waits as much less', () => {
  assert.deepEqual(expected([watch('apple')], [], NOON, 20), after(8))
  assert.equal(expected([watch('apple')], [], NOON, 30), null)
})
