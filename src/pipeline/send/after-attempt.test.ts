import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { RETRY_WAITS_MS } from '../../../test/support/retry-waits.ts'
import { instantOf } from '../../runtime/instant.ts'
import { type AttemptOutcome, afterAttempt, JITTER_MAX, waitsMsMax } from './after-attempt.ts'

const now = instantOf(Date.parse('2026-03-01T12:00:00Z'))
const HOUR_MS = 3_600_000

const failedWith = (httpStatus: number | null, retryAfterMs: number | null = null): AttemptOutcome => ({
  kind: 'failed',
  reason: httpStatus === null ? 'reset' : 'http_status',
  httpStatus,
  retryAfterMs,
})
const delivery = (attempts: number, change: Partial<Parameters<typeof afterAttempt>[1]> = {}) => ({
  attempts,
  automated: false,
  waitsMs: RETRY_WAITS_MS,
  jitter: 0,
  now,
  ...change,
})
function waitOf(result: ReturnType<typeof afterAttempt>): number {
  assert.ok(result.kind === 'settle' && result.next.status === 'pending', JSON.stringify(result))
  return result.next.dueAt.getTime() - now.getTime()
}

test('an accepted attempt settles the delivery as delivered', () => {
  for (const attempts of [1, 5, 10, 11]) {
    assert.deepEqual(afterAttempt({ kind: 'accepted', httpStatus: 204 }, delivery(attempts)), {
      kind: 'settle',
      next: { status: 'delivered' },
      hookGone: false,
    })
  }
})

test('retries wait 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, and the tenth attempt is the last', () => {
  const waits = Array.from(
    { length: 9 },
    (_, i) => waitOf(afterAttempt(failedWith(500), delivery(i + 1))) / 1000,
  )
  assert.deepEqual(waits, [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400])
  assert.deepEqual(afterAttempt(failedWith(500), delivery(10)), {
    kind: 'settle',
    next: { status: 'dead', reason: 'attempts_exhausted' },
    hookGone: false,
  })
})

test('a wait is as long as in the list, or up to a tenth longer', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 48 * HOUR_MS }), { minLength: 1, maxLength: 20 }),
      fc.nat({ max: 19 }),
      fc.double({ min: 0, max: JITTER_MAX, noNaN: true }),
      fc.option(fc.constantFrom(400, 404, 429, 500, 503)),
      (waitsMs, index, jitter, status) => {
        const attempts = (index % waitsMs.length) + 1
        const waitMs = waitOf(afterAttempt(failedWith(status), delivery(attempts, { waitsMs, jitter })))
        const listed = waitsMs[attempts - 1] ?? 0
        assert.ok(waitMs >= listed && waitMs <= Math.ceil(listed * (1 + JITTER_MAX)))
      },
    ),
  )
})

test('Retry-After lengthens a wait up to 24 hours and never shortens it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), fc.nat({ max: 100 * HOUR_MS }), (attempts, retryAfterMs) => {
      const plain = waitOf(afterAttempt(failedWith(503), delivery(attempts)))
      const waitMs = waitOf(afterAttempt(failedWith(503, retryAfterMs), delivery(attempts)))
      assert.equal(waitMs, Math.max(plain, Math.min(retryAfterMs, 24 * HOUR_MS)))
    }),
  )
  assert.equal(waitOf(afterAttempt(failedWith(429, 60_000), delivery(1))), 60_000)
  assert.equal(waitOf(afterAttempt(failedWith(429, 1_000), delivery(2))), 300_000)
})

test('the result contains the time that Retry-After adds to a wait', () => {
  const lengthened = (retryAfterMs: number | null) => {
    const result = afterAttempt(failedWith(503, retryAfterMs), delivery(1))
    assert.ok(result.kind === 'settle' && result.next.status === 'pending')
    return result.next.lengthenedByMs ?? 0
  }
  assert.deepEqual([null, 1_000, 5_000, 65_000].map(lengthened), [0, 0, 0, 60_000])
  assert.equal(lengthened(100 * HOUR_MS), 24 * HOUR_MS - 5_000)
})

test('Retry-After does not add an attempt', () => {
  const result = afterAttempt(failedWith(429, 1000), delivery(10))
  assert.ok(result.kind === 'settle' && result.next.status === 'dead')
})

test('a blocked address or an invalid request becomes a dead letter at once, with its reason', () => {
  for (const reason of ['blocked_address', 'invalid_request'] as const) {
    assert.deepEqual(afterAttempt({ kind: 'permanent', reason }, delivery(1)), {
      kind: 'settle',
      next: { status: 'dead', reason },
      hookGone: false,
    })
  }
})

test('410 ends the hook of an automation platform, and is a failure for every other hook', () => {
  assert.deepEqual(afterAttempt(failedWith(410), delivery(1, { automated: true })), {
    kind: 'settle',
    next: { status: 'dead', reason: 'gone' },
    hookGone: true,
  })
  assert.equal(waitOf(afterAttempt(failedWith(410), delivery(1))), 5_000)
  assert.equal(waitOf(afterAttempt(failedWith(404), delivery(1, { automated: true }))), 5_000)
  const incomplete: AttemptOutcome = { kind: 'failed', reason: 'reset', httpStatus: 410, retryAfterMs: null }
  assert.equal(
    waitOf(afterAttempt(incomplete, delivery(1, { automated: true }))),
    5_000,
    'the answer was incomplete',
  )
})

test('an interrupted attempt is released and does not count', () => {
  for (const attempts of [1, 10]) {
    assert.deepEqual(afterAttempt({ kind: 'interrupted' }, delivery(attempts)), { kind: 'release' })
  }
})

test('all retries together never take longer than their maximum', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 48 * HOUR_MS }), { maxLength: 20 }), (waitsMs) => {
      let total = 0
      for (let attempts = 1; attempts <= waitsMs.length; attempts++) {
        total += waitOf(afterAttempt(failedWith(500), delivery(attempts, { waitsMs, jitter: JITTER_MAX })))
      }
      // Each wait is rounded up to a millisecond.
      assert.ok(total <= waitsMsMax(waitsMs) + waitsMs.length)
    }),
  )
  assert.equal(waitsMsMax(RETRY_WAITS_MS), (75 * 60 + 35) * 60_000 * 1.1 + 5_500)
})
