import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Replay } from '../port/dead.ts'
import type { Storage } from '../port.ts'
import type { Engine } from './harness.ts'
import { claim, DELIVERED, deadOf, enqueue, hash, idsOf, kill, settle } from './queue-samples.ts'
import { addPeople, after, HOUR, NOON, SECOND, subscribe } from './samples.ts'

async function create(storage: Storage, given: Partial<Replay> = {}): Promise<Replay> {
  const { id = 'rpl_1', accountId = 'alice', filter = {}, ratePerSecond = 10, createdAt = NOON } = given
  return storage.dead.createReplay({ id, accountId, filter, ratePerSecond, createdAt })
}

const advance = (storage: Storage, ms = 0) => storage.dead.advanceReplays(after(ms), HOUR)

export function replaysSuite({ open, openAgain }: Engine): void {
  describe('a bulk replay', () => {
    it('counts what matches when it is made', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook: one } = await subscribe(storage)
      const { hook: two } = await subscribe(storage)
      const { hook: bobs } = await subscribe(storage, { accountId: 'bob' })
      await kill(storage, [one, two, bobs], { count: 3 })
      const filter = { hookId: one.id, since: NOON, until: after(HOUR), reason: 'attempts_exhausted' }
      const replay: Replay = {
        id: 'rpl_1',
        accountId: 'alice',
        filter,
        status: 'running',
        total: 3,
        queued: 0,
        delivered: 0,
        deadAgain: 0,
        ratePerSecond: 2.5,
        createdAt: NOON,
        finishedAt: null,
      }
      assert.deepEqual(await create(storage, { filter, ratePerSecond: 2.5 }), replay)
      assert.deepEqual(await storage.dead.getReplay('alice', 'rpl_1'), replay)
      assert.equal((await create(storage, { id: 'rpl_2' })).total, 6)
    })

    it('puts back one second of its rate at a time, and is done when all are', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const ids = await kill(storage, [hook], { count: 25 })
      await create(storage)
      assert.equal(await advance(storage), 10)
      assert.equal(await advance(storage, SECOND - 1), 0)
      assert.equal((await storage.upkeep.dueWork(NOON)).replayAt?.getTime(), after(SECOND).getTime())
      assert.equal(await advance(storage, SECOND), 10)
      assert.equal(await advance(storage, 2 * SECOND), 5)
      const replay = await storage.dead.getReplay('alice', 'rpl_1')
      assert.deepEqual([replay?.status, replay?.queued, replay?.finishedAt], ['done', 25, after(2 * SECOND)])
      assert.equal((await storage.upkeep.dueWork(NOON)).replayAt, null)
      const claimed = await claim(storage, { now: after(HOUR) })
      assert.deepEqual(idsOf(claimed), ids)
      assert.deepEqual(new Set(claimed.map(({ replayId }) => replayId)), new Set(['rpl_1']))
    })

    it('slower than one a second puts back one at a time and waits longer', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await kill(storage, [hook], { count: 2 })
      await create(storage, { ratePerSecond: 0.5 })
      assert.equal(await advance(storage), 1)
      assert.equal(await advance(storage, 2 * SECOND - 1), 0)
      assert.equal(await advance(storage, 2 * SECOND), 1)
    })

    it('tells what became of what it put back', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await kill(storage, [hook], { count: 4 })
      await create(storage)
      await advance(storage)
      const [a, b, c] = await claim(storage)
      assert.ok(a && b && c)
      await settle(storage, [a, b], DELIVERED)
      await settle(storage, [c], deadOf(), { now: after(SECOND) })
      const { delivered, deadAgain, queued } = (await storage.dead.getReplay('alice', 'rpl_1')) ?? {}
      assert.deepEqual({ delivered, deadAgain, queued }, { delivered: 2, deadAgain: 1, queued: 4 })
    })

    it('leaves alone what died after it was made, even what it put back itself', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const ids = await kill(storage, [hook], { count: 3 })
      await create(storage, { ratePerSecond: 1 })
      assert.equal(await advance(storage), 1)
      await settle(storage, await claim(storage), deadOf())
      await kill(storage, [hook], { at: after(1) })
      assert.equal(await advance(storage, SECOND), 1)
      assert.equal(await advance(storage, 2 * SECOND), 1)
      assert.equal(await advance(storage, 3 * SECOND), 0)
      assert.equal((await storage.dead.getReplay('alice', 'rpl_1'))?.queued, ids.length)
      assert.equal(await storage.dead.count('alice', {}), 2)
    })

    it('leaves alone an older delivery that dies only after it was made', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const [older] = await enqueue(storage, [hook])
      const claimed = await claim(storage)
      const ids = await kill(storage, [hook])
      await create(storage)
      await settle(storage, claimed, deadOf(), { now: after(1) })
      assert.equal(await advance(storage, SECOND), 1)
      assert.deepEqual(idsOf(await claim(storage, { now: after(SECOND) })), ids)
      const left = await storage.dead.list('alice', {}, { limit: 10, before: null })
      assert.deepEqual(idsOf(left), [older])
    })

    it('is done at once when nothing matches', async () => {
      await using storage = await open()
      await addPeople(storage)
      await create(storage)
      assert.equal(await advance(storage), 0)
      assert.equal((await storage.dead.getReplay('alice', 'rpl_1'))?.status, 'done')
    })

    it('leaves out letters whose hook is gone or deleted, and counts them out', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook: kept } = await subscribe(storage)
      const { hook: deleted } = await subscribe(storage)
      await kill(storage, [kept, deleted], { count: 2 })
      await storage.hooks.remove('alice', deleted.id, NOON)
      assert.equal((await create(storage)).total, 2)
      assert.equal(await advance(storage), 2)
    })

    it('survives a restart, and never passes its rate with two at work', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await kill(storage, [hook], { count: 15 })
      await create(storage)
      await advance(storage)
      await using other = await openAgain()
      assert.equal((await other.dead.getReplay('alice', 'rpl_1'))?.queued, 10)
      const steps = await Promise.all([storage, other, storage, other].map((each) => advance(each, SECOND)))
      assert.equal(
        steps.reduce((sum, each) => sum + each),
        5,
      )
    })
  })

  describe('the status of a bulk replay', () => {
    it('goes from running to paused and back, and the place is kept', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await kill(storage, [hook], { count: 15 })
      await create(storage)
      await advance(storage)
      const paused = await storage.dead.setReplayStatus('alice', 'rpl_1', 'paused', NOON)
      assert.deepEqual([paused?.status, paused?.queued], ['paused', 10])
      assert.equal(await advance(storage, HOUR), 0)
      const running = await storage.dead.setReplayStatus('alice', 'rpl_1', 'running', after(HOUR))
      assert.equal(running?.status, 'running')
      assert.equal(await advance(storage, HOUR), 5)
    })

    it('cannot be used to pass its rate', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await kill(storage, [hook], { count: 15 })
      await create(storage)
      await advance(storage)
      await storage.dead.setReplayStatus('alice', 'rpl_1', 'running', NOON)
      assert.equal(await advance(storage), 0)
    })

    it('ends with a cancel; what was put back stays on the queue', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await kill(storage, [hook], { count: 15 })
      await create(storage)
      await advance(storage)
      const cancelled = await storage.dead.setReplayStatus('alice', 'rpl_1', 'cancelled', after(SECOND))
      assert.deepEqual([cancelled?.status, cancelled?.finishedAt], ['cancelled', after(SECOND)])
      assert.equal(await advance(storage, HOUR), 0)
      assert.equal((await claim(storage)).length, 10)
      assert.equal(await storage.dead.setReplayStatus('alice', 'rpl_1', 'running', NOON), null)
    })

    it('cannot be seen or changed by another account; the operator can', async () => {
      await using storage = await open()
      await addPeople(storage)
      await create(storage)
      await create(storage, { id: 'rpl_2', accountId: 'bob', createdAt: after(1) })
      assert.equal(await storage.dead.getReplay('bob', 'rpl_1'), null)
      assert.equal(await storage.dead.setReplayStatus('bob', 'rpl_1', 'cancelled', NOON), null)
      assert.equal(await storage.dead.setReplayStatus('alice', hash('none'), 'paused', NOON), null)
      const ids = async (accountId: string | null, limit = 10) =>
        (await storage.dead.listReplays(accountId, limit)).map(({ id }) => id)
      assert.deepEqual(await ids('alice'), ['rpl_1'])
      assert.deepEqual(await ids(null), ['rpl_2', 'rpl_1'])
      assert.deepEqual(await ids(null, 1), ['rpl_2'])
      assert.equal((await storage.dead.setReplayStatus(null, 'rpl_1', 'paused', NOON))?.status, 'paused')
    })
  })
}
