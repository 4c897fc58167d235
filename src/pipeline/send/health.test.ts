import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { instantOf } from '../../runtime/instant.ts'
import type { AttemptOutcome } from './after-attempt.ts'
import { mayClaim } from './breaker.ts'
import {
  type AttemptResult,
  afterResult,
  HEALTHY,
  type HookHealth,
  healthFrom,
  healthText,
  noticesOf,
} from './health.ts'

const now = instantOf(Date.parse('2026-03-01T12:00:00Z'))
const pending = { kind: 'settle', next: { status: 'pending', dueAt: now }, hookGone: false } as const
const http = (httpStatus: number): AttemptOutcome => ({
  kind: 'failed',
  reason: 'http_status',
  httpStatus,
  retryAfterMs: null,
})
const failure: AttemptResult = { outcome: http(500), after: pending }
const last: AttemptResult = {
  outcome: http(500),
  after: { kind: 'settle', next: { status: 'dead', reason: 'attempts_exhausted' }, hookGone: false },
}
const success: AttemptResult = {
  outcome: { kind: 'accepted', httpStatus: 200 },
  after: { kind: 'settle', next: { status: 'delivered' }, hookGone: false },
}
const gone: AttemptResult = {
  outcome: http(410),
  after: { kind: 'settle', next: { status: 'dead', reason: 'gone' }, hookGone: true },
}

/** The kinds of notice after each result, starting with a healthy hook. */
function noticeKinds(results: readonly AttemptResult[]): string[] {
  let health = HEALTHY
  return results.map((result) => {
    const before = health
    health = afterResult(health, result, now)
    return noticesOf(before, health, result)
      .map((notice) => notice.kind)
      .join('+')
  })
}

test('the fourth failed attempt in a row is reported once', () => {
  assert.deepEqual(noticeKinds(Array(6).fill(failure)), ['', '', '', 'failing', '', ''])
  assert.deepEqual(noticeKinds([failure, failure, failure, success, failure]), ['', '', '', '', ''])
})

test('a success after repeated failures is reported as recovered', () => {
  assert.deepEqual(noticeKinds([failure, failure, failure, failure, success, success]), [
    '',
    '',
    '',
    'failing',
    'recovered',
    '',
  ])
})

test('the opening and closing of the breaker are reported', () => {
  const kinds = noticeKinds([...Array(10).fill(failure), success])
  assert.equal(kinds[9], 'breaker_opened')
  assert.equal(kinds[10], 'recovered+breaker_closed')
})

test('only the first dead letter since the last success is reported', () => {
  assert.deepEqual(noticeKinds([last, last, last, success, last]), ['exhausted', '', '', '', 'exhausted'])
})

test('a gone hook causes only one notice', () => {
  assert.deepEqual(noticeKinds([gone]), ['gone'])
})

test('a notice names the last failure', () => {
  let health = HEALTHY
  for (let i = 0; i < 3; i++) health = afterResult(health, failure, now)
  const broken: AttemptResult = {
    outcome: { kind: 'failed', reason: 'tls', httpStatus: null, retryAfterMs: null },
    after: pending,
  }
  const [notice] = noticesOf(health, afterResult(health, broken, now), broken)
  assert.deepEqual(notice, { kind: 'failing', detail: '4 attempts in a row failed, the last with tls.' })
})

test('an interrupted attempt changes nothing', () => {
  const stopped: AttemptResult = { outcome: { kind: 'interrupted' }, after: { kind: 'release' } }
  assert.equal(afterResult(HEALTHY, stopped, now), HEALTHY)
  assert.deepEqual(noticeKinds([stopped]), [''])
})

test('any health is read as it was stored', () => {
  const result = fc.constantFrom(failure, last, success)
  fc.assert(
    fc.property(fc.array(result, { maxLength: 30 }), fc.option(fc.nat()), (results, paceMs) => {
      let health: HookHealth = { ...HEALTHY, paceMs }
      for (const each of results) health = afterResult(health, each, now)
      assert.deepEqual(healthFrom(healthText(health)), health)
    }),
  )
})

test('unreadable health counts as healthy', () => {
  assert.equal(healthFrom(null), HEALTHY)
  for (const text of [
    '',
    '{',
    'null',
    '[]',
    '7',
    '{"breaker":3}',
    '{"breaker":{"openUntilMs":"x","openMs":-1}}',
  ]) {
    assert.deepEqual(healthFrom(text), HEALTHY, text)
  }
  fc.assert(
    fc.property(fc.json(), (text) => {
      assert.ok(['all', 'one', 'none'].includes(mayClaim(healthFrom(text).breaker, now)))
    }),
  )
})
