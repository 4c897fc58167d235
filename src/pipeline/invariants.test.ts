import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silentMeter } from '../../test/support/silent-meter.ts'
import type { MetricName } from '../model/metrics.ts'
import type { Clock } from '../runtime/clock.ts'
import { instantOf } from '../runtime/instant.ts'
import { silentLog } from '../runtime/log.ts'
import type { InvariantStorage } from '../storage/port/invariants.ts'
import { invariantsLoop } from './invariants.ts'

const MINUTE = 60_000

function setUp(over: Partial<InvariantStorage> = {}) {
  let ms = 0
  let aheadMs = 0
  const clock: Clock = { now: () => instantOf(ms + aheadMs), monotonicMs: () => ms, sleep: async () => {} }
  const cursors: unknown[] = []
  const counted: [MetricName, unknown, number | undefined][] = []
  const lines: [string, unknown][] = []
  const invariants: InvariantStorage = {
    claimCheck: async () => true,
    check: async ({ cursor }) => {
      cursors.push(cursor)
      return {
        violations: [{ invariant: 'lane_asleep', count: 2, example: 'hook a' }],
        cursor: { hookId: `h${cursors.length}`, eventSeq: 7 },
        isLast: false,
      }
    },
    ...over,
  }
  let isConfirmed = true
  const loop = invariantsLoop(
    {
      mayDelete: () => isConfirmed,
      storage: { invariants },
      clock,
      log: { ...silentLog, error: (event, fields) => lines.push([event, fields]) },
      meter: { ...silentMeter, count: (name, labels, by) => by !== 0 && counted.push([name, labels, by]) },
    },
    { expireAfterMs: 1 },
  )
  const pass = () => loop.pass(new AbortController().signal)
  return {
    pass,
    cursors,
    counted,
    lines,
    confirm: (is: boolean) => {
      isConfirmed = is
    },
    advance: (by: number) => {
      ms += by
    },
    jump: (by: number) => {
      aheadMs += by
    },
  }
}

test('nothing is checked in the first minutes, then one page after another', async () => {
  const { pass, cursors, advance } = setUp()
  await pass()
  assert.deepEqual(cursors, [])
  advance(15 * MINUTE)
  await pass()
  await pass()
  assert.deepEqual(cursors, [null, { hookId: 'h1', eventSeq: 7 }])
})

test('violations are counted and logged', async () => {
  const { pass, counted, lines, advance } = setUp()
  advance(15 * MINUTE)
  await pass()
  assert.deepEqual(counted, [['invariant_violations_total', { invariant: 'lane_asleep' }, 2]])
  assert.deepEqual(lines, [['invariant.violated', { invariant: 'lane_asleep', count: 2, example: 'hook a' }]])
})

test('the check is skipped when another node has done it', async () => {
  const { pass, cursors, advance } = setUp({ claimCheck: async () => false })
  advance(15 * MINUTE)
  await pass()
  assert.deepEqual(cursors, [])
})

test('deliveries past their expiry are not reported while the time is unconfirmed', async () => {
  const { pass, counted, confirm, advance } = setUp({
    check: async () => ({
      violations: [{ invariant: 'delivery_past_end', count: 1, example: 'a delivery' }],
      cursor: { hookId: 'a', eventSeq: 0 },
      isLast: true,
    }),
  })
  advance(15 * MINUTE)
  confirm(false)
  await pass()
  confirm(true)
  advance(15 * MINUTE - 1)
  await pass()
  assert.deepEqual(counted, [], 'housekeeping has not expired all of them yet')
  advance(1)
  await pass()
  assert.equal(counted.length, 1)
})

test('nothing is reported as late in the first minutes after a forward jump of the clock', async () => {
  let duringCheck = () => {}
  const { pass, counted, advance, jump } = setUp({
    claimCheck: async () => {
      duringCheck()
      return true
    },
    check: async () => ({
      violations: [{ invariant: 'occurrence_stuck', count: 1, example: 'an occurrence' }],
      cursor: { hookId: '', eventSeq: 0 },
      isLast: true,
    }),
  })
  advance(15 * MINUTE)
  jump(2 * 60 * MINUTE)
  await pass()
  advance(14 * MINUTE)
  await pass()
  duringCheck = () => jump(2 * 60 * MINUTE)
  advance(MINUTE)
  await pass()
  duringCheck = () => {}
  advance(15 * MINUTE - 1)
  await pass()
  assert.deepEqual(counted, [])
  advance(1)
  await pass()
  assert.equal(counted.length, 1)
})
