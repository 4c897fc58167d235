import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clock } from '../../runtime/clock.ts'
import { type Instant, instantOf, later } from '../../runtime/instant.ts'
import { silentLog } from '../../runtime/log.ts'
import { addPeople, subscribe } from '../../storage/conformance/samples.ts'
import { StorageUnavailable } from '../../storage/port/errors.ts'
import type { TimeStorage } from '../../storage/port/time.ts'
import { openSqlite } from '../../storage/sqlite/open.ts'
import { gateClaims } from './gate-claims.ts'
import { openTimekeeper } from './keeper.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const NOON = instantOf(Date.parse('2026-03-01T12:00:00Z'))

/** A database and its clock, and nodes with separate clocks. `pass` advances all clocks. */
async function installation() {
  let passedMs = 0
  let databaseAheadMs = 0
  const databaseNow = () => later(NOON, passedMs + databaseAheadMs)
  const storage = await openSqlite({ file: ':memory:', databaseNow })
  return {
    storage,
    pass: (ms: number) => (passedMs += ms),
    jumpDatabase: (ms: number) => (databaseAheadMs += ms),
    /** The machine starts now; `suspend` stops only its monotonic clock. */
    async node(aheadMs = 0, time: TimeStorage = storage.time) {
      const startedMs = passedMs
      let wallAheadMs = aheadMs
      let suspendedMs = 0
      const base: Clock = {
        now: () => later(NOON, passedMs + wallAheadMs),
        monotonicMs: () => passedMs - startedMs - suspendedMs,
        sleep: async () => {},
      }
      const keeper = await openTimekeeper({ base, time, log: silentLog })
      return {
        keeper,
        shownMs: () => keeper.clock.now().getTime() - NOON.getTime(),
        setWall: (ms: number) => (wallAheadMs = ms),
        suspend: (ms: number) => {
          suspendedMs += ms
          passedMs += ms
        },
      }
    },
    [Symbol.asyncDispose]: () => storage[Symbol.asyncDispose](),
  }
}

test('a node uses the time of the database, even when its own clock is wrong', async () => {
  await using all = await installation()
  const { keeper, shownMs, setWall } = await all.node(2 * 60_000)
  assert.deepEqual([shownMs(), keeper.skewMs()], [0, 120_000])
  all.pass(5_000)
  setWall(-DAY)
  assert.equal(shownMs(), 5_000)
  await keeper.check()
  assert.deepEqual([shownMs(), keeper.skewMs(), keeper.state().steps], [5_000, -DAY, 0])
})

test('a step of seconds back and a step of the same size forward are two jumps; a few seconds forward alone are not a jump', async () => {
  await using all = await installation()
  const { keeper } = await all.node()
  for (const [jumpMs, steps] of [
    [3_000, 0],
    [-3_000, 1],
    [3_000, 2],
    [3_000, 2],
  ] as const) {
    all.jumpDatabase(jumpMs)
    all.pass(1_000)
    await keeper.check()
    assert.deepEqual([keeper.state().steps, keeper.state().aheadMs], [steps, steps === 1 ? -3_000 : 0])
  }
})

test('a node claims nothing while its clock is more than five seconds off, and after a jump until the next comparison', async () => {
  await using all = await installation()
  const { keeper, setWall } = await all.node(4_000)
  assert.equal(keeper.mayClaim(), true)
  const gated = gateClaims(all.storage, keeper.mayClaim)
  setWall(6_000)
  assert.equal(keeper.mayClaim(), false)
  let calls = 0
  await gated.deliveries.claim({} as never, () => {
    calls += 1
    return new Map()
  })
  assert.equal(calls, 0)
  await keeper.check()
  assert.equal(keeper.mayClaim(), false)
  setWall(5_000)
  await keeper.check()
  assert.equal(keeper.mayClaim(), true)
})

test('a jump of the database clock is one jump for all nodes', async () => {
  await using all = await installation()
  const [one, two] = [await all.node(), await all.node()]
  for (const jumpMs of [400 * DAY, -400 * DAY, -HOUR]) {
    all.jumpDatabase(jumpMs)
    all.pass(1_000)
    const before = one.keeper.state().steps
    await one.keeper.check()
    await two.keeper.check()
    for (const { keeper } of [one, two]) {
      assert.equal(keeper.state().steps, before + 1)
      assert.equal(Math.round((keeper.state().lastJump?.byMs ?? 0) / 10_000), Math.round(jumpMs / 10_000))
    }
    assert.equal(one.shownMs(), two.shownMs())
  }
})

