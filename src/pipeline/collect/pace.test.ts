import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clock } from '../../runtime/clock.ts'
import { instantOf } from '../../runtime/instant.ts'
import type { PaceState, PaceStorage } from '../../storage/port/feeds.ts'
import { createStorePace } from './pace.ts'

const never = new AbortController().signal

/** A clock that jumps to the end of each sleep. */
function jumpingClock() {
  let nowMs = 1_700_000_000_000
  const slept: number[] = []
  const clock: Clock = {
    now: () => instantOf(nowMs),
    monotonicMs: () => nowMs,
    sleep: async (ms) => {
      slept.push(ms)
      nowMs += ms
    },
  }
  return { clock, slept, pass: (ms: number) => (nowMs += ms) }
}

/** A stored row that counts its writes. */
function oneRow(): PaceStorage & { writes: number; state: PaceState } {
  return {
    writes: 0,
    state: { arrivalAtMs: 0, blockedUntil: null, blocks: 0, lastDetail: null },
    async change(_store, now, change) {
      const after = change(this.state, now)
      if (after !== null) {
        this.state = after
        this.writes += 1
      }
      return this.state
    },
    async get() {
      return this.state
    },
  }
}

function setUp(requestsPerMinute: number) {
  const time = jumpingClock()
  const storage = oneRow()
  const make = () =>
    createStorePace({ storage, clock: time.clock, random: () => 0 }, 'apple', requestsPerMinute)
  return { ...time, storage, make, pace: make() }
}

test('requests wait for permits, which all nodes share', async () => {
  const { pace, make, slept } = setUp(20)
  const other = make()
  for (let index = 0; index < 5; index += 1) assert.equal(await pace.pace(never), true)
  assert.deepEqual(slept, [])
  await other.pace(never)
  assert.ok((slept[0] ?? 0) > 3000, 'the burst was used up by the first node')
})

test('a high rate is fully used without a write for each request', async () => {
  const { pace, storage, slept } = setUp(60_000)
  for (let index = 0; index < 1000; index += 1) assert.equal(await pace.pace(never), true)
  assert.ok(storage.writes <= 30, `${storage.writes} writes`)
  const sleptMs = slept.reduce((sum, ms) => sum + ms, 0)
  assert.ok(sleptMs <= 1100, `${sleptMs} ms`)
})

test('a block stops the requests of all nodes until it ends', async () => {
  const { pace, make, pass } = setUp(20)
  const until = await pace.block('It answered 429.', 120_000)
  const other = make()
  assert.equal(await pace.pace(never), false)
  assert.equal(await other.pace(never), false)
  assert.deepEqual(await other.blockedUntil(), until)
  pass(120_001)
  assert.equal(await other.blockedUntil(), null)
  assert.equal(await pace.pace(never), true)
})

test('a successful answer resets the count of blocks', async () => {
  const { pace, storage, pass } = setUp(20)
  await pace.block('x', 0)
  pass(61_000)
  await pace.answered()
  assert.equal(storage.state.blocks, 0)
  const written = storage.writes
  await pace.answered()
  assert.equal(storage.writes, written, 'and writes nothing when there was no block')
})

test('a waiting request is not made when the store blocks another one', async () => {
  const { pace, clock } = setUp(20)
  for (let index = 0; index < 5; index += 1) await pace.pace(never)
  const sleep = clock.sleep
  Object.assign(clock, {
    sleep: async (ms: number) => {
      await pace.block('x', 0)
      await sleep(ms)
    },
  })
  assert.equal(await pace.pace(never), false)
})

test('a stop cancels a waiting request', async () => {
  const { pace } = setUp(20)
  const stop = new AbortController()
  stop.abort()
  assert.equal(await pace.pace(stop.signal), false)
})
