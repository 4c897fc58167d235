import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import type { Instant } from '../../../runtime/instant.ts'
import type { Storage } from '../../port/storage.ts'
import type { Engine } from '../harness.ts'
import {
  claim,
  DELIVERED,
  deadOf,
  enqueue,
  enrichmentOf,
  idsOf,
  kill,
  NO_CHANGE,
  retryAt,
  settle,
  testOf,
} from '../queue/queue-samples.ts'
import {
  addPeople,
  after,
  claimFeed,
  claimTexts,
  HOUR,
  MINUTE,
  NOON,
  poll,
  reviewOf,
  SECOND,
  subscribe,
  takeOccurrences,
} from '../samples.ts'

async function left(storage: Storage): Promise<string[]> {
  return idsOf(await storage.deliveries.list('alice', {}, { limit: 1_000, before: null }))
}

/** Prunes until there are no more rows to delete. Returns the number of deleted rows. */
async function pruneAll(storage: Storage, before: Instant): Promise<number> {
  let total = 0
  for (let gone = 1; gone > 0; total += gone) gone = await storage.maintenance.prune(before, 100)
  return total
}

export function pruneSuite({ open }: Engine): void {
  describe('retention', () => {
    it('retention deletes only deliveries delivered before its limit, with bytes and attempts', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const [old = ''] = await enqueue(storage, [hook])
      await settle(storage, await claim(storage), DELIVERED, { now: after(SECOND) })
      const [young = ''] = await enqueue(storage, [hook])
      await settle(storage, await claim(storage), DELIVERED, { now: after(HOUR) })
      const [waiting = ''] = await enqueue(storage, [hook])
      await settle(storage, await claim(storage), retryAt(NOON))
      await pruneAll(storage, after(HOUR))
      assert.deepEqual(await left(storage), [waiting, young])
      assert.deepEqual(await storage.deliveries.attempts('alice', old), [])
      assert.equal((await storage.deliveries.attempts('alice', young)).length, 1)
      const [again] = await claim(storage)
      assert.equal(again?.body, `body of ${waiting}`)
    })

    it('retention keeps dead letters until they are resolved', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const [kept = '', discarded = '', replayed = ''] = await kill(storage, [hook], { count: 3 })
      await storage.deadLetters.discard('alice', [discarded], NOON)
      await storage.deadLetters.replay('alice', [replayed], NOON, HOUR)
      await settle(storage, await claim(storage), DELIVERED)
      await pruneAll(storage, after(1_000 * HOUR))
      assert.deepEqual(await left(storage), [kept])
      assert.equal((await storage.deliveries.get('alice', kept))?.body, `body of ${kept}`)
      assert.equal((await storage.deliveries.attempts('alice', kept)).length, 1)
    })

    it('retention keeps a delivery that a replay queued', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const ids = await kill(storage, [hook])
      await storage.deadLetters.replay('alice', ids, NOON, HOUR)
      await pruneAll(storage, after(1_000 * HOUR))
      assert.deepEqual(idsOf(await claim(storage)), ids)
    })

    it('retention runs in batches and reports its end', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await enqueue(storage, [hook], { count: 5 })
      await settle(storage, await claim(storage), DELIVERED)
      // The deliveries and their review text.
      const gone = []
      do gone.push(await storage.maintenance.prune(after(HOUR), 4))
      while (gone.at(-1) !== 0)
      assert.deepEqual(gone, [4, 2, 0])
      assert.deepEqual(await left(storage), [])
    })

    it('retention deletes review texts and keeps them as seen', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      const old = reviewOf({ reviewId: 'old' })
      const young = reviewOf({ reviewId: 'young', observedAt: after(HOUR) })
      const enrichment = { readyAt: NOON, enrich: true }
      const feed = await claimFeed(storage)
      await poll(storage, feed, [old, young], { nextPollAt: NOON, enrichment })
      await takeOccurrences(storage, after(HOUR))
      assert.equal(await pruneAll(storage, after(HOUR)), 1)
      assert.deepEqual(
        (await claimTexts(storage, after(HOUR))).map(({ review }) => review.reviewId),
        ['young'],
      )
      assert.deepEqual(
        await storage.feeds.known(feed.id, [old.fingerprint, young.fingerprint]),
        new Set([old.fingerprint, young.fingerprint]),
      )
      assert.equal(await poll(storage, await claimFeed(storage), [old, young]), true)
      assert.deepEqual(await takeOccurrences(storage, after(HOUR)), [])
    })

    it('retention keeps the text of a pending occurrence', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      await poll(storage, await claimFeed(storage), [reviewOf({ reviewId: 'a' })], {
        enrichment: { readyAt: after(MINUTE), enrich: true },
      })
      assert.equal(await pruneAll(storage, after(HOUR)), 0)
      assert.equal((await takeOccurrences(storage, after(MINUTE))).length, 1)
      assert.equal(await pruneAll(storage, after(HOUR)), 1)
    })

    it('retention deletes old notices, ended replays and cached answers', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await enqueue(storage, [hook])
      await settle(storage, await claim(storage), retryAt(after(HOUR)), {
        change: { ...NO_CHANGE, notices: [{ kind: 'failing', detail: '' }] },
      })
      for (const id of ['ended', 'running']) {
        const job = { id, accountId: 'alice', filter: {}, ratePerSecond: 1, createdAt: NOON }
        await storage.deadLetters.createReplays([job])
      }
      await storage.deadLetters.setReplayStatus('alice', 'ended', 'cancelled', NOON)
      await storage.occurrences.cacheEnrichment('old', enrichmentOf(), NOON)
      await storage.occurrences.cacheEnrichment('young', enrichmentOf(), after(HOUR))
      await pruneAll(storage, after(HOUR))
      assert.deepEqual(await storage.maintenance.notices('alice', { limit: 10 }), [])
      assert.deepEqual(
        (await storage.deadLetters.listReplays('alice', 10)).map(({ id }) => id),
        ['running'],
      )
      const cached = await storage.occurrences.cachedEnrichments(['old', 'young'])
      assert.deepEqual([...cached.keys()], ['young'])
    })

    it('retention deletes only invitations that ended before its limit, accepted or not', async () => {
      await using storage = await open()
      await addPeople(storage)
      const invite = (id: string, expiresAt: Instant) =>
        storage.people.invite(
          {
            id,
            accountId: 'alice',
            email: `${id}@example.com`,
            role: 'member',
            createdAt: NOON,
            expiresAt,
            inviter: null,
          },
          createHash('sha256').update(id).digest('hex'),
        )
      for (const id of ['old', 'older', 'accepted']) await invite(id, after(HOUR - 1))
      await invite('young', after(HOUR))
      assert.equal(
        await storage.people.accept(createHash('sha256').update('accepted').digest('hex'), 'ben', NOON),
        true,
      )
      assert.deepEqual(
        [await storage.maintenance.prune(after(HOUR), 2), await pruneAll(storage, after(HOUR))],
        [2, 1],
      )
      const left = await storage.people.invitations('alice', NOON)
      assert.deepEqual(
        left.map(({ id }) => id),
        ['young'],
      )
      assert.equal((await storage.people.memberships('ben'))[0]?.accountId, 'alice')
    })

    it('retention deletes a deleted hook without remaining deliveries', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const { hook: kept } = await subscribe(storage)
      const [dead = ''] = await kill(storage, [hook])
      await storage.deliveries.recordTest('alice', hook.id, testOf('test'))
      await storage.hooks.remove('alice', hook.id, NOON)
      await pruneAll(storage, after(HOUR))
      assert.deepEqual(await left(storage), [dead])
      await storage.deadLetters.discard('alice', [dead], NOON)
      // The delivery, then its hook.
      assert.equal(await pruneAll(storage, after(HOUR)), 2)
      assert.deepEqual(await left(storage), [])
      assert.equal((await storage.hooks.get('alice', kept.id))?.id, kept.id)
    })

    it('retention of a newly deleted hook waits for deliveries under way', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await enqueue(storage, [hook])
      const claimed = await claim(storage)
      await storage.hooks.remove('alice', hook.id, NOON)
      await pruneAll(storage, after(HOUR))
      await settle(storage, claimed, deadOf())
      assert.equal((await left(storage)).length, 1)
    })
  })
}
