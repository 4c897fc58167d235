import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RETRY_WAITS_MS } from '../../../test/support/retry-waits.ts'
import { silentMeter } from '../../../test/support/silent-meter.ts'
import type { Clock } from '../../runtime/clock.ts'
import { instantOf } from '../../runtime/instant.ts'
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

async function openHousekeeping(settings: Partial<HousekeepingSettings> = {}) {
  let nowMs = NOON.getTime()
  const slept: number[] = []
  const clock: Clock = {
    now: () => instantOf(nowMs),
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
    setTimeConfirmed: (isConfirmed: boolean) => {
      mayDelete = isConfirmed
    },
    move: (ms: number) => (nowMs += ms),
    now: () => instantOf(nowMs),
    sweep: async () => housekeeping.pass(never),
    [Symbol.asyncDispose]: () => storage[Symbol.asyncDispose](),
  }
}

async function settleAll(setup: Awaited<ReturnType<typeof openHousekeeping>>, next: 'delivered' | 'dead') {
  const claimed = await claim(setup.storage, { now: setup.now() })
  await setup.storage.deliveries.settle(
    claimed.map((delivery) => ({
      delivery,
      attempt: attemptOf(),
      next: next === 'dead' ? { status: 'dead', reason: 'attempts_exhausted' } : { status: 'delivered' },
    })),
    setup.now(),
    () => NO_CHANGE,
  )
}

/** The result of one failed attempt. */
async function failOne(setup: Awaited<ReturnType<typeof openHousekeeping>>, change: Partial<LaneChange>) {
  const [delivery] = await claim(setup.storage, { limit: 1 })
  assert.ok(delivery)
  await setup.storage.deliveries.settle(
    [{ delivery, attempt: attemptOf(), next: { status: 'pending', dueAt: setup.now() } }],
    setup.now(),
    () => ({ ...NO_CHANGE, ...change }),
  )
}

test('the pending deliveries of a removed hook are deleted in batches, with a pause between them', async () => {
  await using setup = await openHousekeeping()
  const { hook } = await subscribe(setup.storage)
  await enqueue(setup.storage, [hook], { count: 700 })
  await setup.storage.hooks.remove('alice', hook.id, setup.now())
  assert.deepEqual([await setup.sweep(), setup.slept.length], ['worked', 1])
  await setup.sweep()
  assert.equal((await setup.storage.maintenance.depths(setup.now())).pending, 0)
})

test('a delivery behind an open breaker becomes a dead letter when it expires', async () => {
  await using setup = await openHousekeeping()
  const { hook } = await subscribe(setup.storage)
  await enqueue(setup.storage, [hook], { count: 3 })
  await failOne(setup, { notBefore: after(1_000 * HOUR) })
  setup.move(100 * HOUR)
  await setup.sweep()
  assert.deepEqual(setup.counted, [['dead_letters_total', { reason: 'expired' }, 3]])
})

test('the pending deliveries of a gone hook are counted as dead letters', async () => {
  await using setup = await openHousekeeping()
  const { hook } = await subscribe(setup.storage)
  await enqueue(setup.storage, [hook], { count: 3 })
  await failOne(setup, { gone: true })
  await setup.sweep()
  assert.deepEqual(setup.counted, [['dead_letters_total', { reason: 'gone' }, 2]])
})

test('retention deletes old deliveries, but no unresolved dead letter', async () => {
  await using setup = await openHousekeeping()
  const { hook } = await subscribe(setup.storage)
  await enqueue(setup.storage, [hook], { count: 3 })
  await settleAll(setup, 'delivered')
  await enqueue(setup.storage, [hook], { count: 2, at: after(1000) })
  setup.move(2000)
  await settleAll(setup, 'dead')
  setup.move(91 * DAY)
  for (let pass = 0; pass < 20; pass += 1) {
    await setup.sweep()
    setup.move(600_000)
  }
  const left = await setup.storage.deliveries.list('alice', {}, { limit: 10, before: null })
  assert.deepEqual(
    left.filter((delivery) => delivery.body !== null).map((delivery) => delivery.status),
    ['dead', 'dead'],
  )
})

test('retention runs every ten minutes when there is nothing to delete', async () => {
  await using setup = await openHousekeeping()
  const { prune } = setup.storage.maintenance
  let calls = 0
  Object.assign(setup.storage.maintenance, {
    prune: async (...args: Parameters<typeof prune>) => {
      calls += 1
      return prune(...args)
    },
  })
  for (let pass = 0; pass < 24; pass += 1) {
    await setup.sweep()
    setup.move(50_000)
  }
  assert.equal(calls, 2)
})

test('nothing is deleted or expires while the time is unconfirmed', async () => {
  await using setup = await openHousekeeping()
  const { hook } = await subscribe(setup.storage)
  await enqueue(setup.storage, [hook], { count: 3 })
  await settleAll(setup, 'delivered')
  await enqueue(setup.storage, [hook], { count: 2 })
  await failOne(setup, { notBefore: after(400 * DAY + HOUR) })
  setup.move(400 * DAY)
  setup.setTimeConfirmed(false)
  await setup.sweep()
  const count = async () =>
    (await setup.storage.deliveries.list('alice', {}, { limit: 10, before: null })).length
  assert.deepEqual([await count(), setup.counted], [5, []])
  setup.setTimeConfirmed(true)
  await setup.sweep()
  assert.deepEqual([(await count()) < 5, setup.counted.length], [true, 1])
})

test('one pass of retention deletes at most a tenth of a table', async () => {
  await using setup = await openHousekeeping()
  const { hook } = await subscribe(setup.storage)
  await enqueue(setup.storage, [hook], { count: 40 })
  await settleAll(setup, 'delivered')
  setup.move(400 * DAY)
  const left: number[] = []
  for (let tenMinutes = 0; tenMinutes < 3; tenMinutes += 1) {
    // More passes than needed, because several commits of one pass share its quota.
    for (let again = 0; again < 4; again += 1) await setup.sweep()
    left.push((await setup.storage.deliveries.list('alice', {}, { limit: 50, before: null })).length)
    setup.move(600_000)
  }
  assert.deepEqual(left, [36, 32, 28])
})
