import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collectWhenIdle } from './idle-memory.ts'

const MIB = 2 ** 20
const MINUTE_MS = 60_000

/** A process whose collections leave 100 MiB. */
function openProcess() {
  const state = { mib: 150, busyShare: 0, nowMs: 0, collections: 0 }
  const check = collectWhenIdle({
    collect: () => {
      state.collections += 1
      state.mib = 100
    },
    busyShare: () => state.busyShare,
    rssBytes: () => state.mib * MIB,
    nowMs: () => state.nowMs,
  })
  return (given: Partial<typeof state> = {}) => {
    Object.assign(state, given)
    check()
    return state.collections
  }
}

test('an idle process gives its memory back once', () => {
  const check = openProcess()
  assert.equal(check(), 1)
  assert.equal(check({ nowMs: 10 * MINUTE_MS }), 1)
})

test('a busy process collects when it is idle again', () => {
  const check = openProcess()
  assert.equal(check({ busyShare: 0.03 }), 0)
  assert.equal(check({ busyShare: 0.01 }), 1)
})

test('memory that grew again is collected after five minutes, less than 24 MiB is not', () => {
  const check = openProcess()
  check()
  assert.equal(check({ mib: 200, nowMs: 4 * MINUTE_MS }), 1)
  assert.equal(check({ mib: 123, nowMs: 6 * MINUTE_MS }), 1)
  assert.equal(check({ mib: 124, nowMs: 6 * MINUTE_MS }), 2)
})
