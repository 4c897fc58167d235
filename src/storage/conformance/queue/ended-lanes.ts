import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Storage } from '../../port/storage.ts'
import type { Engine } from '../harness.ts'
import { addPeople, after, HOUR, MINUTE, NOON, SECOND, subscribe } from '../samples.ts'
import {
  claim,
  claimTwo,
  DELIVERED,
  EXPIRE_AFTER_MS,
  enqueue,
  idsOf,
  NO_CHANGE,
  retryAt,
  settle,
} from './queue-samples.ts'

const OPEN_BREAKER = { ...NO_CHANGE, notBefore: after(1_000 * HOUR) }

/** Claims one delivery and settles it as answered with 410. */
async function turnOff(storage: Storage): Promise<void> {
  await settle(storage, await claim(storage, { limit: 1 }), retryAt(NOON), {
    change: { ...NO_CHANGE, gone: true },
  })
}

async function statuses(storage: Storage): Promise<string[]> {
  const views = await storage.deliveries.list('alice', {}, { limit: 100, before: null })
  return views.map(({ status, deadReason }) => (deadReason === null ? status : `${status} ${deadReason}`))
}

export function endedLanesSuite({ open }: Engine): void {
  describe('a paused hook', () => {
    it('a paused hook holds its deliveries, including those queued during the pause, and resume releases them in order', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const before = await enqueue(storage, [hook], { count: 2 })
      await storage.hooks.setStatus('alice', hook.id, 'paused', NOON)
      const meanwhile = await enqueue(storage, [hook], { count: 2, at: after(SECOND) })
      assert.deepEqual(await claim(storage, { now: after(HOUR) }), [])
      assert.equal((await storage.maintenance.dueWork(NOON)).sendAt, null)
      await storage.hooks.setStatus('alice', hook.id, 'active', after(HOUR))
      assert.deepEqual(idsOf(await claim(storage, { now: after(HOUR) })), [...before, ...meanwhile])
    })

    it('a paused hook holds the retry of a delivery that was under way when the pause began', async () => {
      await using storage = await open()
      const { hook, ids, first, second } = await claimTwo(storage)
      await storage.hooks.setStatus('alice', hook.id, 'paused', NOON)
      await settle(storage, [first], retryAt(after(SECOND)))
      await storage.deliveries.release([second])
      assert.deepEqual(await claim(storage, { now: after(HOUR) }), [])
      await storage.hooks.setStatus('alice', hook.id, 'active', after(HOUR))
      assert.deepEqual(idsOf(await claim(storage, { now: after(HOUR) })), [...ids].reverse())
    })

    it('a paused hook does not shorten a wait of the sender', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await enqueue(storage, [hook])
      await claim(storage, {}, () => ({ take: 0, notBefore: after(MINUTE) }))
      await storage.hooks.setStatus('alice', hook.id, 'paused', NOON)
      await storage.hooks.setStatus('alice', hook.id, 'active', NOON)
      assert.deepEqual(await claim(storage, { now: after(MINUTE - 1) }), [])
      assert.equal((await claim(storage, { now: after(MINUTE) })).length, 1)
    })
  })

  describe('a hook that is gone', () => {
    it('a hook that is gone is not claimed, and its pending deliveries become dead letters in batches', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await enqueue(storage, [hook], { count: 6 })
      await turnOff(storage)
      assert.deepEqual(await claim(storage, { now: after(HOUR) }), [])
      assert.deepEqual(await storage.deliveries.sweepEnded(NOON, 3), { dead: 3, dropped: 0 })
      assert.deepEqual(await storage.deliveries.sweepEnded(NOON, 3), { dead: 2, dropped: 0 })
      assert.deepEqual(await storage.deliveries.sweepEnded(after(HOUR), 3), { dead: 0, dropped: 0 })
      assert.deepEqual(await statuses(storage), Array(6).fill('dead gone'))
    })

    it('a hook that is gone leaves deliveries under way to their sender, or to a sweep after its crash', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await enqueue(storage, [hook], { count: 3 })
      const [ended, sent, lost] = await claim(storage)
      assert.ok(ended && sent && lost)
      await settle(storage, [ended], retryAt(NOON), { change: { ...NO_CHANGE, gone: true } })
      assert.deepEqual(await storage.deliveries.sweepEnded(NOON, 10), { dead: 0, dropped: 0 })
      await settle(storage, [sent], DELIVERED)
      assert.deepEqual(await storage.deliveries.sweepEnded(after(MINUTE - 1), 10), { dead: 0, dropped: 0 })
      assert.deepEqual(await storage.deliveries.sweepEnded(after(MINUTE), 10), { dead: 1, dropped: 0 })
      assert.deepEqual(await statuses(storage), ['dead gone', 'delivered', 'dead gone'])
    })

    it('a hook that is gone releases deliveries that were not swept when it is resumed', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const ids = await enqueue(storage, [hook], { count: 4 })
      await turnOff(storage)
      assert.deepEqual(await storage.deliveries.sweepEnded(NOON, 1), { dead: 1, dropped: 0 })
      await storage.hooks.setStatus('alice', hook.id, 'active', NOON)
      assert.deepEqual(await storage.deliveries.sweepEnded(after(HOUR), 10), { dead: 0, dropped: 0 })
      assert.deepEqual(idsOf(await claim(storage)), ids.slice(2))
    })

    it('a hook that is gone stays gone when another attempt has the same result', async () => {
      await using storage = await open()
      const { hook, first, second } = await claimTwo(storage)
      await settle(storage, [first], retryAt(NOON), { change: { ...NO_CHANGE, gone: true } })
      await settle(storage, [second], retryAt(NOON), { change: { ...NO_CHANGE, gone: true } })
      assert.equal((await storage.hooks.get('alice', hook.id))?.status, 'gone')
      assert.deepEqual(await statuses(storage), ['dead gone', 'dead gone'])
    })
  })

  describe('a deleted hook', () => {
    it('a deleted hook is not claimed, and only its pending deliveries are deleted', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const { hook: kept } = await subscribe(storage)
      const [delivered, dropped] = await enqueue(storage, [hook], { count: 2 })
      const [other] = await enqueue(storage, [kept])
      const claimed = await claim(storage)
      await settle(
        storage,
        claimed.filter(({ eventId }) => eventId === delivered),
        DELIVERED,
      )
      await settle(
        storage,
        claimed.filter(({ eventId }) => eventId === dropped),
        retryAt(NOON),
      )
      await storage.deliveries.release(claimed.filter(({ eventId }) => eventId === other))
      await storage.hooks.remove('alice', hook.id, NOON)
      assert.deepEqual(idsOf(await claim(storage, { now: after(HOUR) })), [other])
      assert.deepEqual(await storage.deliveries.sweepEnded(NOON, 10), { dead: 0, dropped: 1 })
      assert.equal(await storage.deliveries.get('alice', dropped ?? ''), null)
      assert.deepEqual(await storage.deliveries.attempts('alice', dropped ?? ''), [])
      const view = await storage.deliveries.get('alice', delivered ?? '')
      assert.deepEqual([view?.status, view?.hookStatus], ['delivered', 'deleted'])
    })
  })

  describe('a delivery postponed beyond its end', () => {
    it('a delivery postponed beyond its end becomes a dead letter while its lane waits, with or without an attempt', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const old = await enqueue(storage, [hook], { count: 3 })
      const young = await enqueue(storage, [hook], { count: 1, at: after(HOUR) })
      await settle(storage, await claim(storage, { limit: 1 }), retryAt(after(HOUR)), {
        change: OPEN_BREAKER,
      })
      const end = after(EXPIRE_AFTER_MS)
      assert.equal(await storage.deliveries.sweepExpired(after(EXPIRE_AFTER_MS - 1), EXPIRE_AFTER_MS, 10), 0)
      assert.equal(await storage.deliveries.sweepExpired(end, EXPIRE_AFTER_MS, 2), 2)
      assert.equal(await storage.deliveries.sweepExpired(end, EXPIRE_AFTER_MS, 10), 1)
      assert.equal(await storage.deliveries.sweepExpired(end, EXPIRE_AFTER_MS, 10), 0)
      const reasons = await Promise.all(
        [...old, ...young].map(async (id) => (await storage.deliveries.get('alice', id))?.deadReason),
      )
      assert.deepEqual(reasons, ['expired', 'expired', 'expired', null])
    })

    it('a delivery postponed beyond its end gets an attempt instead when its lane may send', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await enqueue(storage, [hook], { count: 2 })
      await settle(storage, await claim(storage, { limit: 1 }), retryAt(after(HOUR)))
      const end = after(EXPIRE_AFTER_MS + HOUR)
      assert.equal(await storage.deliveries.sweepExpired(end, EXPIRE_AFTER_MS, 10), 0)
      assert.equal((await claim(storage, { now: end })).length, 2)
    })

    it('a delivery postponed beyond its end is held by a pause and does not expire', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await enqueue(storage, [hook], { count: 2 })
      await settle(storage, await claim(storage, { limit: 1 }), retryAt(after(HOUR)), {
        change: OPEN_BREAKER,
      })
      await storage.hooks.setStatus('alice', hook.id, 'paused', NOON)
      assert.equal(
        await storage.deliveries.sweepExpired(after(EXPIRE_AFTER_MS + HOUR), EXPIRE_AFTER_MS, 10),
        0,
      )
    })

    it('a delivery postponed beyond its end has the full retry time again after its pause', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await enqueue(storage, [hook], { count: 2 })
      await settle(storage, await claim(storage, { limit: 1 }), retryAt(after(HOUR)), {
        change: OPEN_BREAKER,
      })
      await storage.hooks.setStatus('alice', hook.id, 'paused', NOON)
      const resumedMs = EXPIRE_AFTER_MS + HOUR
      await storage.hooks.setStatus('alice', hook.id, 'active', after(resumedMs))
      const end = after(resumedMs + EXPIRE_AFTER_MS)
      assert.equal(
        await storage.deliveries.sweepExpired(after(end.getTime() - NOON.getTime() - 1), EXPIRE_AFTER_MS, 10),
        0,
      )
      assert.equal(await storage.deliveries.sweepExpired(end, EXPIRE_AFTER_MS, 10), 2)
    })

    it('a delivery postponed beyond its end does not expire because of a slow rate limit or during a probe', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await enqueue(storage, [hook], { count: 2 })
      await settle(storage, await claim(storage, { limit: 1 }), retryAt(after(HOUR)))
      const end = after(EXPIRE_AFTER_MS)
      await claim(storage, { now: end }, () => ({ take: 0, notBefore: after(1_000 * HOUR) }))
      assert.equal(await storage.deliveries.sweepExpired(end, EXPIRE_AFTER_MS, 10), 0)
    })

    it('a delivery postponed beyond its end expires later by the time that Retry-After added', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await enqueue(storage, [hook], { count: 2 })
      const next = { ...retryAt(after(HOUR)), lengthenedByMs: HOUR }
      await settle(storage, await claim(storage, { limit: 1 }), next, { change: OPEN_BREAKER })
      assert.equal(await storage.deliveries.sweepExpired(after(EXPIRE_AFTER_MS), EXPIRE_AFTER_MS, 10), 1)
      assert.equal(
        await storage.deliveries.sweepExpired(after(EXPIRE_AFTER_MS + HOUR - 1), EXPIRE_AFTER_MS, 10),
        0,
      )
      assert.equal(
        await storage.deliveries.sweepExpired(after(EXPIRE_AFTER_MS + HOUR), EXPIRE_AFTER_MS, 10),
        1,
      )
    })
  })
}
