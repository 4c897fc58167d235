import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clock } from './clock.ts'
import { instantOf } from './instant.ts'
import { createSteadyClock } from './steady-clock.ts'

function setUp() {
  let wallMs = 1_000_000
  let monotonicMs = 500
  const base: Clock = { now: () => instantOf(wallMs), monotonicMs: () => monotonicMs, sleep: async () => {} }
  const clock = createSteadyClock(base)
  return {
    clock,
    shown: () => clock.now().getTime(),
    pass: (ms: number) => {
      wallMs += ms
      monotonicMs += ms
    },
    setWall: (ms: number) => {
      wallMs = ms
    },
  }
}

test('the steady clock runs evenly while the wall clock jumps', () => {
  const { shown, pass, setWall } = setUp()
  setWall(9_000_000)
  pass(10)
  assert.equal(shown(), 1_000_010)
  setWall(0)
  pass(10)
  assert.equal(shown(), 1_000_020)
})

test('a backward correction pauses the clock, and a step sets it at once', () => {
  const { clock, shown, pass } = setUp()
  assert.equal(shown(), 1_000_000)
  clock.correct(new Date(999_900), clock.monotonicMs(), 0)
  assert.equal(shown(), 1_000_000)
  pass(150)
  assert.equal(shown(), 1_000_050)
  clock.step(new Date(5_000), clock.monotonicMs(), 0)
  assert.equal(shown(), 5_000)
})
