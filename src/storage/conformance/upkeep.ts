import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Engine } from './harness.ts'
import { claim, enqueue, kill, NO_CHANGE, retryAt, settle } from './queue-samples.ts'
import {
  addPeople,
  after,
  claimFeed,
  claimTexts,
  decideAll,
  HOUR,
  MINUTE,
  NOON,
  poll,
  reviewOf,
  SECOND,
  subscribe,
  takeOccurrences,
  visitOf,
} from './samples.ts'

export function upkeepSuite({ open }: Engine): void {
  describe('what is due', () => {
    it('is nothing in an empty database', async () => {
      await using storage = await open()
      assert.deepEqual(await storage.upkeep.dueWork(NOON), {
        pollAt: null,
        enrichAt: null,
        fanOutAt: null,
        sendAt: null,
        replayAt: null,
      })
    })

    it('is what comes first of each kind', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await subscribe(storage, {}, { store: 'google' })
      await subscribe(storage, {}, { eventType: 'rating.dropped', deltaMicros: 1 })
      const dueWork = () => storage.upkeep.dueWork(NOON)
      assert.equal((await dueWork()).pollAt?.getTime(), 0)
      for (const store of ['apple', 'google'] as const) {
        await poll(storage, await claimFeed(storage, { store }), [], { nextPollAt: after(2 * HOUR) })
      }
      await storage.feeds.commitTrouble([
        { ...visitOf(await claimFeed(storage, { kind: 'rating' })), nextPollAt: after(HOUR) },
      ])
      assert.deepEqual((await dueWork()).pollAt, after(HOUR))

      const review = reviewOf({ reviewId: 'a' })
      await storage.feeds.commitReviews(
        visitOf(await claimFeed(storage, { now: after(2 * HOUR) })),
        [review],
        false,
        { readyAt: after(MINUTE), enrich: true },
        (known) => ({ ...decideAll([review])(known), nextPollAt: new Date(0) }),
      )
      const waiting = await dueWork()
      assert.ok(waiting.enrichAt && waiting.enrichAt <= NOON)
      assert.deepEqual(waiting.fanOutAt, after(MINUTE))
      assert.equal(waiting.sendAt, null)
      await claimTexts(storage, NOON)
      assert.deepEqual((await dueWork()).enrichAt, after(MINUTE))
      await takeOccurrences(storage, after(MINUTE))
      assert.equal((await dueWork()).fanOutAt, null)

      await enqueue(storage, [hook], { at: after(2 * MINUTE) })
      assert.deepEqual((await dueWork()).sendAt, after(2 * MINUTE))
      await settle(storage, await claim(storage, { now: after(2 * MINUTE) }), retryAt(after(HOUR)))
      await claim(storage, { now: after(30 * MINUTE) })
      assert.deepEqual((await dueWork()).sendAt, after(HOUR))
    })
  })

  describe('the depths of the queues', () => {
    it('are counted, and what a pause holds apart', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook: open_ } = await subscribe(storage)
      const { hook: paused } = await subscribe(storage)
      await kill(storage, [open_], { count: 4 })
      const resolved = await kill(storage, [open_], { count: 1 })
      await storage.dead.discard('alice', resolved, NOON)
      await enqueue(storage, [paused], { count: 2, at: after(-HOUR) })
      await storage.hooks.setStatus('alice', paused.id, 'paused', NOON)
      await enqueue(storage, [open_], { count: 3, at: after(SECOND) })
      assert.deepEqual(await storage.upkeep.depths(after(SECOND)), {
        pending: 3,
        held: 2,
        dead: 4,
        oldestDueAt: after(SECOND),
        waitingForEnrichment: 0,
        waitingForFanOut: 0,
        breakersOpen: 0,
      })
    })

    it('date the oldest delivery that could have been sent: not one that waits for a breaker or a rate limit', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook: broken } = await subscribe(storage)
      const { hook: limited } = await subscribe(storage)
      const { hook: well } = await subscribe(storage)
      await enqueue(storage, [broken, limited], { count: 2, at: after(-HOUR) })
      const oldest = async () => (await storage.upkeep.depths(NOON)).oldestDueAt
      assert.deepEqual(await oldest(), after(-HOUR))
      const [tried] = (await claim(storage)).filter(({ hookId }) => hookId === broken.id)
      assert.ok(tried)
      await settle(storage, [tried], retryAt(after(-MINUTE)), {
        change: { ...NO_CHANGE, notBefore: after(HOUR) },
      })
      assert.deepEqual(await oldest(), after(MINUTE), 'what a lease holds is due when it ends')
      await claim(storage, { now: after(2 * MINUTE) }, ({ hookId }) =>
        hookId === limited.id ? { take: 0, notBefore: after(3 * MINUTE) } : assert.fail('it waits'),
      )
      assert.deepEqual(await oldest(), after(3 * MINUTE))
      await enqueue(storage, [well], { at: after(5 * MINUTE) })
      assert.deepEqual(await oldest(), after(3 * MINUTE))
      await storage.hooks.setStatus('alice', limited.id, 'paused', NOON)
      assert.deepEqual(await oldest(), after(5 * MINUTE))
      await storage.hooks.setStatus('alice', well.id, 'paused', NOON)
      assert.deepEqual(await oldest(), after(HOUR))
    })

    it('are nothing when nothing waits', async () => {
      await using storage = await open()
      assert.deepEqual(await storage.upkeep.depths(NOON), {
        pending: 0,
        held: 0,
        dead: 0,
        oldestDueAt: null,
        waitingForEnrichment: 0,
        waitingForFanOut: 0,
        breakersOpen: 0,
      })
    })

    it('count texts and occurrences that wait, also those being worked on', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      const reviews = ['a', 'b', 'c'].map((reviewId) => reviewOf({ reviewId }))
      await poll(storage, await claimFeed(storage), reviews, {
        wish: { readyAt: after(MINUTE), enrich: true },
      })
      await storage.occurrences.claimForEnrichment({ now: NOON, limit: 1, lease: 'one', leaseMs: MINUTE })
      const { waitingForEnrichment, waitingForFanOut } = await storage.upkeep.depths(NOON)
      assert.deepEqual([waitingForEnrichment, waitingForFanOut], [3, 3])
    })

    it('count a breaker as open until its wait is over or it was told closed', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook: broken } = await subscribe(storage)
      const { hook: limited } = await subscribe(storage)
      await enqueue(storage, [broken, limited], { count: 2 })
      const claimed = await claim(storage)
      const of = (hookId: string) => claimed.filter((delivery) => delivery.hookId === hookId)
      const wait = { ...NO_CHANGE, notBefore: after(MINUTE) }
      await settle(storage, of(limited.id), retryAt(NOON), { change: wait })
      await settle(storage, of(broken.id).slice(0, 1), retryAt(NOON), {
        change: { ...wait, notices: [{ kind: 'breaker_opened', detail: '' }] },
      })
      const breakers = async (now: Date) => (await storage.upkeep.depths(now)).breakersOpen
      assert.equal(await breakers(NOON), 1)
      assert.equal(await breakers(after(MINUTE)), 0)
      await settle(storage, of(broken.id).slice(1), retryAt(NOON), {
        change: { ...NO_CHANGE, notices: [{ kind: 'breaker_closed', detail: '' }] },
      })
      assert.equal(await breakers(NOON), 0)
    })
  })

  describe('notices', () => {
    it('come newest first, of one account, of one hook if asked', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook: one } = await subscribe(storage)
      const { hook: two } = await subscribe(storage)
      const { hook: bobs } = await subscribe(storage, { accountId: 'bob' })
      for (const hook of [one, two, bobs, one]) {
        await enqueue(storage, [hook])
        await settle(storage, await claim(storage), retryAt(after(HOUR)), {
          change: { ...NO_CHANGE, notices: [{ kind: 'failing', detail: hook.id }] },
        })
      }
      const details = async (accountId: string, filter: { hookId?: string; limit: number }) =>
        (await storage.upkeep.notices(accountId, filter)).map(({ detail }) => detail)
      assert.deepEqual(await details('alice', { limit: 10 }), [one.id, two.id, one.id])
      assert.deepEqual(await details('alice', { limit: 2 }), [one.id, two.id])
      assert.deepEqual(await details('alice', { hookId: two.id, limit: 10 }), [two.id])
      assert.deepEqual(await details('alice', { hookId: bobs.id, limit: 10 }), [])
      assert.deepEqual(await details('bob', { limit: 10 }), [bobs.id])
    })
  })

  describe('nodes', () => {
    it('are known from their heartbeat until they leave', async () => {
      await using storage = await open()
      const one = {
        id: 'one',
        version: '1.0.0',
        roles: ['api', 'send'],
        startedAt: NOON,
        seenAt: NOON,
        skewMs: null,
      }
      const two = { ...one, id: 'two', startedAt: after(-1), roles: [], skewMs: -120_000 }
      await storage.upkeep.heartbeat(one)
      await storage.upkeep.heartbeat(two)
      await storage.upkeep.heartbeat({ ...one, seenAt: after(SECOND) })
      assert.deepEqual(await storage.upkeep.nodes(), [two, { ...one, seenAt: after(SECOND) }])
      await storage.upkeep.removeNode('one')
      assert.deepEqual(await storage.upkeep.nodes(), [two])
    })
  })

  describe('the engine', () => {
    it('answers, and tells its size', async () => {
      await using storage = await open()
      assert.equal(await storage.upkeep.ping(), true)
      assert.ok((await storage.upkeep.sizeBytes()) > 10_000)
    })

    it('that is closed does not answer, and says so without a throw', async () => {
      const storage = await open()
      await storage[Symbol.asyncDispose]()
      assert.equal(await storage.upkeep.ping(), false)
    })
  })
}
