import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Clock, systemClock } from './clock.ts'
import { instantOf } from './instant.ts'
import { silentLog } from './log.ts'
import { createSupervisor } from './supervisor.ts'

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))

test('groups stop one after another, in reverse order of their start', async () => {
  const supervisor = createSupervisor({ clock: systemClock, log: silentLog })
  const order: string[] = []
  const part = (name: string) => ({
    name,
    run: async (signal: AbortSignal) => {
      await aborted(signal)
      order.push(name)
    },
  })
  supervisor.start([part('http')])
  supervisor.start([part('poll'), part('send')])
  assert.ok(supervisor.health().every((health) => health.ok))
  assert.deepEqual(await supervisor.stop(), [])
  assert.deepEqual(order, ['poll', 'send', 'http'])
})

test('a failed task is distinguished from a stopped one', async () => {
  const supervisor = createSupervisor({ clock: systemClock, log: silentLog })
  supervisor.start([
    { name: 'broken', run: async () => Promise.reject(new Error('no such table')) },
    { name: 'short', run: async () => {} },
    { name: 'slow', run: aborted, problem: () => 'It has not finished a pass for a minute.' },
  ])
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(supervisor.health(), [
    { name: 'broken', ok: false, detail: 'It failed: no such table' },
    { name: 'short', ok: false, detail: 'It ended by itself.' },
    { name: 'slow', ok: false, detail: 'It has not finished a pass for a minute.' },
  ])
  await supervisor.stop()
})

test('a stop returns the parts that still run after the grace period, and can be repeated', async () => {
  const clock: Clock = { now: () => instantOf(0), monotonicMs: () => 0, sleep: async () => {} }
  const supervisor = createSupervisor({ clock, log: silentLog })
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  supervisor.start([{ name: 'stubborn', run: () => held }])
  assert.deepEqual(await supervisor.stop(10), ['stubborn'])
  release()
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(await supervisor.stop(10), [])
})
