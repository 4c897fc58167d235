import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { POLL_OUTCOMES } from '../../model/feed.ts'
import { nextPollAt, POLL_SETTINGS, type PollResult } from './schedule.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const now = new Date('2026-03-01T12:00:00Z')

const poll: PollResult = {
  now,
  intervalMs: HOUR_MS,
  outcome: 'ok',
  hasNewData: false,
  failures: 0,
  fresh: false,
  retryAfterMs: 0,
  jitter: 0,
}

function waitMs(change: Partial<PollResult>, settings = POLL_SETTINGS.reviews): number {
  return nextPollAt({ ...poll, ...change }, settings).nextPollAt.getTime() - now.getTime()
}

test('the interval halves after a poll with new data and grows by half after one without', () => {
  assert.equal(waitMs({ hasNewData: true }), 30 * MINUTE_MS)
  assert.equal(waitMs({}), 90 * MINUTE_MS)
})

test('the interval stays within fifteen minutes and six hours for reviews, one and six hours for ratings', () => {
  assert.equal(waitMs({ hasNewData: true, intervalMs: 20 * MINUTE_MS }), 15 * MINUTE_MS)
  assert.equal(waitMs({ intervalMs: 5 * HOUR_MS }), 6 * HOUR_MS)
  assert.equal(waitMs({ hasNewData: true }, POLL_SETTINGS.rating), HOUR_MS)
})

test('a first poll does not change the interval', () => {
  assert.equal(waitMs({ fresh: true, hasNewData: true }), HOUR_MS)
})

test('a fixed interval does not depend on the result of a poll', () => {
  const fixed = { ...POLL_SETTINGS.reviews, fixedIntervalMs: 500 }
  assert.equal(waitMs({ hasNewData: true }, fixed), 500)
  assert.equal(waitMs({}, fixed), 500)
  assert.equal(waitMs({ outcome: 'unknown', failures: 2 }, fixed), 2000)
})

test('failures double the wait from the interval up to six hours', () => {
  assert.equal(waitMs({ outcome: 'unknown' }), HOUR_MS)
  assert.equal(waitMs({ outcome: 'unknown', failures: 1 }), 2 * HOUR_MS)
  assert.equal(waitMs({ outcome: 'unknown', failures: 40 }), 6 * HOUR_MS)
  assert.equal(nextPollAt({ ...poll, outcome: 'unknown' }, POLL_SETTINGS.reviews).intervalMs, HOUR_MS)
})

test('a feed that is gone or has a changed format is polled less often', () => {
  assert.equal(waitMs({ outcome: 'gone' }), 4 * HOUR_MS)
  assert.equal(waitMs({ outcome: 'changed', failures: 9 }), 24 * HOUR_MS)
})

test('a feed without any successful poll is polled again after a minute', () => {
  assert.equal(waitMs({ outcome: 'unknown', fresh: true }), MINUTE_MS)
  assert.equal(waitMs({ outcome: 'unknown', fresh: true, failures: 3 }), 8 * MINUTE_MS)
})

test("the wait is at least the store's Retry-After, whatever the jitter", () => {
  assert.equal(waitMs({ outcome: 'blocked', retryAfterMs: 2 * HOUR_MS, jitter: -1 }), 2 * HOUR_MS)
  assert.equal(waitMs({ outcome: 'blocked', retryAfterMs: 1000 }), MINUTE_MS)
})

test('the next poll is always in the future, within ten percent of its bounds', () => {
  const anyPoll = fc.record({
    intervalMs: fc.integer({ min: 1, max: 10 * 24 * HOUR_MS }),
    outcome: fc.constantFrom(...POLL_OUTCOMES),
    hasNewData: fc.boolean(),
    failures: fc.integer({ min: 0, max: 1_000_000 }),
    fresh: fc.boolean(),
    retryAfterMs: fc.constant(0),
    jitter: fc.double({ min: -1, max: 1, noNaN: true }),
  })
  fc.assert(
    fc.property(anyPoll, (change) => {
      const wait = waitMs(change)
      assert.ok(wait >= MINUTE_MS * 0.9 && wait <= 24 * HOUR_MS * 1.1 + 1, `waits ${wait} ms`)
      const { intervalMs } = nextPollAt({ ...poll, ...change }, POLL_SETTINGS.reviews)
      assert.ok(intervalMs >= 15 * MINUTE_MS && intervalMs <= 6 * HOUR_MS)
    }),
  )
})
