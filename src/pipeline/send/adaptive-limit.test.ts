import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type AdaptiveLimit,
  afterAnswer,
  type LimitedAnswer,
  newLimit,
  requestsMax,
} from './adaptive-limit.ts'

const bounds = { min: 1, start: 8, max: 64 }

/** Runs a receiver in simulated time: a hook with a backlog always has as many requests under way as allowed. */
function runAgainst(
  latencyMs: (inFlight: number, nowMs: number) => number | 'overloaded',
  untilMs: number,
  state: AdaptiveLimit = newLimit(bounds),
  fromMs = 0,
) {
  let limit = state
  let accepted = 0
  let overloaded = 0
  let most = 0
  let nowMs = fromMs
  const underWay: { startedMs: number; endedMs: number; kind: LimitedAnswer['kind'] }[] = []
  while (nowMs < fromMs + untilMs) {
    while (underWay.length < requestsMax(limit, bounds)) {
      const tookMs = latencyMs(underWay.length + 1, nowMs)
      const kind = tookMs === 'overloaded' ? 'overloaded' : 'accepted'
      underWay.push({ startedMs: nowMs, endedMs: nowMs + (tookMs === 'overloaded' ? 5 : tookMs), kind })
    }
    most = Math.max(most, underWay.length)
    underWay.sort((a, b) => a.endedMs - b.endedMs)
    const inFlight = underWay.length
    const answer = underWay.shift() ?? assert.fail()
    nowMs = answer.endedMs
    limit = afterAnswer(limit, { ...answer, inFlight }, bounds)
    if (answer.kind === 'accepted') accepted += 1
    else overloaded += 1
  }
  return { limit, accepted, overloaded, most, nowMs }
}

/** Works on `atOnce` requests for 50 ms each; the others wait. */
function queueing(atOnce: number) {
  const free = Array.from({ length: atOnce }, () => 0)
  return (_: number, nowMs: number) => {
    free.sort((a, b) => a - b)
    const startMs = Math.max(nowMs, free[0] ?? 0)
    free[0] = startMs + 50
    return startMs + 50 - nowMs
  }
}

const answers = fc.array(
  fc.record({
    kind: fc.constantFrom(
      'accepted' as const,
      'accepted' as const,
      'accepted' as const,
      'overloaded' as const,
    ),
    startedMs: fc.integer({ min: 0, max: 10_000 }),
    tookMs: fc.integer({ min: 0, max: 20_000 }),
    inFlight: fc.integer({ min: 1, max: 100 }),
  }),
  { maxLength: 300 },
)

type Given = Omit<LimitedAnswer, 'endedMs'> & { readonly tookMs: number }

function afterAll(given: readonly Given[]): AdaptiveLimit[] {
  let limit = newLimit(bounds)
  const limits = [limit]
  for (const { tookMs, ...answer } of given) {
    limit = afterAnswer(limit, { ...answer, endedMs: answer.startedMs + tookMs }, bounds)
    limits.push(limit)
  }
  return limits
}

test('whatever the answers, the limit stays within its bounds and grows by one at a time', () => {
  fc.assert(
    fc.property(answers, (given) => {
      let before = bounds.start
      for (const state of afterAll(given)) {
        assert.ok(state.limit >= bounds.min && state.limit <= bounds.max && Number.isInteger(state.limit))
        assert.ok(state.limit <= before + 1)
        assert.ok(requestsMax(state, bounds) >= 1 && requestsMax(state, bounds) <= state.limit)
        assert.ok(state.latenciesMs.length <= bounds.max)
        before = state.limit
      }
    }),
  )
})

test('an overload halves the limit, once for all requests that began before', () => {
  fc.assert(
    fc.property(answers, fc.integer({ min: 1, max: 64 }), (given, more) => {
      const state = afterAll(given).at(-1) ?? assert.fail()
      const endedMs = 50_000
      const overloaded = { kind: 'overloaded', startedMs: 40_000, inFlight: 8 } as const
      let after = afterAnswer(state, { ...overloaded, endedMs }, bounds)
      const halved = Math.max(1, Math.floor(state.limit / 2))
      assert.equal(after.limit, halved)
      for (let at = 1; at <= more; at += 1) {
        after = afterAnswer(after, { ...overloaded, endedMs: endedMs + at }, bounds)
        assert.equal(after.limit, halved)
      }
    }),
  )
})

test('latency alone never lowers the limit below its start', () => {
  fc.assert(
    fc.property(answers, (given) => {
      for (const { limit } of afterAll(given.map((one) => ({ ...one, kind: 'accepted' }))))
        assert.ok(limit >= bounds.start)
    }),
  )
})

test('a receiver that answers all requests at once gets the maximum', () => {
  const { limit } = runAgainst(() => 50, 10_000)
  assert.equal(limit.limit, bounds.max)
})

test('a receiver with a queue gets what it can work on, and about as many that wait', () => {
  for (const atOnce of [4, 8, 12, 24]) {
    const { accepted, most } = runAgainst(queueing(atOnce), 60_000)
    const full = (60_000 / 50) * atOnce
    assert.ok(accepted > full * 0.9, `${accepted} of ${full} with ${atOnce} at once`)
    const expected = 2 * Math.max(atOnce, bounds.start)
    assert.ok(most <= expected * 1.5, `${most} under way with ${atOnce} at once`)
  }
})

test('a receiver with a queue gets no more after ten minutes', () => {
  const { most } = runAgainst(queueing(12), 600_000)
  assert.ok(most <= 32, `${most} under way`)
})

test('a receiver that refuses more than some requests gets about these, and refuses few', () => {
  for (const atOnce of [3, 10, 30]) {
    const { accepted, overloaded } = runAgainst((inFlight) => (inFlight > atOnce ? 'overloaded' : 50), 60_000)
    const full = (60_000 / 50) * atOnce
    assert.ok(accepted > full * 0.65, `${accepted} of ${full} with ${atOnce} at once`)
    assert.ok(overloaded < accepted * 0.15, `${overloaded} refused, ${accepted} accepted`)
  }
})

test('the limit recovers after an outage', () => {
  const down = runAgainst((_, nowMs) => (nowMs < 1_000 ? 'overloaded' : 50), 1_100)
  assert.ok(down.limit.limit <= 3)
  const { limit } = runAgainst(() => 50, 20_000, down.limit, down.nowMs)
  assert.equal(limit.limit, bounds.max)
})

test('a receiver that becomes slower for good gets the start at least, and grows again from there', () => {
  const fast = runAgainst(() => 20, 10_000)
  const slow = runAgainst(() => 200, 10_000, fast.limit, fast.nowMs)
  assert.ok(slow.limit.limit >= bounds.start)
  const later = runAgainst(() => 200, 120_000, slow.limit, slow.nowMs)
  assert.equal(later.limit.limit, bounds.max)
})

test('a hook that does not use its limit keeps it', () => {
  let limit = newLimit(bounds)
  for (let at = 0; at < 1_000; at += 1)
    limit = afterAnswer(limit, { kind: 'accepted', startedMs: at, endedMs: at + 1, inFlight: 4 }, bounds)
  assert.equal(limit.limit, bounds.start)
})

test('latency that varies does not stop the growth', () => {
  let seed = 7
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed / 2_147_483_647
  }
  const varying = () => 20 + 100 * random() ** 3
  assert.ok(runAgainst(varying, 30_000).limit.limit > 40)
})
