import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClaimedDelivery } from '../../storage/port/deliveries.ts'
import { createSlots } from './slots.ts'

const delivery = (
  hookId: string,
  host: string,
  { attempts = 0, targetType = 'webhook' }: Partial<ClaimedDelivery> = {},
) => ({ hookId, host, attempts, targetType }) as ClaimedDelivery

test('counts slots in total, by hook and by host', () => {
  const slots = createSlots({ total: 4, perHook: 2, perHost: 3 })
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
  const slots = createSlots({ total: 32, perHook: 8, perHost: 16 })
  const slack = delivery('a', 'hooks.slack.com:443', { targetType: 'slack' })
  for (const one of [slack, slack]) slots.take(one)
  assert.deepEqual([slots.freeOfHook(slack), slots.busyHooks()], [0, ['a']])
  slots.release(slack)
  assert.deepEqual([slots.freeOfHook(slack), slots.busyHooks()], [1, []])
  assert.equal(slots.freeOfHook(delivery('b', 'x:443', { targetType: 'http' })), 8)
})

test('a quarter of the slots is reserved for first attempts', () => {
  const slots = createSlots({ total: 8, perHook: 8, perHost: 8 })
  for (let index = 0; index < 6; index += 1) slots.take(delivery(`h${index}`, 'x', { attempts: 1 }))
  assert.deepEqual([slots.free(), slots.freeForRetries()], [2, 0])
  slots.take(delivery('first', 'x'))
  assert.equal(slots.freeForRetries(), 0)
})

test('first attempts may take every slot', () => {
  const slots = createSlots({ total: 4, perHook: 8, perHost: 8 })
  for (let index = 0; index < 4; index += 1) slots.take(delivery(`h${index}`, 'x'))
  assert.deepEqual([slots.free(), slots.freeForRetries()], [0, 0])
})
