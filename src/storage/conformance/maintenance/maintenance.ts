import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { NOTHING_DUE } from '../../../../test/support/due-work.ts'
import { type Instant, instantOf } from '../../../runtime/instant.ts'
import type { Engine } from '../harness.ts'
import { claim, enqueue, kill, NO_CHANGE, retryAt, settle } from '../queue/queue-samples.ts'
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
  pollOf,
  reviewOf,
  SECOND,
  subscribe,
  takeOccurrences,
} from '../samples.ts'

export function maintenanceSuite({ open, openAgain }: Engine): void {
  describe('due work', () => {
    it('due work is empty in an empty database', async () => {
      await using storage = await open()
      assert.deepEqual(await storage.maintenance.dueWork(NOON), NOTHING_DUE)
    })

    it('the due work of each kind is its earliest instant', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await subscribe(storage, {}, { store: 'google' })
      await subscribe(storage, {}, { eventType: 'rating.dropped', deltaMicros: 1 })
      const dueWork = () => storage.maintenance.dueWork(NOON)
      const fresh = new Date(0)
      assert.deepEqual((await dueWork()).polls, {
        'apple.reviews': fresh,
        'apple.rating': fresh,
        'google.reviews': fresh,
        'google.rating': null,
      })
      for (const store of ['apple', 'google'] as const) {
        await poll(storage, await claimFeed(storage, { store }), [], { nextPollAt: after(2 * HOUR) })
      }
      await storage.feeds.commitFailures([
        { ...pollOf(await claimFeed(storage, { kind: 'rating' })), nextPollAt: after(HOUR) },
      ])
      assert.deepEqual((await dueWork()).polls, {
        'apple.reviews': after(2 * HOUR),
        'apple.rating': after(HOUR),
        'google.reviews': after(2 * HOUR),
        'google.rating': null,
      })

      const review = reviewOf({ reviewId: 'a' })
      await storage.feeds.commitReviews(
        pollOf(await claimFeed(storage, { now: after(2 * HOUR) })),
        [review],
        false,
        { readyAt: after(MINUTE), enrich: true },
        (known) => ({ ...decideAll([review])(known), nextPollAt: instantOf(0) }),
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
    it('the depths of the queues are counted, with separate counts for deliveries of paused hooks', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook: open_ } = await subscribe(storage)
      const { hook: paused } = await subscribe(storage)
      await kill(storage, [open_], { count: 4 })
      const resolved = await kill(storage, [open_], { count: 1 })
      await storage.deadLetters.discard('alice', resolved, NOON)
      await enqueue(storage, [paused], { count: 2, at: after(-HOUR) })
      await storage.hooks.setStatus('alice', paused.id, 'paused', NOON)
      await enqueue(storage, [open_], { count: 3, at: after(SECOND) })
      assert.deepEqual(await storage.maintenance.depths(after(SECOND)), {
        pending: 3,
        held: 2,
        dead: 4,
        oldestDueAt: after(SECOND),
        waitingForEnrichment: 0,
        waitingForFanOut: 0,
        breakersOpen: 0,
      })
    })

    it('the depths of the queues contain the due time of the oldest sendable delivery, without those held back by a breaker or a rate limit', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook: broken } = await subscribe(storage)
      const { hook: limited } = await subscribe(storage)
      const { hook: well } = await subscribe(storage)
      await enqueue(storage, [broken, limited], { count: 2, at: after(-HOUR) })
      const oldest = async () => (await storage.maintenance.depths(NOON)).oldestDueAt
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

    it('the depths of the queues are zero without pending work', async () => {
      await using storage = await open()
      assert.deepEqual(await storage.maintenance.depths(NOON), {
        pending: 0,
        held: 0,
        dead: 0,
        oldestDueAt: null,
        waitingForEnrichment: 0,
        waitingForFanOut: 0,
        breakersOpen: 0,
      })
    })

    it('the depths of the queues count queued texts and occurrences, including leased ones', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      const reviews = ['a', 'b', 'c'].map((reviewId) => reviewOf({ reviewId }))
      await poll(storage, await claimFeed(storage), reviews, {
        enrichment: { readyAt: after(MINUTE), enrich: true },
      })
      await storage.occurrences.claimForEnrichment({ now: NOON, limit: 1, lease: 'one', leaseMs: MINUTE })
      const { waitingForEnrichment, waitingForFanOut } = await storage.maintenance.depths(NOON)
      assert.deepEqual([waitingForEnrichment, waitingForFanOut], [3, 3])
    })

    it('the depths of the queues count a breaker as open until its time is over or it is reported as closed', async () => {
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
      const breakers = async (now: Instant) => (await storage.maintenance.depths(now)).breakersOpen
      assert.equal(await breakers(NOON), 1)
      assert.equal(await breakers(after(MINUTE)), 0)
      await settle(storage, of(broken.id).slice(1), retryAt(NOON), {
        change: { ...NO_CHANGE, notices: [{ kind: 'breaker_closed', detail: '' }] },
      })
      assert.equal(await breakers(NOON), 0)
    })
  })

  describe('notices', () => {
    it('notices are newest first, of one account, and of one hook on request', async () => {
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
        (await storage.maintenance.notices(accountId, filter)).map(({ detail }) => detail)
      assert.deepEqual(await details('alice', { limit: 10 }), [one.id, two.id, one.id])
      assert.deepEqual(await details('alice', { limit: 2 }), [one.id, two.id])
      assert.deepEqual(await details('alice', { hookId: two.id, limit: 10 }), [two.id])
      assert.deepEqual(await details('alice', { hookId: bobs.id, limit: 10 }), [])
      assert.deepEqual(await details('bob', { limit: 10 }), [bobs.id])
    })

    it('notices name their hook until it is deleted', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage, { name: 'Support' })
      await enqueue(storage, [hook])
      await settle(storage, await claim(storage), retryAt(after(HOUR)), {
        change: { ...NO_CHANGE, notices: [{ kind: 'failing', detail: '' }] },
      })
      const named = async () =>
        (await storage.maintenance.notices('alice', { limit: 10 })).map((notice) => notice.hook)
      assert.deepEqual(await named(), [{ name: 'Support', targetUrl: hook.targetUrl }])
      await storage.hooks.remove('alice', hook.id, after(HOUR))
      assert.deepEqual(await named(), [null])
    })
  })

  describe('nodes', () => {
    it('nodes are listed from their first heartbeat until their removal', async () => {
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
      await storage.maintenance.heartbeat(one)
      await storage.maintenance.heartbeat(two)
      await storage.maintenance.heartbeat({ ...one, seenAt: after(SECOND) })
      assert.deepEqual(await storage.maintenance.nodes(), [two, { ...one, seenAt: after(SECOND) }])
      await storage.maintenance.removeNode('one')
      assert.deepEqual(await storage.maintenance.nodes(), [two])
    })
  })

  describe('the engine', () => {
    it('the engine responds and has a size', async () => {
      await using storage = await open()
      assert.equal(await storage.maintenance.ping(), true)
      assert.ok((await storage.maintenance.sizeBytes()) > 10_000)
    })

    it('the engine reports itself unavailable after it is closed', async () => {
      await using _ = await open()
      const storage = await openAgain()
      await storage[Symbol.asyncDispose]()
      assert.equal(await storage.maintenance.ping(), false)
    })
  })
}
