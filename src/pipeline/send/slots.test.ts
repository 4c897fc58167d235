import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClaimedDelivery } from '../../storage/port/deliveries.ts'
import { createSlots } from './slots.ts'

const delivery = (
  hookId: string,
  host: string,
  { attempts = 0, targetType = 'webhook' }: Partial<ClaimedDelivery> = {},
) => ({ hookId, host, attempts, targetType }) as ClaimedDelivery

test('the sender counts slots in total, by hook and by host', () => {
  const slots = createSlots({ total: 4, perHook: 2, perHost: 3 }, { monotonicMs: () => 0 })
  const taken = [delivery('a', 'x'), delivery('a', 'x'), delivery('b', 'x')]
  for (const one of taken) slots.take(one)
  assert.deepEqual(
    [
      slots.free(),
      slots.freeOfHook(delivery('a', 'x')),
      slots.freeOfHook(delivery('b', 'x')),
      slots.freeOfHost('x'),
    ],
    [1, 0, 1, 0],
  )
  assert.deepEqual([slots.busyHooks(), slots.busyHosts()], [['a'], ['x']])
  for (const one of taken) slots.release(one)
  assert.deepEqual([slots.free(), slots.busyHooks(), slots.busyHosts()], [4, [], []])
})

test('a channel takes two slots at most, so that it cannot take those of its service', () => {
  const slots = createSlots({ total: 32, perHook: 8, perHost: 16 }, { monotonicMs: () => 0 })
  const slack = delivery('a', 'hooks.slack.com:443', { targetType: 'slack' })
  for (const one of [slack, slack]) slots.take(one)
  assert.deepEqual([slots.freeOfHook(slack), slots.busyHooks()], [0, ['a']])
  slots.release(slack)
  assert.deepEqual([slots.freeOfHook(slack), slots.busyHooks()], [1, []])
  assert.equal(slots.freeOfHook(delivery('b', 'x:443', { targetType: 'http' })), 8)
})

test('a quarter of the slots is reserved for first attempts', () => {
  const slots = createSlots({ total: 8, perHook: 8, perHost: 8 }, { monotonicMs: () => 0 })
  for (let index = 0; index < 6; index += 1) slots.take(delivery(`h${index}`, 'x', { attempts: 1 }))
  assert.deepEqual([slots.free(), slots.freeForRetries()], [2, 0])
  slots.take(delivery('first', 'x'))
  assert.equal(slots.freeForRetries(), 0)
})

test('first attempts may take every slot', () => {
  const slots = createSlots({ total: 4, perHook: 8, perHost: 8 }, { monotonicMs: () => 0 })
  for (let index = 0; index < 4; index += 1) slots.take(delivery(`h${index}`, 'x'))
  assert.deepEqual([slots.free(), slots.freeForRetries()], [0, 0])
})

/** Answers requests of a hook whose slots are all taken, as the only one of its host. */
function openHook(limits: { total: number; perHook: number; perHost: number }) {
  let nowMs = 0
  const slots = createSlots(limits, { monotonicMs: () => nowMs })
  const one = delivery('a', 'x')
  let taken = 0
  const fill = () => {
    while (slots.free() > 0 && slots.freeOfHook(one) > 0 && slots.freeOfHost('x') > 0) {
      slots.take(one)
      taken += 1
    }
  }
  return {
    slots,
    move: (ms: number) => (nowMs += ms),
    taken: () => taken,
    answer(kind: 'accepted' | 'overloaded', count: number) {
      for (let answered = 0; answered < count; answered += 1) {
        fill()
        const startedMs = nowMs
        nowMs += 1
        slots.release(one, { kind, startedMs, endedMs: nowMs })
        taken -= 1
      }
      fill()
    },
  }
}

test('a hook whose receiver answers gets more slots, and its host with it', () => {
  const hook = openHook({ total: 256, perHook: 64, perHost: 64 })
  hook.answer('accepted', 1)
  assert.equal(hook.taken(), 8)
  hook.answer('accepted', 5_000)
  assert.equal(hook.taken(), 64)
})

test('a hook whose receiver is overloaded falls to one slot, its host to the first sixteen', () => {
  const hook = openHook({ total: 256, perHook: 64, perHost: 64 })
  hook.answer('accepted', 5_000)
  hook.answer('overloaded', 200)
  assert.deepEqual(hook.slots.busyHooks(), ['a'])
  const { slots } = hook
  const others = Array.from({ length: 64 }, (_, at) => delivery(`b${at}`, 'x'))
  for (const other of others) if (slots.freeOfHost('x') > 0) slots.take(other)
  assert.equal(slots.free(), 256 - 16)
})

test('the slots of a hook without requests for some minutes start anew', () => {
  const hook = openHook({ total: 256, perHook: 64, perHost: 64 })
  hook.answer('accepted', 5_000)
  hook.move(6 * 60_000)
  const idle = { hookId: 'a', targetType: 'webhook' } as const
  assert.equal(hook.slots.freeOfHook(idle) + hook.taken(), 8)
})

test('busy hooks leave slots free for others, and each gets its first eight', () => {
  const slots = createSlots({ total: 60, perHook: 64, perHost: 64 }, { monotonicMs: () => 0 })
  const busy = [delivery('a', 'x'), delivery('b', 'y')]
  for (let at = 0; at < 5_000; at += 1) {
    for (const one of busy) {
      while (slots.freeOfHook(one) > 0) slots.take(one)
      slots.release(one, { kind: 'accepted', startedMs: at, endedMs: at })
    }
  }
  assert.ok(slots.free() >= 60 / 3 && slots.free() <= 60 / 3 + 2, `${slots.free()} are free`)
  const others = ['c', 'd'].map((hookId) => delivery(hookId, hookId))
  for (const other of others) assert.equal(slots.freeOfHook(other), 8)
})

test('a message channel keeps its two slots, whatever the answers', () => {
  const slots = createSlots({ total: 256, perHook: 64, perHost: 64 }, { monotonicMs: () => 0 })
  const slack = delivery('a', 'hooks.slack.com:443', { targetType: 'slack' })
  for (let at = 0; at < 500; at += 1) {
    while (slots.freeOfHook(slack) > 0) slots.take(slack)
    slots.release(slack, { kind: 'accepted', startedMs: at, endedMs: at })
  }
  assert.deepEqual([slots.freeOfHook(slack), slots.freeOfHost('hooks.slack.com:443')], [1, 15])
})
