import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { DeliveryFilter } from '../../port/deliveries.ts'
import type { Storage } from '../../port/storage.ts'
import type { Engine } from '../harness.ts'
import {
  addPeople,
  after,
  claimFeed,
  decideAll,
  HOUR,
  MINUTE,
  NO_ENRICHMENT,
  NOON,
  poll,
  pollOf,
  reviewOf,
  SECOND,
  stars,
  subscribe,
  takeOccurrences,
} from '../samples.ts'
import {
  attemptOf,
  claim,
  DELIVERED,
  deadOf,
  enqueue,
  eventOf,
  idsOf,
  kill,
  NO_CHANGE,
  retryAt,
  settle,
  settledOf,
  testOf,
} from './queue-samples.ts'

const ALL = { limit: 100, before: null }

async function listed(storage: Storage, filter: DeliveryFilter, accountId = 'alice'): Promise<string[]> {
  return idsOf(await storage.deliveries.list(accountId, filter, ALL))
}

export function deliveriesSuite({ open }: Engine): void {
  describe('a delivery', () => {
    it('a delivery has the market of its occurrence', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      const review = reviewOf({ reviewId: 'market' })
      await poll(storage, await claimFeed(storage), [review])
      assert.deepEqual(
        await storage.deliveries.markets([review.fingerprint, '0'.repeat(64), 'x']),
        new Map([[review.fingerprint, 'us']]),
      )
    })

    it('a delivery can be read with its hook and its bytes', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const [eventId = ''] = await enqueue(storage, [hook])
      const view = await storage.deliveries.get('alice', eventId)
      assert.ok(view)
      assert.deepEqual(view, {
        seq: view.seq,
        eventId,
        occurrenceId: view.occurrenceId,
        accountId: 'alice',
        hookId: hook.id,
        eventType: 'review.created',
        store: 'apple',
        appId: '1',
        status: 'pending',
        attempts: 0,
        createdAt: NOON,
        dueAt: NOON,
        deliveredAt: null,
        deadAt: null,
        deadReason: null,
        lastHttpStatus: null,
        lastReason: null,
        resolvedAt: null,
        hookStatus: 'active',
        hookName: null,
        targetType: 'webhook',
        targetUrl: 'https://example.com/hook',
        body: `body of ${eventId}`,
      })
      assert.match(view.occurrenceId, /^[0-9a-f]{64}$/)
      assert.deepEqual(await storage.deliveries.list('alice', {}, ALL), [view])
    })

    it('a delivery is not found for another account or by an invalid id', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const [eventId = ''] = await enqueue(storage, [hook])
      await settle(storage, await claim(storage), DELIVERED)
      assert.equal((await storage.deliveries.attempts('alice', eventId)).length, 1)
      for (const [accountId, id] of [
        ['bob', eventId],
        ['alice', eventId.slice(0, 63)],
        ['alice', `${eventId}zz`],
        ['alice', eventId.toUpperCase()],
        ['alice', "' or 1 = 1"],
        ['alice', ''],
      ] as const) {
        assert.equal(await storage.deliveries.get(accountId, id), null)
        assert.deepEqual(await storage.deliveries.attempts(accountId, id), [])
      }
      assert.deepEqual(await listed(storage, {}, 'bob'), [])
      assert.deepEqual(await listed(storage, { hookId: hook.id }, 'bob'), [])
    })
  })

  describe('a list of deliveries', () => {
    it('a list of deliveries is newest first, in pages', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const ids = (await enqueue(storage, [hook], { count: 5 })).reverse()
      const first = await storage.deliveries.list('alice', {}, { limit: 2, before: null })
      assert.deepEqual(idsOf(first), ids.slice(0, 2))
      const before = first.at(-1)?.seq ?? 0
      const second = await storage.deliveries.list('alice', {}, { limit: 2, before })
      assert.deepEqual(idsOf(second), ids.slice(2, 4))
      const third = await storage.deliveries.list('alice', {}, { limit: 2, before: second.at(-1)?.seq ?? 0 })
      assert.deepEqual(idsOf(third), ids.slice(4))
    })

    it('a list of deliveries is oldest first, in pages after a row', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const ids: (string | undefined)[] = []
      for (let at = 0; at < 5; at += 1) {
        ids.push(...(await enqueue(storage, [hook], { at: after(at * SECOND) })))
      }
      const read = (filter: object, limit: number, last: number | null) =>
        storage.deliveries.list('alice', filter, { limit, after: last })
      const [first, second] = [await read({}, 2, null), await read({ hookId: hook.id }, 9, 0)]
      assert.deepEqual(
        first.map(({ eventId }) => eventId),
        ids.slice(0, 2),
      )
      assert.deepEqual(
        second.map(({ eventId }) => eventId),
        ids,
      )
      const rest = await read({ status: 'pending' }, 9, first.at(-1)?.seq ?? 0)
      assert.deepEqual(
        rest.map(({ eventId }) => eventId),
        ids.slice(2),
      )
      assert.deepEqual(await read({ status: 'dead' }, 9, null), [])
    })

    it('a list of deliveries is filtered by hook, status, reason, HTTP status and time', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const { hook: other } = await subscribe(storage)
      const [dead] = await kill(storage, [hook], { reason: 'blocked_address' })
      const [retried] = await enqueue(storage, [hook], { at: after(SECOND) })
      await settle(storage, await claim(storage, { now: after(SECOND) }), retryAt(after(HOUR)))
      const [delivered] = await enqueue(storage, [hook], { at: after(2 * SECOND) })
      await settle(storage, await claim(storage, { now: after(2 * SECOND) }), DELIVERED)
      const [waiting] = await enqueue(storage, [other], { at: after(3 * SECOND) })

      assert.deepEqual(await listed(storage, { hookId: hook.id }), [delivered, retried, dead])
      assert.deepEqual(await listed(storage, { status: 'pending' }), [waiting, retried])
      assert.deepEqual(await listed(storage, { status: 'delivered' }), [delivered])
      assert.deepEqual(await listed(storage, { reason: 'blocked_address' }), [dead])
      assert.deepEqual(await listed(storage, { reason: 'http_status' }), [retried, dead])
      assert.deepEqual(await listed(storage, { httpStatus: 200 }), [delivered])
      assert.deepEqual(await listed(storage, { since: after(SECOND), until: after(3 * SECOND) }), [
        delivered,
        retried,
      ])
      assert.deepEqual(await listed(storage, { hookId: hook.id, status: 'pending', httpStatus: 500 }), [
        retried,
      ])
      assert.deepEqual(await listed(storage, { status: 'no such status' }), [])
    })

    it('a list of deliveries can be limited to paused hooks', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook: paused } = await subscribe(storage)
      const { hook: active } = await subscribe(storage)
      const [held] = await enqueue(storage, [paused])
      await enqueue(storage, [active])
      await storage.hooks.setStatus('alice', paused.id, 'paused', NOON)
      assert.deepEqual(await listed(storage, { ofPausedHooks: true, status: 'pending' }), [held])
      assert.deepEqual(await listed(storage, { ofPausedHooks: true, status: 'dead' }), [])
    })

    it('a list of deliveries is filtered by app, store, type and occurrence', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await subscribe(storage, {}, { store: 'google', appId: 'org.example' })
      await subscribe(storage, {}, { eventType: 'rating.dropped', deltaMicros: 1 })
      const apple = reviewOf({ reviewId: 'a' })
      const google = reviewOf({ reviewId: 'a', store: 'google', appId: 'org.example', market: 'en' })
      for (const review of [apple, google]) {
        const feed = await claimFeed(storage, { store: review.store })
        await storage.feeds.commitReviews(pollOf(feed), [review], false, NO_ENRICHMENT, decideAll([review]))
      }
      const rating = await claimFeed(storage, { kind: 'rating' })
      const drop = {
        occurrenceId: reviewOf({ reviewId: 'x' }).fingerprint,
        previous: stars(5),
        current: stars(4),
      }
      await storage.feeds.commitRatings([{ ...pollOf(rating), rating: drop.current }], () => ({
        baseline: drop.current,
        drop,
        nextPollAt: after(HOUR),
        intervalMs: HOUR,
      }))
      await storage.occurrences.fanOut({ now: NOON, limit: 10, expireAfterMs: HOUR }, ({ occurrenceId }) => [
        eventOf(hook, occurrenceId),
      ])
      const idOf = (occurrenceId: string) => eventOf(hook, occurrenceId).eventId
      const [ofApple, ofGoogle, ofDrop] = [apple.fingerprint, google.fingerprint, drop.occurrenceId].map(idOf)

      assert.deepEqual(await listed(storage, {}), [ofDrop, ofGoogle, ofApple])
      assert.deepEqual(await listed(storage, { store: 'apple' }), [ofDrop, ofApple])
      assert.deepEqual(await listed(storage, { appId: 'org.example' }), [ofGoogle])
      assert.deepEqual(await listed(storage, { eventType: 'rating.dropped' }), [ofDrop])
      assert.deepEqual(await listed(storage, { occurrenceId: google.fingerprint }), [ofGoogle])
      assert.deepEqual(await listed(storage, { occurrenceId: 'none' }), [])
    })

    it('a list of deliveries has the status of the hook', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook: paused } = await subscribe(storage)
      const { hook: deleted } = await subscribe(storage)
      await enqueue(storage, [paused, deleted])
      await storage.hooks.setStatus('alice', paused.id, 'paused', NOON)
      await storage.hooks.remove('alice', deleted.id, NOON)
      const views = await storage.deliveries.list('alice', {}, ALL)
      assert.deepEqual(
        views.map(({ hookStatus }) => hookStatus),
        ['deleted', 'paused'],
      )
    })

    it('a list of deliveries shows the next attempt of a delivery while the breaker of its hook is open', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await enqueue(storage, [hook], { count: 2 })
      const [delivery] = await claim(storage, { limit: 1 })
      assert.ok(delivery)
      const resting = { ...NO_CHANGE, notBefore: after(MINUTE) }
      await storage.deliveries.settle([settledOf(delivery, retryAt(after(HOUR)))], NOON, () => resting)
      const views = await storage.deliveries.list('alice', {}, ALL)
      assert.deepEqual(
        views.map(({ attempts, dueAt }) => [attempts, dueAt]),
        [
          [0, after(MINUTE)],
          [1, after(HOUR)],
        ],
      )
    })

    it('a list of deliveries shows the end of the lease of a delivery under way', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await enqueue(storage, [hook])
      const [delivery] = await claim(storage, { leaseMs: HOUR })
      assert.ok(delivery)
      const [view] = await storage.deliveries.list('alice', {}, ALL)
      assert.deepEqual([view?.status, view?.dueAt], ['pending', after(HOUR)])
      await storage.deliveries.settle([settledOf(delivery, deadOf())], NOON, () => NO_CHANGE)
    })
  })

  describe('a recorded test', () => {
    it('a recorded test can be read with its bytes, and belongs to no delivery', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const attempt = attemptOf({ httpStatus: 404, reason: 'http_status' })
      await storage.deliveries.recordTest('alice', hook.id, testOf('test bytes', { attempt }))
      assert.deepEqual(await storage.deliveries.tests('alice', hook.id), [{ attempt, body: 'test bytes' }])
      assert.deepEqual(await listed(storage, {}), [])
    })

    it('a recorded test is stored while it is among the newest twenty of its hook, separately for each hook', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const { hook: other } = await subscribe(storage)
      await storage.deliveries.recordTest('alice', other.id, testOf('other'))
      for (let number = 1; number <= 23; number += 1) {
        await storage.deliveries.recordTest(
          'alice',
          hook.id,
          testOf(String(number), { attempt: attemptOf({ number }) }),
        )
      }
      const tests = await storage.deliveries.tests('alice', hook.id)
      assert.deepEqual(
        tests.map(({ attempt }) => attempt.number),
        Array.from({ length: 20 }, (_, index) => 23 - index),
      )
      assert.equal((await storage.deliveries.tests('alice', other.id)).length, 1)
    })

    it('a recorded test is neither stored nor read for another account or a missing hook', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await storage.deliveries.recordTest('bob', hook.id, testOf('intruder'))
      await storage.deliveries.recordTest('alice', 'api-nothing', testOf('nothing'))
      assert.deepEqual(await storage.deliveries.tests('alice', hook.id), [])
      await storage.deliveries.recordTest('alice', hook.id, testOf('own'))
      assert.deepEqual(await storage.deliveries.tests('bob', hook.id), [])
    })

    it('a recorded test goes with the review that it shows, whether erased or after its retention, and is not stored later', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const erased = reviewOf({ reviewId: 'erased' })
      await poll(storage, await claimFeed(storage), [erased, reviewOf({ reviewId: 'old' })])
      const { reviews } = await storage.reports.reviews('alice', {}, ALL)
      const record = async () => {
        await storage.deliveries.recordTest('alice', hook.id, testOf('invented'))
        for (const { reviewId, seq } of reviews)
          await storage.deliveries.recordTest('alice', hook.id, testOf(reviewId, { reviewSeq: seq }))
      }
      const bodies = async () =>
        (await storage.deliveries.tests('alice', hook.id)).map(({ body }) => body).toSorted()
      await record()
      assert.deepEqual(await bodies(), ['erased', 'invented', 'old'])
      const { accounts } = await storage.erasures.erase(erased.fingerprint, null)
      assert.deepEqual(accounts, ['alice'])
      assert.deepEqual(await bodies(), ['invented', 'old'])
      await takeOccurrences(storage, after(HOUR))
      while ((await storage.maintenance.prune(after(24 * HOUR), 9)) > 0);
      assert.deepEqual(await bodies(), ['invented'])
      await record()
      assert.deepEqual(await bodies(), ['invented', 'invented'])
    })
  })
}
