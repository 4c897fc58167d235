import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { NewReplay, Replay } from '../../port/dead-letters.ts'
import type { Storage } from '../../port/storage.ts'
import type { Engine } from '../harness.ts'
import { addPeople, after, HOUR, NOON, SECOND, subscribe } from '../samples.ts'
import { claim, DELIVERED, deadOf, enqueue, hash, idsOf, kill, settle } from './queue-samples.ts'

async function create(storage: Storage, given: Partial<NewReplay> = {}): Promise<Replay> {
  const { id = 'rpl_1', accountId = 'alice', filter = {}, ratePerSecond = 10, createdAt = NOON } = given
  const replay = { id, accountId, filter, ratePerSecond, createdAt }
  return (await storage.deadLetters.createReplays([replay]))[0] ?? assert.fail()
}

const advance = (storage: Storage, ms = 0) => storage.deadLetters.advanceReplays(after(ms), HOUR)

/** A hook of Alice with `count` dead letters. */
async function addDead(storage: Storage, count: number) {
  await addPeople(storage)
  const { hook } = await subscribe(storage)
  return { hook, ids: await kill(storage, [hook], { count }) }
}

/** Fifteen dead letters and a replay that has queued ten of them. */
async function createAdvanced(storage: Storage): Promise<void> {
  await addDead(storage, 15)
  await create(storage)
  await advance(storage)
}

