import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Rate, reservePermits, takePermits } from './gcra.ts'

const START_MS = Date.parse('2026-03-01T12:00:00Z')

const anyRate = fc.record({
  burst: fc.integer({ min: 1, max: 50 }),
  intervalMs: fc.integer({ min: 1, max: 5000 }),
})
const anyCalls = fc.array(
  fc.record({
    pauseMs: fc.oneof(fc.nat({ max: 10 }), fc.nat({ max: 6000 })),
    wanted: fc.nat({ max: 60 }),
  }),
  { maxLength: 120 },
)

type Given = { readonly atMs: number; readonly count: number }

/** Asserts that every window that starts with a permit has at most a burst plus its length at the rate. */
function assertWithinRate(rate: Rate, given: readonly Given[]): void {
  for (const [index, first] of given.entries()) {
    let sum = 0
    for (const { atMs, count } of given.slice(index)) {
      sum += count
      const allowed = rate.burst + (atMs - first.atMs) / rate.intervalMs
      assert.ok(sum <= allowed + 0.01, `${sum} permits in ${atMs - first.atMs} ms, allowed ${allowed}`)
    }
  }
}

test('an idle caller gets a burst, then one permit per interval', () => {
  const rate = { burst: 3, intervalMs: 100 }
  const first = takePermits(null, rate, START_MS, 10)
  assert.deepEqual([first.taken, first.waitMs], [3, 100])
  assert.equal(takePermits(first.arrivalMs, rate, START_MS + 99, 1).taken, 0)
  const second = takePermits(first.arrivalMs, rate, START_MS + 100, 1)
  assert.deepEqual([second.taken, second.waitMs], [1, 0])
  assert.equal(takePermits(second.arrivalMs, rate, START_MS + 100, 1).taken, 0)
})

test('no window has more permits than its length at the rate plus a burst', () => {
  fc.assert(
    fc.property(anyRate, anyCalls, (rate, calls) => {
      let arrivalMs: number | null = null
      let nowMs = START_MS
      const given: Given[] = []
      for (const { pauseMs, wanted } of calls) {
        nowMs += pauseMs
        const permits = takePermits(arrivalMs, rate, nowMs, wanted)
        assert.ok(permits.taken >= 0 && permits.taken <= wanted)
        arrivalMs = permits.arrivalMs
        given.push({ atMs: nowMs, count: permits.taken })
      }
      assertWithinRate(rate, given)
    }),
  )
})

test('a permit is available exactly at the end of the wait', () => {
  fc.assert(
    fc.property(anyRate, anyCalls, (rate, calls) => {
      let arrivalMs: number | null = null
      let nowMs = START_MS
      for (const { pauseMs, wanted } of calls) {
        nowMs += pauseMs
        const permits = takePermits(arrivalMs, rate, nowMs, wanted)
        arrivalMs = permits.arrivalMs
        assert.equal(permits.waitMs === 0, permits.taken === wanted)
        if (permits.waitMs === 0) continue
        assert.equal(takePermits(arrivalMs, rate, nowMs + permits.waitMs, 1).taken, 1)
        assert.equal(takePermits(arrivalMs, rate, nowMs + permits.waitMs - 1, 1).taken, 0)
      }
    }),
  )
})

test('reserved permits respect the rate, even at a cost above one', () => {
  fc.assert(
    fc.property(anyRate, anyCalls, fc.double({ min: 0, max: 0.2, noNaN: true }), (rate, calls, extra) => {
      let arrivalMs: number | null = null
      let nowMs = START_MS
      const given: Given[] = []
      for (const { pauseMs, wanted } of calls.slice(0, 40)) {
        const reserved = reservePermits(arrivalMs, rate, nowMs, wanted % 5, () => 1 + extra)
        arrivalMs = reserved.arrivalMs
        given.push(...reserved.permitsAtMs.map((atMs) => ({ atMs, count: 1 })))
        nowMs = Math.max(nowMs + pauseMs, given.at(-1)?.atMs ?? 0)
      }
      assertWithinRate(rate, given)
    }),
  )
})

test('taking and reserving share one state', () => {
  const rate = { burst: 2, intervalMs: 100 }
  const { arrivalMs } = reservePermits(null, rate, START_MS, 2)
  assert.equal(takePermits(arrivalMs, rate, START_MS, 1).waitMs, 100)
  const taken = takePermits(null, rate, START_MS, 2)
  assert.deepEqual(reservePermits(taken.arrivalMs, rate, START_MS, 1).permitsAtMs, [START_MS + 100])
})

test('nodes whose clocks are up to two seconds apart take no more permits than one node whose clock is as much faster', () => {
  const apartMs = 2_000
  const anyNodeCalls = fc.array(
    fc.tuple(
      fc.oneof(fc.nat({ max: 10 }), fc.nat({ max: 6000 })),
      fc.nat({ max: apartMs }),
      fc.nat({ max: 60 }),
    ),
    { maxLength: 120 },
  )
  fc.assert(
    fc.property(anyRate, anyNodeCalls, (rate, calls) => {
      let arrivalMs: number | null = null
      let realMs = START_MS
      const given: Given[] = []
      for (const [pauseMs, clockMs, wanted] of calls) {
        realMs += pauseMs
        const permits = takePermits(arrivalMs, rate, realMs + clockMs, wanted)
        arrivalMs = permits.arrivalMs
        given.push({ atMs: realMs, count: permits.taken })
      }
      assertWithinRate({ ...rate, burst: rate.burst + apartMs / rate.intervalMs }, given)
    }),
  )
})

test('a clock set back or an increased rate delays the next permit by one interval and two seconds at most', () => {
  const rate = { burst: 2, intervalMs: 100 }
  const inAYear = START_MS + 365 * 24 * 3_600_000
  assert.equal(takePermits(inAYear, rate, START_MS, 1).taken, 1)
  assert.deepEqual(reservePermits(inAYear, rate, START_MS, 2).permitsAtMs, [START_MS, START_MS + 100])
  const slow = takePermits(null, { burst: 1, intervalMs: 10_000 }, START_MS, 1)
  assert.equal(takePermits(slow.arrivalMs, rate, START_MS + 100, 1).taken, 1)
})
