import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clock } from '../runtime/clock.ts'
import type { Wake } from '../runtime/wake.ts'
import type { DueWork, UpkeepStorage } from '../storage/port/upkeep.ts'
import { pulseLoop, type Woken } from './pulse.ts'

const now = new Date('2026-03-01T12:00:00Z')
const nothing: DueWork = { pollAt: null, enrichAt: null, fanOutAt: null, sendAt: null, replayAt: null }
const woken: Woken = {
  pollAt: ['poll.apple', 'poll.google'],
  enrichAt: ['enrich'],
  fanOutAt: ['fanout'],
  sendAt: ['send'],
  replayAt: ['replay'],
}

/** One pass: which loops it woke, and how long it then waited. */
async function pulse(due: Partial<DueWork>) {
  const names: string[] = []
  const waits: number[] = []
  const clock: Clock = { now: () => now, monotonicMs: () => now.getTime(), sleep: async () => {} }
  const wake: Wake = { wake: (name) => names.push(name), wait: async (_, ms) => void waits.push(ms) }
  const upkeep = { dueWork: async () => ({ ...nothing, ...due }) } as unknown as UpkeepStorage
  await pulseLoop({ storage: { upkeep }, clock, wake }, woken).pass(new AbortController().signal)
  return { names, waitMs: waits[0] }
}

const inMs = (ms: number) => new Date(now.getTime() + ms)

test('with nothing to do it asks again in a second', async () => {
  assert.deepEqual(await pulse({}), { names: [], waitMs: 1000 })
})

test('loops whose work is due are woken, the others not', async () => {
  const { names } = await pulse({ pollAt: new Date(0), sendAt: now, fanOutAt: inMs(1) })
  assert.deepEqual(names, ['poll.apple', 'poll.google', 'send'])
})

test('it looks again at the instant the next work is due, a second at most', async () => {
  assert.equal((await pulse({ sendAt: inMs(300), pollAt: inMs(700) })).waitMs, 300)
  assert.equal((await pulse({ sendAt: inMs(86_400_000) })).waitMs, 1000)
})

test('work that stays due does not make it ask without pause', async () => {
  assert.equal((await pulse({ sendAt: inMs(-5000) })).waitMs, 1000)
  assert.equal((await pulse({ sendAt: inMs(1) })).waitMs, 5)
})
