import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NOTHING_DUE } from '../../test/support/due-work.ts'
import type { Clock } from '../runtime/clock.ts'
import { instantOf, later } from '../runtime/instant.ts'
import type { Wake } from '../runtime/wake.ts'
import type { DueWork, MaintenanceStorage } from '../storage/port/maintenance.ts'
import { dueWorkLoop, type LoopsByQueue } from './due-work.ts'

const now = instantOf(Date.parse('2026-03-01T12:00:00Z'))
const { polls: noPolls } = NOTHING_DUE
const LOOPS: LoopsByQueue = {
  poll: (queue) => `poll.${queue}`,
  enrich: 'enrich',
  fanOut: 'fanout',
  send: 'send',
  replay: 'replay',
  official: 'official',
  history: 'history',
  reply: 'reply',
}

/** One pass for each, one after another. Returns the woken loops and the wait after each. */
async function runPasses(...passes: readonly Partial<DueWork>[]) {
  const names: string[] = []
  const waitsMs: number[] = []
  const left = [...passes]
  const clock: Clock = { now: () => now, monotonicMs: () => now.getTime(), sleep: async () => {} }
  const wake: Wake = { wake: (name) => names.push(name), wait: async (_, ms) => void waitsMs.push(ms) }
  const maintenance = {
    dueWork: async () => ({ ...NOTHING_DUE, ...left.shift() }),
  } as unknown as MaintenanceStorage
  const loop = dueWorkLoop({ storage: { maintenance }, clock, wake }, LOOPS)
  for (const _ of passes) await loop.pass(new AbortController().signal)
  return { names, waitsMs }
}

async function runPass(due: Partial<DueWork>) {
  const { names, waitsMs } = await runPasses(due)
  return { names, waitMs: waitsMs[0] }
}

const inMs = (ms: number) => later(now, ms)

test('the queues are read again after a second without due work', async () => {
  assert.deepEqual(await runPass({}), { names: [], waitMs: 1000 })
})

test('only the loops with due work are woken', async () => {
  const polls = { ...noPolls, 'google.rating': new Date(0), 'apple.reviews': inMs(1) }
  const { names } = await runPass({
    polls,
    sendAt: now,
    fanOutAt: inMs(1),
    officialAt: now,
    historyAt: inMs(1),
    replyAt: now,
  })
  assert.deepEqual(names, ['poll.google.rating', 'send', 'official', 'reply'])
})

test('the queues are read again when the next work is due, after a second at most', async () => {
  assert.equal((await runPass({ sendAt: inMs(300), enrichAt: inMs(700) })).waitMs, 300)
  const polls = { ...noPolls, 'apple.rating': inMs(200) }
  assert.equal((await runPass({ sendAt: inMs(300), polls })).waitMs, 200)
  assert.equal((await runPass({ sendAt: inMs(86_400_000) })).waitMs, 1000)
})

test('the queues are read again soon after due work, because more may be due before the next second', async () => {
  assert.equal((await runPass({ sendAt: now })).waitMs, 50)
  assert.equal((await runPass({ sendAt: now, enrichAt: inMs(20) })).waitMs, 20)
  const polls = (ms: number) => ({ polls: { ...noPolls, 'apple.reviews': inMs(ms) } })
  assert.deepEqual(
    (await runPasses(polls(-300), polls(-200), polls(-100), polls(400))).waitsMs,
    [50, 50, 50, 400],
  )
})

test('work that stays due does not cause a busy loop', async () => {
  const blocked = { polls: { ...noPolls, 'apple.reviews': inMs(-5000) } }
  const { names, waitsMs } = await runPasses(...Array.from({ length: 7 }, () => blocked))
  assert.deepEqual(waitsMs, [50, 100, 200, 400, 800, 1000, 1000])
  assert.equal(names.length, 7)
  assert.equal((await runPass({ sendAt: inMs(1) })).waitMs, 5)
})
