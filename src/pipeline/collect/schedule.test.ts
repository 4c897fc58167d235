import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { POLL_OUTCOMES } from '../../model/feed.ts'
import { instantOf } from '../../runtime/instant.ts'
import { nextPollAt, POLL_SETTINGS, type PollResult, ratingIntervalMs } from './schedule.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const now = instantOf(Date.parse('2026-03-01T12:00:00Z'))

const poll: PollResult = {
  now,
  intervalMs: HOUR_MS,
  outcome: 'ok',
  failures: 0,
  fresh: false,
  retryAfterMs: 0,
  jitter: 0,
}

function waitMs(change: Partial<PollResult>): number {
  return nextPollAt({ ...poll, ...change }).getTime() - now.getTime()
}

const observed = { intervalMs: 2 * HOUR_MS, outcome: 'ok', changed: false, fresh: false } as const
const ratingInterval = (
  change: Partial<Parameters<typeof ratingIntervalMs>[0]>,
  settings = POLL_SETTINGS.rating,
) => ratingIntervalMs({ ...observed, ...change }, settings)

test('a good poll is followed by the interval', () => {
  assert.equal(waitMs({}), HOUR_MS)
  assert.equal(waitMs({ outcome: 'empty', intervalMs: 48 * HOUR_MS }), 48 * HOUR_MS)
})

test('the interval of a rating halves after a change and grows by half without one', () => {
  assert.equal(ratingInterval({ changed: true }), HOUR_MS)
  assert.equal(ratingInterval({}), 3 * HOUR_MS)
})

test('the interval of a rating stays within one and six hours', () => {
  assert.equal(ratingInterval({ changed: true, intervalMs: HOUR_MS }), HOUR_MS)
  assert.equal(ratingInterval({ intervalMs: 5 * HOUR_MS }), 6 * HOUR_MS)
})

test('a first poll and a failure do not change the interval of a rating', () => {
  assert.equal(ratingInterval({ fresh: true, changed: true }), 2 * HOUR_MS)
  assert.equal(ratingInterval({ outcome: 'blocked' }), 2 * HOUR_MS)
})

test('a fixed interval does not depend on the result of a poll', () => {
  const fixed = { ...POLL_SETTINGS.rating, fixedIntervalMs: 500 }
  assert.equal(ratingInterval({ changed: true }, fixed), 500)
  assert.equal(ratingInterval({}, fixed), 500)
})

test('failures double the wait from the interval up to six hours', () => {
  assert.equal(waitMs({ outcome: 'unknown' }), HOUR_MS)
  assert.equal(waitMs({ outcome: 'unknown', failures: 1 }), 2 * HOUR_MS)
  assert.equal(waitMs({ outcome: 'unknown', failures: 40 }), 6 * HOUR_MS)
  assert.equal(waitMs({ outcome: 'unknown', failures: 40, intervalMs: 72 * HOUR_MS }), 72 * HOUR_MS)
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
    intervalMs: fc.integer({ min: 15 * MINUTE_MS, max: 7 * 24 * HOUR_MS }),
    outcome: fc.constantFrom(...POLL_OUTCOMES),
    failures: fc.integer({ min: 0, max: 1_000_000 }),
    fresh: fc.boolean(),
    retryAfterMs: fc.constant(0),
    jitter: fc.double({ min: -1, max: 1, noNaN: true }),
  })
  fc.assert(
    fc.property(anyPoll, (change) => {
      const wait = waitMs(change)
      assert.ok(wait >= MINUTE_MS * 0.9, `waits ${wait} ms`)
      assert.ok(wait <= Math.max(24 * HOUR_MS, change.intervalMs) * 1.1 + 1, `waits ${wait} ms`)
    }),
  )
})
