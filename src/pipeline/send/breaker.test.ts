import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { instantOf } from '../../runtime/instant.ts'
import type { AttemptOutcome } from './after-attempt.ts'
import {
  afterOutcome,
  type BreakerState,
  CLOSED,
  claimableAt,
  mayClaim,
  OPEN_MS_MAX,
  OPEN_MS_MIN,
  PROBE_MS,
  probing,
} from './breaker.ts'

const start = Date.parse('2026-03-01T12:00:00Z')
const at = (ms: number) => instantOf(start + ms)
const accepted: AttemptOutcome = { kind: 'accepted', httpStatus: 200 }
const interrupted: AttemptOutcome = { kind: 'interrupted' }
const failed = (httpStatus = 500, retryAfterMs: number | null = null): AttemptOutcome => ({
  kind: 'failed',
  reason: 'http_status',
  httpStatus,
  retryAfterMs,
})

/** The state after the outcomes, one every `stepMs`. */
function after(outcomes: readonly AttemptOutcome[], stepMs = 100, from: BreakerState = CLOSED): BreakerState {
  return outcomes.reduce((state, outcome, i) => afterOutcome(state, outcome, at(i * stepMs)), from)
}
const failures = (count: number) => Array.from({ length: count }, () => failed())
const opened = after(failures(10), 0)

test('the breaker opens for 30 seconds after ten failures in a row', () => {
  assert.equal(mayClaim(after(failures(9), 0), at(0)), 'all')
  assert.equal(mayClaim(opened, at(0)), 'none')
  assert.equal(mayClaim(opened, at(OPEN_MS_MIN - 1)), 'none')
  assert.equal(mayClaim(opened, at(OPEN_MS_MIN)), 'one')
  assert.deepEqual(claimableAt(opened, at(0)), at(OPEN_MS_MIN))
  assert.equal(claimableAt(opened, at(OPEN_MS_MIN)), null)
})

test('the breaker opens after ten failures in a row, whatever the time between them', () => {
  assert.equal(mayClaim(after(failures(10), 3_600_000), at(9 * 3_600_000)), 'none')
})

test('an internal error does not change the breaker, and the next attempt is the probe', () => {
  const internalError: AttemptOutcome = {
    kind: 'failed',
    reason: 'internal_error',
    httpStatus: null,
    retryAfterMs: null,
  }
  assert.equal(after(Array.from({ length: 20 }, () => internalError)), CLOSED)
  const probed = probing(opened, at(OPEN_MS_MIN))
  assert.equal(mayClaim(probed, at(OPEN_MS_MIN + 1)), 'none')
  assert.equal(mayClaim(afterOutcome(probed, internalError, at(OPEN_MS_MIN + 1)), at(OPEN_MS_MIN + 1)), 'one')
})

test('the breaker opens after seven failures of ten within five minutes, not after six', () => {
  const seven = [1, 1, 0, 1, 1, 0, 1, 1, 0, 1].map((fails) => (fails ? failed() : accepted))
  const six = [1, 1, 0, 1, 1, 0, 1, 0, 0, 1].map((fails) => (fails ? failed() : accepted))
  assert.equal(mayClaim(after(seven), at(1000)), 'none')
  assert.equal(mayClaim(after(six), at(1000)), 'all')
  assert.equal(mayClaim(after(seven, 60_000), at(600_000)), 'all', 'spread over ten minutes')
})

test('a failed probe doubles the open time up to an hour', () => {
  let state = opened
  let now = at(0)
  const times: number[] = []
  for (let i = 0; i < 10; i++) {
    const until = claimableAt(state, now)
    assert.ok(until)
    times.push((until.getTime() - now.getTime()) / 1000)
    now = until
    assert.equal(mayClaim(state, now), 'one')
    state = afterOutcome(probing(state, now), failed(), now)
  }
  assert.deepEqual(times, [30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600])
})

