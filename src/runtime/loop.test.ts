import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Clock, systemClock } from './clock.ts'
import { instantOf } from './instant.ts'
import type { Log } from './log.ts'
import { silentLog } from './log.ts'
import { failureWaitMs, newLoopState, runLoop } from './loop.ts'
import { createWake } from './wake.ts'

/** Records sleeps and ends them at once, except those that `hold` selects, which last until they are aborted. */
function recordingClock(sleeps: number[], hold: (ms: number) => boolean = () => false): Clock {
  return {
    now: () => instantOf(0),
    monotonicMs: () => 0,
    sleep: async (ms, signal) => {
      sleeps.push(ms)
      if (hold(ms)) await systemClock.sleep(60_000, signal)
    },
  }
}

test('the next pass follows at once after work, and after the idle wait otherwise', async () => {
  const sleeps: number[] = []
  const clock = recordingClock(sleeps)
  const stop = new AbortController()
  const answers = ['worked', 'worked', 'idle', 'idle'] as const
  let passes = 0
  const pass = async () => {
    const answer = answers[passes++]
    if (passes === answers.length) stop.abort()
    return answer ?? 'idle'
  }
  await runLoop({ name: 'x', idleMs: 700, pass }, stop.signal, {
    clock,
    wake: createWake(clock),
    log: silentLog,
  })
  assert.equal(passes, 4)
  assert.deepEqual(sleeps, [700])
})

test('a wake ends the wait, and a wake during a pass counts', async () => {
  const sleeps: number[] = []
  const clock = recordingClock(sleeps, () => {
    setImmediate(() => wake.wake('x'))
    return true
  })
  const wake = createWake(clock)
  const stop = new AbortController()
  let passes = 0
  const pass = async () => {
    passes += 1
    if (passes === 1) wake.wake('x')
    if (passes === 3) stop.abort()
    return 'idle' as const
  }
  await runLoop({ name: 'x', idleMs: 50_000, pass }, stop.signal, { clock, wake, log: silentLog })
  assert.equal(passes, 3)
  assert.deepEqual(sleeps, [50_000], 'only the second wait started, and the wake ended it')
})

test('passes that throw are logged and back off exponentially without ending the loop', async () => {
  const sleeps: number[] = []
  const lines: string[] = []
  const log: Log = { ...silentLog, error: (event) => lines.push(event) }
  const clock = recordingClock(sleeps)
  const stop = new AbortController()
  const state = newLoopState()
  let passes = 0
  const pass = async () => {
    passes += 1
    if (passes === 4) {
      stop.abort()
      return 'idle' as const
    }
    throw new Error('the database is unavailable')
  }
  await runLoop(
    { name: 'x', idleMs: 1000, pass },
    stop.signal,
    { clock, wake: createWake(clock), log },
    state,
  )
  assert.deepEqual(sleeps, [1000, 2000, 4000])
  assert.deepEqual(lines, ['loop.failed', 'loop.failed', 'loop.failed'])
  assert.equal(state.failures, 0, 'a successful pass resets the failures')
})

test('the wait after failures starts at a second and is at most a minute', () => {
  assert.equal(failureWaitMs(50, 1), 50)
  assert.equal(failureWaitMs(30_000, 1), 1000)
  assert.equal(failureWaitMs(30_000, 2), 2000)
  assert.equal(failureWaitMs(1000, 7), 60_000)
  assert.equal(failureWaitMs(1000, 5000), 60_000)
})

test('stopping waits for the pass in progress and for work in flight', async () => {
  const stop = new AbortController()
  const clock = recordingClock([])
  const order: string[] = []
  const pass = async () => {
    stop.abort()
    await new Promise((resolve) => setImmediate(resolve))
    order.push('pass ended')
    return 'worked' as const
  }
  const finish = async () => {
    order.push('finished')
  }
  await runLoop({ name: 'x', idleMs: 1, pass, finish }, stop.signal, {
    clock,
    wake: createWake(clock),
    log: silentLog,
  })
  assert.deepEqual(order, ['pass ended', 'finished'])
})