export function replaysSuite({ open, openAgain }: Engine): void {
  describe('a bulk replay', () => {
    it('a bulk replay counts the matches at its creation', async () => {
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
      assert.deepEqual(await storage.deadLetters.getReplay('alice', 'rpl_1'), replay)
      assert.equal((await create(storage, { id: 'rpl_2' })).total, 6)
    })

    it('a bulk replay is stored with those of other accounts, and none is stored when one account has reached its limit', async () => {
      await using storage = await open()
      await addPeople(storage)
      const replayOf = (id: string, accountId: string) => ({
        id,
        accountId,
        filter: {},
        ratePerSecond: 1,
        createdAt: NOON,
      })
      const createBoth = (nth: number, max: number) =>
        storage.deadLetters.createReplays([replayOf(`b${nth}`, 'bob'), replayOf(`a${nth}`, 'alice')], max)
      assert.deepEqual(
        (await createBoth(1, 2)).map(({ accountId }) => accountId),
        ['bob', 'alice'],
      )
      await storage.deadLetters.createReplays([replayOf('a2', 'alice')], 2)
      await assert.rejects(createBoth(2, 2), { name: 'LimitReached', what: 'replays', max: 2 })
      const stored = async () => (await storage.deadLetters.listReplays(null, 10)).map(({ id }) => id).sort()
      assert.deepEqual(await stored(), ['a1', 'a2', 'b1'])
      await storage.deadLetters.setReplayStatus('alice', 'a1', 'paused', NOON)
      await assert.rejects(createBoth(2, 2), { name: 'LimitReached' })
      await storage.deadLetters.setReplayStatus('alice', 'a1', 'cancelled', NOON)
      await createBoth(3, 2)
      assert.deepEqual(await stored(), ['a1', 'a2', 'a3', 'b1', 'b3'])
    })

    it('a bulk replay queues the deliveries of one second at a time, and is done when all are queued', async () => {
      await using storage = await open()
      const { ids } = await addDead(storage, 25)
      await create(storage)
      assert.equal(await advance(storage), 10)
      assert.equal(await advance(storage, SECOND - 1), 0)
      assert.equal((await storage.maintenance.dueWork(NOON)).replayAt?.getTime(), after(SECOND).getTime())
      assert.equal(await advance(storage, SECOND), 10)
      assert.equal(await advance(storage, 2 * SECOND), 5)
      const replay = await storage.deadLetters.getReplay('alice', 'rpl_1')
      assert.deepEqual([replay?.status, replay?.queued, replay?.finishedAt], ['done', 25, after(2 * SECOND)])
      assert.equal((await storage.maintenance.dueWork(NOON)).replayAt, null)
      const claimed = await claim(storage, { now: after(HOUR) })
      assert.deepEqual(idsOf(claimed), ids)
      assert.deepEqual(new Set(claimed.map(({ replayId }) => replayId)), new Set(['rpl_1']))
    })

    it('a bulk replay slower than one per second queues one delivery at a time and waits longer', async () => {
      await using storage = await open()
      await addDead(storage, 2)
      await create(storage, { ratePerSecond: 0.5 })
      assert.equal(await advance(storage), 1)
      assert.equal(await advance(storage, 2 * SECOND - 1), 0)
      assert.equal(await advance(storage, 2 * SECOND), 1)
    })

    it('a bulk replay shows the outcomes of the deliveries that it queued', async () => {
      await using storage = await open()
      await addDead(storage, 4)
      await create(storage)
      await advance(storage)
      const [a, b, c] = await claim(storage)
      assert.ok(a && b && c)
      await settle(storage, [a, b], DELIVERED)
      await settle(storage, [c], deadOf(), { now: after(SECOND) })
      const { delivered, deadAgain, queued } = (await storage.deadLetters.getReplay('alice', 'rpl_1')) ?? {}
      assert.deepEqual({ delivered, deadAgain, queued }, { delivered: 2, deadAgain: 1, queued: 4 })
    })

    it('a bulk replay excludes later dead letters, even those that it had queued itself', async () => {
      await using storage = await open()
      const { hook, ids } = await addDead(storage, 3)
      await create(storage, { ratePerSecond: 1 })
      assert.equal(await advance(storage), 1)
      await settle(storage, await claim(storage), deadOf())
      await kill(storage, [hook], { at: after(1) })
      assert.equal(await advance(storage, SECOND), 1)
      assert.equal(await advance(storage, 2 * SECOND), 1)
      assert.equal(await advance(storage, 3 * SECOND), 0)
      assert.equal((await storage.deadLetters.getReplay('alice', 'rpl_1'))?.queued, ids.length)
      assert.equal(await storage.deadLetters.count('alice', {}), 2)
    })

    it('a bulk replay excludes an older delivery that becomes a dead letter after its creation', async () => {
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
      const left = await storage.deadLetters.list('alice', {}, { limit: 10, before: null })
      assert.deepEqual(idsOf(left), [older])
    })

    it('a bulk replay is done at once without matches', async () => {
      await using storage = await open()
      await addPeople(storage)
      await create(storage)
      assert.equal(await advance(storage), 0)
      assert.equal((await storage.deadLetters.getReplay('alice', 'rpl_1'))?.status, 'done')
    })

    it('a bulk replay excludes dead letters of gone or deleted hooks, and does not count them', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook: kept } = await subscribe(storage)
      const { hook: deleted } = await subscribe(storage)
      await kill(storage, [kept, deleted], { count: 2 })
      await storage.hooks.remove('alice', deleted.id, NOON)
      assert.equal((await create(storage)).total, 2)
      assert.equal(await advance(storage), 2)
    })

    it('a bulk replay survives a restart and keeps its rate with two nodes', async () => {
      await using storage = await open()
      await createAdvanced(storage)
      await using other = await openAgain()
      assert.equal((await other.deadLetters.getReplay('alice', 'rpl_1'))?.queued, 10)
      const steps = await Promise.all([storage, other, storage, other].map((each) => advance(each, SECOND)))
      assert.equal(
        steps.reduce((sum, each) => sum + each),
        5,
      )
    })
  })

  describe('the status of a bulk replay', () => {
    it('the status of a bulk replay changes from running to paused and back, with the same position', async () => {
      await using storage = await open()
      await createAdvanced(storage)
      const paused = await storage.deadLetters.setReplayStatus('alice', 'rpl_1', 'paused', NOON)
      assert.deepEqual([paused?.status, paused?.queued], ['paused', 10])
      assert.equal(await advance(storage, HOUR), 0)
      const running = await storage.deadLetters.setReplayStatus('alice', 'rpl_1', 'running', after(HOUR))
      assert.equal(running?.status, 'running')
      assert.equal(await advance(storage, HOUR), 5)
    })

    it('changes of the status of a bulk replay do not exceed its rate', async () => {
      await using storage = await open()
      await createAdvanced(storage)
      await storage.deadLetters.setReplayStatus('alice', 'rpl_1', 'running', NOON)
      assert.equal(await advance(storage), 0)
    })

    it('a bulk replay ends with a cancel, and queued deliveries stay queued', async () => {
      await using storage = await open()
      await createAdvanced(storage)
      const cancelled = await storage.deadLetters.setReplayStatus(
        'alice',
        'rpl_1',
        'cancelled',
        after(SECOND),
      )
      assert.deepEqual([cancelled?.status, cancelled?.finishedAt], ['cancelled', after(SECOND)])
      assert.equal(await advance(storage, HOUR), 0)
      assert.equal((await claim(storage)).length, 10)
      assert.equal(await storage.deadLetters.setReplayStatus('alice', 'rpl_1', 'running', NOON), null)
    })

    it('the status of a bulk replay is read and changed only by its account and the operator', async () => {
      await using storage = await open()
      await addPeople(storage)
      await create(storage)
      await create(storage, { id: 'rpl_2', accountId: 'bob', createdAt: after(1) })
      assert.equal(await storage.deadLetters.getReplay('bob', 'rpl_1'), null)
      assert.equal((await storage.deadLetters.getReplay(null, 'rpl_1'))?.accountId, 'alice')
      assert.equal(await storage.deadLetters.setReplayStatus('bob', 'rpl_1', 'cancelled', NOON), null)
      assert.equal(await storage.deadLetters.setReplayStatus('alice', hash('none'), 'paused', NOON), null)
      const ids = async (accountId: string | null, limit = 10) =>
        (await storage.deadLetters.listReplays(accountId, limit)).map(({ id }) => id)
      assert.deepEqual(await ids('alice'), ['rpl_1'])
      assert.deepEqual(await ids(null), ['rpl_2', 'rpl_1'])
      assert.deepEqual(await ids(null, 1), ['rpl_2'])
      assert.equal(
        (await storage.deadLetters.setReplayStatus(null, 'rpl_1', 'paused', NOON))?.status,
        'paused',
      )
    })
  })
}
