import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { PaceState } from '../../storage/port/feeds.ts'
import { afterAnswer, afterBlock, isBlocked, LATENESS_MS_MAX, rateOf, reserveRequests } from './store-rate.ts'

const MINUTE_MS = 60_000
const idle: PaceState = { arrivalAtMs: 0, blockedUntil: null, blocks: 0, lastDetail: null }

/** The most requests within any 60 seconds, both ends included. */
function maxPerMinute(sentAtMs: readonly number[]): number {
  const sorted = [...sentAtMs].sort((a, b) => a - b)
  let most = 0
  let first = 0
  for (let last = 0; last < sorted.length; last += 1) {
    while ((sorted[last] ?? 0) - (sorted[first] ?? 0) > MINUTE_MS) first += 1
    most = Math.max(most, last - first + 1)
  }
  return most
}

test('any 60 seconds have at most the permitted requests, whatever their spacing and delay', () => {
  const anyRun = fc.record({
    requestsPerMinute: fc.integer({ min: 1, max: 200 }),
    pausesMs: fc.array(
      fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 4000 }), fc.integer({ min: 0, max: 90_000 })),
      { minLength: 1, maxLength: 400 },
    ),
    batch: fc.integer({ min: 1, max: 4 }),
    seed: fc.integer(),
  })
  fc.assert(
    fc.property(anyRun, ({ requestsPerMinute, pausesMs, batch, seed }) => {
      const random = randomFrom(seed)
      const rate = rateOf(requestsPerMinute)
      let state = idle
      let nowMs = 1_000_000_000
      const sentAtMs: number[] = []
      for (const pauseMs of pausesMs) {
        nowMs += pauseMs
        const reserved = reserveRequests(state, nowMs, batch, rate, random)
        state = reserved.state
        for (const permitAtMs of reserved.permitsAtMs)
          sentAtMs.push(permitAtMs + random() * (LATENESS_MS_MAX - 1))
        nowMs = Math.max(nowMs, reserved.permitsAtMs.at(-1) ?? 0)
      }
      assert.ok(maxPerMinute(sentAtMs) <= requestsPerMinute)
    }),
  )
})

test('back-to-back requests reach 98 % of the rate', () => {
  for (const requestsPerMinute of [20, 30, 600, 60_000]) {
    const permits = reserveRequests(
      idle,
      0,
      requestsPerMinute,
      rateOf(requestsPerMinute),
      () => 0,
    ).permitsAtMs
    assert.ok(permits.filter((atMs) => atMs <= MINUTE_MS).length >= requestsPerMinute * 0.98)
  }
})

test('a burst of requests after an idle time is sent at once', () => {
  const { permitsAtMs } = reserveRequests(idle, 5000, 6, rateOf(20), () => 0)
  assert.deepEqual(permitsAtMs.slice(0, 5), [5000, 5000, 5000, 5000, 5000])
  assert.ok((permitsAtMs[5] ?? 0) > 8000)
})

test('a stored instant ahead of the clock delays requests by seconds, not hours', () => {
  const skewed = { ...idle, arrivalAtMs: 3_600_000 }
  const { permitsAtMs } = reserveRequests(skewed, 0, 2, rateOf(20), () => 0)
  assert.ok((permitsAtMs[1] ?? 0) <= 10_000)
})

test('blocks in a row double the wait from a minute to an hour', () => {
  let state = idle
  const waitsMs: number[] = []
  let nowMs = 0
  for (let block = 0; block < 8; block += 1) {
    state = afterBlock(state, nowMs, 0, 'It answered 429.', 0)
    const untilMs = state.blockedUntil?.getTime() ?? 0
    waitsMs.push((untilMs - nowMs) / MINUTE_MS)
    nowMs = untilMs
  }
  assert.deepEqual(waitsMs, [1, 2, 4, 8, 16, 32, 60, 60])
})

test('a block lasts at least Retry-After, up to a day', () => {
  assert.equal(afterBlock(idle, 0, 600_000, '', 0).blockedUntil?.getTime(), 600_000)
  assert.equal(afterBlock(idle, 0, 1, '', 0).blockedUntil?.getTime(), MINUTE_MS)
  assert.equal(afterBlock(idle, 0, 1e12, '', 0).blockedUntil?.getTime(), 24 * 60 * MINUTE_MS)
})

test('answers to requests under way at a block neither count as another block nor end it', () => {
  const blocked = afterBlock(idle, 0, 0, 'first', 0)
  const again = afterBlock(blocked, 100, 0, 'second', 0)
  assert.equal(again.blocks, 1)
  assert.equal(again.blockedUntil?.getTime(), MINUTE_MS)
  assert.equal(afterBlock(blocked, 100, 300_000, 'longer', 0).blockedUntil?.getTime(), 300_100)
  assert.equal(afterAnswer(blocked, 100), null)
})

test('a successful answer after a block resets the count of blocks', () => {
  const blocked = afterBlock(idle, 0, 0, 'x', 0)
  assert.equal(isBlocked(blocked, MINUTE_MS - 1), true)
  assert.equal(isBlocked(blocked, MINUTE_MS), false)
  assert.equal(afterAnswer(blocked, MINUTE_MS)?.blocks, 0)
  assert.equal(afterAnswer(idle, 0), null, 'nothing to write')
})

function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