test('a write that meets a step is dated by the clock after it, whenever its time was read', async () => {
  for (const jumpMs of [-HOUR, HOUR]) {
    await using all = await installation()
    const { storage } = all
    await addPeople(storage)
    const write = (at: Instant) =>
      storage.audit.append({
        ...{ accountId: 'alice', actor: { kind: 'none', id: null, name: null }, clientAddress: null },
        ...{ at, action: 'hook.created', target: null, detail: null },
      })
    const step: TimeStorage['step'] = async (jump) => {
      const state = await storage.time.step(jump)
      await write(one.keeper.clock.now())
      return state
    }
    const one = await all.node(0, { ...storage.time, step })
    const two = await all.node()
    const before = one.keeper.clock.now()
    all.jumpDatabase(jumpMs)
    await one.keeper.check()
    await write(before)
    await write(two.keeper.clock.now())
    await write(one.keeper.clock.now())
    const entries = await storage.audit.list('alice', {}, { limit: 9, before: null })
    assert.deepEqual(
      entries.map(({ at }) => at.getTime() - NOON.getTime()),
      [jumpMs, jumpMs, jumpMs, jumpMs],
    )
  }
})

test('a step by another node after a reading is followed, not made again', async () => {
  await using all = await installation()
  const one = await all.node()
  let isOvertaken = false
  const recordReading: TimeStorage['recordReading'] = async (...values) => {
    if (isOvertaken) {
      isOvertaken = false
      all.jumpDatabase(-HOUR)
      await one.keeper.check()
    }
    return all.storage.time.recordReading(...values)
  }
  const two = await all.node(0, { ...all.storage.time, recordReading })
  isOvertaken = true
  await two.keeper.check()
  await two.keeper.check()
  assert.deepEqual([two.keeper.state().steps, two.shownMs()], [1, -HOUR])
})

test('a reading that is older than a step of another node is read again, also at a start', async () => {
  for (const isRunning of [true, false]) {
    await using all = await installation()
    const { time } = all.storage
    const one = await all.node()
    let isOvertaken = false
    const now: TimeStorage['now'] = async () => {
      const at = await time.now()
      if (isOvertaken) {
        isOvertaken = false
        await one.keeper.check()
        all.jumpDatabase(HOUR)
        await one.keeper.check()
      }
      return at
    }
    const started = isRunning ? await all.node(0, { ...time, now }) : null
    all.jumpDatabase(-HOUR)
    isOvertaken = true
    await started?.keeper.check()
    const two = started ?? (await all.node(0, { ...time, now }))
    const { highWaterAt, steps } = (await time.state()) ?? assert.fail('no node has read the clock')
    assert.deepEqual([two.shownMs(), steps, highWaterAt], [0, 2, NOON], `is running: ${isRunning}`)
  }
})

test('a suspended machine catches up without a jump while another node keeps the time', async () => {
  await using all = await installation()
  const [one, two] = [await all.node(), await all.node()]
  one.suspend(8 * HOUR)
  assert.equal(one.keeper.mayClaim(), false)
  await two.keeper.check()
  await one.keeper.check()
  assert.deepEqual([one.shownMs(), one.keeper.mayClaim(), one.keeper.state().steps], [8 * HOUR, true, 0])
})

test('after a large jump the time is confirmed after a day without another, also across restarts', async () => {
  await using all = await installation()
  const first = await all.node()
  all.pass(2 * DAY)
  await first.keeper.check()
  assert.equal(first.keeper.isConfirmed(), true)
  all.jumpDatabase(400 * DAY)
  await first.keeper.check()
  assert.equal(first.keeper.isConfirmed(), false)
  for (let hours = 0; hours < 23; hours += 1) {
    all.pass(HOUR)
    await first.keeper.check()
  }
  const restarted = await all.node()
  assert.equal(restarted.keeper.isConfirmed(), false)
  all.pass(HOUR)
  await restarted.keeper.check()
  assert.equal(restarted.keeper.isConfirmed(), true)
})

test('a start with a clock before the last reading is a jump back; a start long after it is not confirmed', async () => {
  await using all = await installation()
  await all.node()
  all.jumpDatabase(-HOUR)
  const back = (await all.node()).keeper.state()
  assert.deepEqual([back.steps, back.lastJump?.byMs, back.lastJump?.whileStopped], [1, -HOUR, true])
  all.pass(3 * DAY)
  const late = await all.node()
  assert.deepEqual([late.keeper.state().lastJump?.byMs, late.keeper.isConfirmed()], [3 * DAY, false])
})

