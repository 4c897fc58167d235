import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClaimedDelivery } from '../../storage/port/deliveries.ts'
import { createSlots } from './slots.ts'

const delivery = (hookId: string, host: string, attempts = 0) =>
  ({ hookId, host, attempts }) as ClaimedDelivery

test('counts slots in total, by hook and by host', () => {
  const slots = createSlots({ total: 4, perHook: 2, perHost: 3 })
  const taken = [delivery('a', 'x'), delivery('a', 'x'), delivery('b', 'x')]
  for (const one of taken) slots.take(one)
  assert.deepEqual(
    [slots.free(), slots.freeOfHook('a'), slots.freeOfHook('b'), slots.freeOfHost('x')],
    [1, 0, 1, 0],
  )
  assert.deepEqual([slots.busyHooks(), slots.busyHosts()], [['a'], ['x']])
  for (const one of taken) slots.release(one)
  assert.deepEqual([slots.free(), slots.busyHooks(), slots.busyHosts()], [4, [], []])
})

test('a quarter of the slots is reserved for first attempts', () => {
  const slots = createSlots({ total: 8, perHook: 8, perHost: 8 })
  for (let index = 0; index < 6; index += 1) slots.take(delivery(`h${index}`, 'x', 1))
  assert.deepEqual([slots.free(), slots.freeForRetries()], [2, 0])
  slots.take(delivery('first', 'x'))
  assert.equal(slots.freeForRetries(), 0)
})

test('first attempts may take every slot', () => {
  const slots = createSlots({ total: 4, perHook: 8, perHost: 8 })
  for (let index = 0; index < 4; index += 1) slots.take(delivery(`h${index}`, 'x'))
  assert.deepEqual([slots.free(), slots.freeForRetries()], [0, 0])
})
