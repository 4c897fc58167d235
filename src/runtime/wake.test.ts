import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from './clock.ts'
import { instantOf } from './instant.ts'
import { createTasks } from './tasks.ts'
import { createWake } from './wake.ts'

const never = new AbortController().signal
const LONG_MS = 60_000

test('a wake ends the wait of only one loop', async () => {
  const wake = createWake(systemClock)
  let other = false
  const stop = new AbortController()
  const waiting = wake.wait('other', LONG_MS, stop.signal).then(() => {
    other = true
  })
  wake.wake('one')
  await wake.wait('one', LONG_MS, never)
  assert.equal(other, false)
  stop.abort()
  await waiting
})

test('many wakes during a pass cause one more pass', async () => {
  const sleeps: number[] = []
  const wake = createWake({
    now: () => instantOf(0),
    monotonicMs: () => 0,
    sleep: async (ms) => void sleeps.push(ms),
  })
  for (let index = 0; index < 5; index += 1) wake.wake('one')
  await wake.wait('one', LONG_MS, never)
  assert.deepEqual(sleeps, [])
  await wake.wait('one', LONG_MS, never)
  assert.deepEqual(sleeps, [LONG_MS])
})

test('a wait removes its listener from the stop signal', async () => {
  const stop = new AbortController()
  let listeners = 0
  const { addEventListener, removeEventListener } = stop.signal
  stop.signal.addEventListener = (...args: unknown[]) => {
    listeners += 1
    return Reflect.apply(addEventListener, stop.signal, args)
  }
  stop.signal.removeEventListener = (...args: unknown[]) => {
    listeners -= 1
    return Reflect.apply(removeEventListener, stop.signal, args)
  }
  const wake = createWake(systemClock)
  for (let index = 0; index < 20; index += 1) await wake.wait('one', 0, stop.signal)
  assert.equal(listeners, 0)
})

test('tasks release their slots, and `ended` resolves when all have ended', async () => {
  let freed = 0
  const tasks = createTasks(2, () => (freed += 1))
  const release: (() => void)[] = []
  const hold = () => new Promise<void>((resolve) => release.push(resolve))
  tasks.run(hold)
  tasks.run(hold)
  assert.equal(tasks.free(), 0)
  let ended = false
  const ending = tasks.ended().then(() => {
    ended = true
  })
  release[0]?.()
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual([tasks.free(), freed, ended], [1, 1, false])
  release[1]?.()
  await ending
  assert.equal(tasks.free(), 2)
})