test('a successful probe closes it and resets the open time to 30 seconds', () => {
  const worse = afterOutcome(probing(opened, at(30_000)), failed(), at(30_000))
  const closed = afterOutcome(probing(worse, at(90_000)), accepted, at(90_000))
  assert.equal(closed, CLOSED)
  assert.deepEqual(claimableAt(after(failures(10), 0, closed), at(0)), at(OPEN_MS_MIN))
})

test('only one probe runs at a time, and one without a result counts as lost after a minute', () => {
  const state = probing(opened, at(30_000))
  assert.equal(mayClaim(state, at(30_000)), 'none')
  assert.deepEqual(claimableAt(state, at(30_000)), at(30_000 + PROBE_MS))
  assert.equal(mayClaim(state, at(30_000 + PROBE_MS)), 'one')
})

test('after an interrupted probe the next one starts at once', () => {
  const state = afterOutcome(probing(opened, at(30_000)), interrupted, at(31_000))
  assert.equal(mayClaim(state, at(31_000)), 'one')
  assert.equal(state.openMs, opened.openMs)
})

test('failures of requests already under way do not lengthen the open time', () => {
  const late = after(failures(8), 10, opened)
  assert.equal(late.openUntilMs, opened.openUntilMs)
  assert.equal(late.consecutiveFailures, 18)
})

test('a Retry-After lengthens the open time up to an hour', () => {
  const busy = after([...failures(9), failed(429, 120_000)], 0)
  assert.deepEqual(claimableAt(busy, at(0)), at(120_000))
  const shut = after([...failures(9), failed(503, 24 * 3_600_000)], 0)
  assert.deepEqual(claimableAt(shut, at(0)), at(OPEN_MS_MAX))
  assert.deepEqual(claimableAt(after([...failures(9), failed(429, 1)], 0), at(0)), at(OPEN_MS_MIN))
})

test('a 429 and a blocked address count as failures', () => {
  assert.equal(mayClaim(after(Array(10).fill(failed(429)), 0), at(0)), 'none')
  assert.equal(
    mayClaim(after(Array(10).fill({ kind: 'permanent', reason: 'blocked_address' }), 0), at(0)),
    'none',
  )
})

test('a healthy hook keeps the same state object, so that nothing is written', () => {
  assert.equal(after(Array(100).fill(accepted)), CLOSED)
  assert.equal(afterOutcome(CLOSED, interrupted, at(0)), CLOSED)
  const recovered = after([failed(), accepted], 0)
  assert.equal(afterOutcome(recovered, accepted, at(300_000)), CLOSED)
})

test('the breaker does not stay open after the clock is set back', () => {
  assert.equal(mayClaim(opened, at(-2 * OPEN_MS_MAX)), 'one')
  assert.equal(mayClaim(probing(opened, at(30_000)), at(-2 * OPEN_MS_MAX)), 'one')
})

test('the breaker opens for an hour at most, closes on success, and allows one delivery when half-open', () => {
  const outcome = fc.oneof(
    { weight: 3, arbitrary: fc.option(fc.nat({ max: 90_000_000 })).map((ms) => failed(503, ms)) },
    fc.constant(accepted),
    fc.constant(interrupted),
  )
  const step = fc.record({ outcome, waitMs: fc.nat({ max: 4_000_000 }), probe: fc.boolean() })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let state = CLOSED
      let now = start
      for (const { outcome, waitMs, probe } of steps) {
        now += waitMs
        const before = mayClaim(state, new Date(now))
        if (before === 'one' && probe) {
          state = probing(state, new Date(now))
          assert.equal(mayClaim(state, new Date(now)), 'none')
        }
        state = afterOutcome(state, outcome, new Date(now))
        const until = claimableAt(state, instantOf(now))
        assert.equal(until === null, mayClaim(state, new Date(now)) !== 'none')
        if (until) {
          assert.ok(until.getTime() > now && until.getTime() - now <= OPEN_MS_MAX)
          assert.equal(mayClaim(state, until), 'one')
        }
        if (outcome.kind === 'accepted') assert.equal(mayClaim(state, new Date(now)), 'all')
        assert.deepEqual(JSON.parse(JSON.stringify(state)), state)
      }
    }),
  )
})
