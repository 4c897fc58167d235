import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RETRY_WAITS_MS } from '../../../test/support/retry-waits.ts'
import { silentMeter } from '../../../test/support/silent-meter.ts'
import type { Clock } from '../../runtime/clock.ts'
import { silentLog } from '../../runtime/log.ts'
import { attemptOf, claim, enqueue, NO_CHANGE } from '../../storage/conformance/queue/queue-samples.ts'
import { addPeople, after, HOUR, NOON, subscribe } from '../../storage/conformance/samples.ts'
import type { LaneChange } from '../../storage/port/deliveries.ts'
import { openSqlite } from '../../storage/sqlite/open.ts'
import { POLL_SETTINGS } from '../collect/schedule.ts'
import { horizonsOf } from '../horizons.ts'
import { type HousekeepingSettings, housekeepingLoop } from './housekeeping.ts'

const never = new AbortController().signal
const DAY = 24 * HOUR
const HORIZONS = horizonsOf({ poll: POLL_SETTINGS, waitsMs: RETRY_WAITS_MS })

async function openHouse(settings: Partial<HousekeepingSettings> = {}) {
  let nowMs = NOON.getTime()
  const slept: number[] = []
  const clock: Clock = {
    now: () => new Date(nowMs),
    monotonicMs: () => nowMs,
    sleep: async (ms) => void slept.push(ms),
  }
  const storage = await openSqlite({ file: ':memory:', clock })
  await addPeople(storage)
  const counted: unknown[] = []
  const meter = { ...silentMeter, count: (...each: unknown[]) => void counted.push(each) }
  let mayDelete = true
  const deps = {
    storage,
    clock,
    log: silentLog,
    meter,
    mayDelete: () => mayDelete,
  }
  const all = { retentionMs: 90 * DAY, expireAfterMs: DAY, horizons: HORIZONS, ...settings }
  const housekeeping = housekeepingLoop(deps, all)
  return {
    storage,
    slept,
    counted,
    doubtTime: (doubt: boolean) => {
      mayDelete = !doubt
    },
    move: (ms: number) => (nowMs += ms),
    now: () => new Date(nowMs),
    sweep: async () => housekeeping.pass(never),
    [Symbol.asyncDispose]: () => storage[Symbol.asyncDispose](),
  }
}

async function settleAll(house: Awaited<ReturnType<typeof openHouse>>, next: 'delivered' | 'dead') {
  const claimed = await claim(house.storage, { now: house.now() })
  await house.storage.deliveries.settle(
    claimed.map((delivery) => ({
      delivery,
      attempt: attemptOf(),
      next: next === 'dead' ? { status: 'dead', reason: 'attempts_exhausted' } : { status: 'delivered' },
    })),
    house.now(),
    () => NO_CHANGE,
  )
}

/** The result of one failed attempt. */
async function failOne(house: Awaited<ReturnType<typeof openHouse>>, change: Partial<LaneChange>) {
  const [delivery] = await claim(house.storage, { limit: 1 })
  assert.ok(delivery)
  await house.storage.deliveries.settle(
    [{ delivery, attempt: attemptOf(), next: { status: 'pending', dueAt: house.now() } }],
    house.now(),
    () => ({ ...NO_CHANGE, ...change }),
  )
}

test('the pending deliveries of a removed hook are swept in batches, with a pause between them', async () => {
  await using house = await openHouse()
  const { hook } = await subscribe(house.storage)
  await enqueue(house.storage, [hook], { count: 700 })
  await house.storage.hooks.remove('alice', hook.id, house.now())
  assert.deepEqual([await house.sweep(), house.slept.length], ['worked', 1])
  await house.sweep()
  assert.equal((await house.storage.maintenance.depths(house.now())).pending, 0)
})

test('a delivery behind an open breaker becomes a dead letter when it expires', async () => {
  await using house = await openHouse()
  const { hook } = await subscribe(house.storage)
  await enqueue(house.storage, [hook], { count: 3 })
  await failOne(house, { notBefore: after(1_000 * HOUR) })
  house.move(100 * HOUR)
  await house.sweep()
  assert.deepEqual(house.counted, [['dead_letters_total', { reason: 'expired' }, 3]])
})

test('the pending deliveries of a gone hook are counted as dead letters', async () => {
  await using house = await openHouse()
  const { hook } = await subscribe(house.storage)
  await enqueue(house.storage, [hook], { count: 3 })
  await failOne(house, { gone: true })
  await house.sweep()
  assert.deepEqual(house.counted, [['dead_letters_total', { reason: 'gone' }, 2]])
})

test('retention deletes old deliveries, and never an unresolved dead letter', async () => {
  await using house = await openHouse()
  const { hook } = await subscribe(house.storage)
  await enqueue(house.storage, [hook], { count: 3 })
  await settleAll(house, 'delivered')
  await enqueue(house.storage, [hook], { count: 2, at: after(1000) })
  house.move(2000)
  await settleAll(house, 'dead')
  house.move(91 * DAY)
  for (let pass = 0; pass < 20; pass += 1) {
    await house.sweep()
    house.move(600_000)
  }
  const left = await house.storage.deliveries.list('alice', {}, { limit: 10, before: null })
  assert.deepEqual(
    left.filter((delivery) => delivery.body !== null).map((delivery) => delivery.status),
    ['dead', 'dead'],
  )
})

test('retention with nothing to delete runs once in ten minutes', async () => {
  await using house = await openHouse()
  const { prune } = house.storage.maintenance
  let calls = 0
  Object.assign(house.storage.maintenance, {
    prune: async (...args: Parameters<typeof prune>) => {
      calls += 1
      return prune(...args)
    },
  })
  for (let pass = 0; pass < 24; pass += 1) {
    await house.sweep()
    house.move(50_000)
  }
  assert.equal(calls, 2)
})

test('nothing is deleted or expires while the time is unconfirmed', async () => {
  await using house = await openHouse()
  const { hook } = await subscribe(house.storage)
  await enqueue(house.storage, [hook], { count: 3 })
  await settleAll(house, 'delivered')
  await enqueue(house.storage, [hook], { count: 2 })
  await failOne(house, { notBefore: after(400 * DAY + HOUR) })
  house.move(400 * DAY)
  house.doubtTime(true)
  await house.sweep()
  const count = async () =>
    (await house.storage.deliveries.list('alice', {}, { limit: 10, before: null })).length
  assert.deepEqual([await count(), house.counted], [5, []])
  house.doubtTime(false)
  await house.sweep()
  assert.deepEqual([(await count()) < 5, house.counted.length], [true, 1])
})

test('one pass of retention deletes no more than a tenth of a table', async () => {
  await using house = await openHouse()
  const { hook } = await subscribe(house.storage)
  await enqueue(house.storage, [hook], { count: 40 })
  await settleAll(house, 'delivered')
  house.move(400 * DAY)
  const left: number[] = []
  for (let tenMinutes = 0; tenMinutes < 3; tenMinutes += 1) {
    // More passes than needed: several commits of one pass share its quota.
    for (let again = 0; again < 4; again += 1) await house.sweep()
    left.push((await house.storage.deliveries.list('alice', {}, { limit: 50, before: null })).length)
    house.move(600_000)
  }
  assert.deepEqual(left, [36, 32, 28])
})