test('an unconfirmed step back is undone when the clock is corrected before the next check', async () => {
  await using all = await installation()
  let isLost = true
  const time: TimeStorage = {
    ...all.storage.time,
    step: async (jump) => {
      const state = await all.storage.time.step(jump)
      if (isLost) throw new StorageUnavailable('the connection ended')
      return state
    },
  }
  const { keeper, shownMs } = await all.node(0, time)
  all.pass(MINUTE)
  await addPeople(all.storage)
  const { hook } = await subscribe(all.storage, { createdAt: keeper.clock.now() })
  const createdAt = async () => (await all.storage.hooks.get('alice', hook.id))?.createdAt
  all.jumpDatabase(-HOUR)
  await assert.rejects(keeper.check(), StorageUnavailable)
  assert.notDeepEqual(await createdAt(), hook.createdAt)
  all.jumpDatabase(HOUR)
  all.pass(10 * MINUTE)
  await assert.rejects(keeper.check(), StorageUnavailable)
  isLost = false
  await keeper.check()
  assert.deepEqual(await createdAt(), hook.createdAt)
  assert.deepEqual([keeper.state().steps, shownMs()], [2, 11 * MINUTE])
})

test('an unconfirmed step forward is undone when the clock is corrected before the next check', async () => {
  await using all = await installation()
  let isLost = true
  const time: TimeStorage = {
    ...all.storage.time,
    step: async (jump) => {
      const state = await all.storage.time.step(jump)
      if (isLost) throw new StorageUnavailable('the connection ended')
      return state
    },
  }
  const { keeper, shownMs } = await all.node(0, time)
  all.pass(MINUTE)
  all.jumpDatabase(25 * HOUR)
  await assert.rejects(keeper.check(), StorageUnavailable)
  all.jumpDatabase(-25 * HOUR)
  all.pass(MINUTE)
  isLost = false
  await keeper.check()
  const { steps, lastJump, aheadMs } = keeper.state()
  assert.deepEqual([steps, lastJump?.byMs, aheadMs, shownMs()], [2, -25 * HOUR, 0, 2 * MINUTE])
})

test('a step back by a stopped node is undone by another node that did not notice the change', async () => {
  await using all = await installation()
  const [one, two] = [await all.node(), await all.node()]
  all.jumpDatabase(-HOUR)
  all.pass(MINUTE)
  await one.keeper.check()
  all.jumpDatabase(HOUR)
  all.pass(MINUTE)
  await two.keeper.check()
  assert.deepEqual([two.keeper.state().lastJump?.byMs, two.shownMs()], [HOUR, 2 * MINUTE])
  await one.keeper.check()
  assert.deepEqual([one.keeper.state().steps, one.shownMs()], [2, 2 * MINUTE])
})

test('a hook is not moved later when the clock was ahead without a detected jump', async () => {
  const gaps: Record<string, (all: Awaited<ReturnType<typeof installation>>) => Promise<number>> = {
    'while no node ran': async (all) => {
      await all.node()
      all.pass(MINUTE)
      all.jumpDatabase(50 * MINUTE)
      return 50 * MINUTE
    },
    'by seconds, and the first answer was lost': async (all) => {
      let keeps = 0
      const recordReading: TimeStorage['recordReading'] = async (...args) => {
        keeps += 1
        if (keeps === 2) throw new StorageUnavailable('the connection ended')
        return all.storage.time.recordReading(...args)
      }
      const { keeper } = await all.node(0, { ...all.storage.time, recordReading })
      all.jumpDatabase(1_500)
      await assert.rejects(keeper.check(), StorageUnavailable)
      all.jumpDatabase(1_500)
      await keeper.check()
      return 3_000
    },
  }
  for (const [gap, happens] of Object.entries(gaps)) {
    await using all = await installation()
    await addPeople(all.storage)
    const gapMs = await happens(all)
    const { keeper } = await all.node()
    all.jumpDatabase(-gapMs)
    await keeper.check()
    const createdAt = keeper.clock.now()
    const { hook } = await subscribe(all.storage, { createdAt }, { createdAt })
    all.pass(MINUTE)
    for (const jumpMs of [-400 * DAY, 400 * DAY + gapMs]) {
      all.jumpDatabase(jumpMs)
      all.pass(HOUR)
      await keeper.check()
    }
    assert.equal(keeper.state().steps, 3, gap)
    assert.deepEqual((await all.storage.hooks.get('alice', hook.id))?.createdAt, createdAt, gap)
  }
})
