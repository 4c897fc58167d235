import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instantOf } from '../../runtime/instant.ts'
import type { Lane } from '../../storage/port/deliveries.ts'
import { allocate, type Room } from './allocate.ts'
import { CLOSED, PROBE_MS } from './breaker.ts'
import { HEALTHY, healthFrom, healthText } from './health.ts'

const now = instantOf(Date.parse('2026-03-01T12:00:00Z'))
const nowMs = now.getTime()

const lane = (hookId: string, change: Partial<Lane> = {}): Lane => ({
  hookId,
  accountId: 'acc_1',
  host: `${hookId}.example:443`,
  source: 'api',
  targetType: 'webhook',
  ratePerSecond: null,
  messageSchedule: null,
  health: null,
  ...change,
})
const room: Room = {
  now,
  limit: 64,
  slots: { freeOfHook: () => 8, freeOfHost: () => 16, healthyOfHost: () => 4 },
  firstAttemptsOnly: false,
}
const open = (untilMs: number, probeUntilMs: number | null = null) =>
  healthText({ ...HEALTHY, breaker: { ...CLOSED, openUntilMs: untilMs, probeUntilMs } })
const takes = (lanes: readonly Lane[], change: Partial<Room> = {}) =>
  [...allocate(lanes, { ...room, ...change }).values()].map((allocation) => allocation.take)

test('lanes share a claim with at least eight deliveries each', () => {
  const lanes = Array.from({ length: 32 }, (_, at) => lane(`h${at}`))
  assert.deepEqual(new Set(takes(lanes)), new Set([8]))
  assert.deepEqual(
    takes([lane('a'), lane('b')], { limit: 18, slots: { ...room.slots, freeOfHook: () => 12 } }),
    [9, 9],
  )
  assert.deepEqual(takes([lane('a')]), [8], 'a single lane gets all free slots of its hook')
  assert.deepEqual(takes([lane('a'), lane('b')], { limit: 1 }), [8, 8], 'the claim applies the limit')
})

test('requests under way count against the limits of hook and host', () => {
  assert.deepEqual(takes([lane('a')], { slots: { ...room.slots, freeOfHook: () => 3 } }), [3])
  const sameHost = [lane('a', { host: 'x:443' }), lane('b', { host: 'x:443' }), lane('c', { host: 'x:443' })]
  assert.deepEqual(takes(sameHost, { slots: { ...room.slots, freeOfHost: () => 12 } }), [8, 4, 0])
})

test('a scheduled message takes one slot of its host', () => {
  const messageSchedule = {
    timeZone: 'UTC',
    everyMinutes: 10,
    dailyAt: null,
    weekday: null,
    quiet: null,
    sinceMs: nowMs - 3_600_000,
  }
  const lanes = ['a', 'b'].map((hookId) => lane(hookId, { host: 'x:443', messageSchedule }))
  assert.deepEqual(takes(lanes), [64, 64])
})

test('an open breaker allows no delivery and postpones its lane until the probe', () => {
  const allocations = allocate([lane('a', { health: open(nowMs + 30_000) })], room)
  assert.deepEqual(allocations.get('a'), { take: 0, notBefore: new Date(nowMs + 30_000) })
})

test('a half-open breaker allows one probe and marks it', () => {
  const allocation = allocate([lane('a', { health: open(nowMs - 1) })], room).get('a')
  assert.equal(allocation?.take, 1)
  assert.equal(healthFrom(allocation?.health ?? null).breaker.probeUntilMs, nowMs + PROBE_MS)
})

test('a lane with a running probe is read every second', () => {
  const allocations = allocate([lane('a', { health: open(nowMs - 1, nowMs + 50_000) })], room)
  assert.deepEqual(allocations.get('a'), { take: 0, notBefore: new Date(nowMs + 1000) })
})

test('a lane with a running probe is read every second, even after the clock was set back', () => {
  const allocations = allocate([lane('a', { health: open(nowMs + 86_400_000, nowMs + 50_000) })], room)
  assert.deepEqual(allocations.get('a'), { take: 0, notBefore: new Date(nowMs + 1000) })
})

test('a claim limited to first attempts uses no probe', () => {
  assert.deepEqual(takes([lane('a', { health: open(nowMs - 1) })], { firstAttemptsOnly: true }), [0])
})

test('a rate limit allows its burst and returns the time of the next permit', () => {
  const limited = lane('a', { ratePerSecond: 25 })
  const allocation = allocate([limited], room).get('a')
  assert.equal(allocation?.take, 5)
  assert.ok(
    allocation?.notBefore !== null && allocation?.notBefore !== undefined && allocation.notBefore > now,
  )
  const next = allocate([lane('a', { ratePerSecond: 25, health: allocation.health ?? null })], room).get('a')
  assert.equal(next?.take, 0)
})

test('a hook with failures leaves the last slots of its host to others', () => {
  const failing = (hookId: string) =>
    lane(hookId, {
      host: 'h:443',
      health: healthText({ ...HEALTHY, breaker: { ...CLOSED, consecutiveFailures: 1 } }),
    })
  const lanes = [failing('a'), failing('b'), lane('c', { host: 'h:443' })]
  assert.deepEqual(takes(lanes), [8, 4, 4])
  const few = { slots: { ...room.slots, freeOfHost: () => 4 } }
  const [first, , last] = [...allocate(lanes, { ...room, ...few }).values()]
  assert.deepEqual(first, { take: 0, notBefore: new Date(nowMs + 1_000) })
  assert.equal(last?.take, 4)
})
