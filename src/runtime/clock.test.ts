import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { systemClock, TIMER_MS_MAX } from './clock.ts'

test('a sleep longer than a timer allows does not return at once', async () => {
  const stop = new AbortController()
  let isDone = false
  const slept = systemClock.sleep(TIMER_MS_MAX + 1, stop.signal).then(() => {
    isDone = true
  })
  await systemClock.sleep(20)
  assert.equal(isDone, false)
  stop.abort()
  await slept
})

test('a sleep longer than a timer allows lasts its full time', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let isDone = false
  const slept = systemClock.sleep(2 * TIMER_MS_MAX + 5).then(() => {
    isDone = true
  })
  for (const ms of [TIMER_MS_MAX, TIMER_MS_MAX, 4]) {
    t.mock.timers.tick(ms)
    await setImmediate()
    assert.equal(isDone, false)
  }
  t.mock.timers.tick(1)
  await slept
})

test('a sleep whose signal has aborted ends at once', async () => {
  await systemClock.sleep(TIMER_MS_MAX, AbortSignal.abort())
})
