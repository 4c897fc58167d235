import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { DeadFilter } from '../../port/dead-letters.ts'
import type { Storage } from '../../port/storage.ts'
import type { Engine } from '../harness.ts'
import { addPeople, after, HOUR, NOON, SECOND, subscribe, webhookTo } from '../samples.ts'
import {
  claim,
  DELIVERED,
  deadOf,
  enqueue,
  hash,
  idsOf,
  kill,
  NO_CHANGE,
  retryAt,
  settle,
} from './queue-samples.ts'

const ALL = { limit: 100, before: null }

async function letters(
  storage: Storage,
  accountId: string | null = 'alice',
  filter: DeadFilter = {},
): Promise<string[]> {
  return idsOf(await storage.deadLetters.list(accountId, filter, ALL))
}

export function deadSuite({ open }: Engine): void {
  describe('dead letters', () => {
    it('dead letters are dead and unresolved deliveries, newest first, in pages', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const dead = (await kill(storage, [hook], { count: 3 })).reverse()
      await enqueue(storage, [hook])
      await settle(storage, await claim(storage), DELIVERED)
      await enqueue(storage, [hook])
      assert.deepEqual(await letters(storage), dead)
      assert.equal(await storage.deadLetters.count('alice', {}), 3)
      const page = await storage.deadLetters.list('alice', {}, { limit: 2, before: null })
      assert.deepEqual(idsOf(page), dead.slice(0, 2))
      const rest = await storage.deadLetters.list('alice', {}, { limit: 2, before: page[1]?.seq ?? 0 })
      assert.deepEqual(idsOf(rest), dead.slice(2))
      assert.equal(page[0]?.body, `body of ${dead[0]}`)
    })

    it('dead letters are visible only to their account and to the operator', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook: alices } = await subscribe(storage)
      const { hook: bobs } = await subscribe(storage, { accountId: 'bob' })
      const [first, second] = await kill(storage, [alices, bobs])
      assert.deepEqual(await letters(storage, 'alice'), [first])
      assert.deepEqual(await letters(storage, 'bob'), [second])
      assert.deepEqual(await letters(storage, null), [second, first])
      assert.deepEqual(await letters(storage, 'bob', { hookId: alices.id }), [])
      assert.equal(await storage.deadLetters.count(null, {}), 2)
      assert.equal(await storage.deadLetters.count('bob', {}), 1)
    })

    it('dead letters are filtered by hook, app, store, type, reason and time of creation', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook: one } = await subscribe(storage)
      const { hook: two } = await subscribe(storage)
      const [a] = await kill(storage, [one], { reason: 'blocked_address' })
      const [b] = await kill(storage, [two], { at: after(SECOND) })
      const [c] = await kill(storage, [one], { at: after(2 * SECOND) })
      assert.deepEqual(await letters(storage, 'alice', { hookId: one.id }), [c, a])
      assert.deepEqual(await letters(storage, null, { hookId: one.id }), [c, a])
      assert.deepEqual(await letters(storage, 'alice', { reason: 'blocked_address' }), [a])
      assert.deepEqual(await letters(storage, 'alice', { reason: 'http_status' }), [c, b, a])
      assert.deepEqual(await letters(storage, 'alice', { since: after(SECOND) }), [c, b])
      assert.deepEqual(await letters(storage, 'alice', { until: after(SECOND) }), [a])
      assert.deepEqual(
        await letters(storage, 'alice', { appId: '1', store: 'apple', eventType: 'review.created' }),
        [c, b, a],
      )
      for (const filter of [{ appId: '2' }, { store: 'google' }, { eventType: 'rating.dropped' }]) {
        assert.deepEqual(await letters(storage, 'alice', filter), [])
      }
      assert.deepEqual(await storage.deadLetters.countByReason('alice', {}), [
        { reason: 'attempts_exhausted', count: 2 },
        { reason: 'blocked_address', count: 1 },
      ])
      assert.deepEqual(await storage.deadLetters.countByReason('alice', { hookId: two.id }), [
        { reason: 'attempts_exhausted', count: 1 },
      ])
      assert.deepEqual(await storage.deadLetters.countByReason('bob', {}), [])
    })

    it('dead letters stay visible after their hook was deleted', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const ids = await kill(storage, [hook])
      await storage.hooks.remove('alice', hook.id, NOON)
      await storage.deliveries.sweepEnded(NOON, 10)
      assert.deepEqual(await letters(storage), ids)
    })
  })

  describe('a replayed dead letter', () => {
    it('a replayed dead letter is due at once with the same event id and bytes, on a new schedule', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const [eventId = ''] = await enqueue(storage, [hook])
      await settle(storage, await claim(storage), retryAt(NOON))
      const [last] = await claim(storage)
      assert.ok(last)
      await settle(storage, [last], deadOf())
      assert.equal(await storage.deadLetters.replay('alice', [eventId], after(HOUR), 2 * HOUR), 1)
      assert.deepEqual(await letters(storage), [])
      const [again] = await claim(storage, { now: after(HOUR), lease: 'again' })
      assert.deepEqual(again, {
        ...last,
        lease: 'again',
        attempts: 0,
        dueAt: after(HOUR),
        expiresAt: after(3 * HOUR),
      })
      await settle(storage, again ? [again] : [], deadOf('expired'), { now: after(HOUR) })
      assert.deepEqual(await letters(storage), [eventId])
      assert.equal((await storage.deliveries.attempts('alice', eventId)).length, 3)
    })

    it('a replayed dead letter does not wait for an open breaker', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const [eventId = ''] = await enqueue(storage, [hook])
      const rests = { ...NO_CHANGE, health: '{"open":true}', notBefore: after(HOUR) }
      await settle(storage, await claim(storage), deadOf(), { change: rests })
      await storage.deadLetters.replay('alice', [eventId], after(SECOND), 2 * HOUR)
      let health: string | null = 'not looked at'
      const claimed = await claim(storage, { now: after(SECOND) }, (lane) => {
        health = lane.health
        return { take: 1, notBefore: null }
      })
      assert.deepEqual(idsOf(claimed), [eventId])
      assert.equal(health, null)
    })

    it('a replayed dead letter goes to a changed target without waiting for the breaker of the old one', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const [eventId = ''] = await enqueue(storage, [hook])
      const rests = { ...NO_CHANGE, health: '{"open":true}', notBefore: after(HOUR) }
      await settle(storage, await claim(storage), retryAt(NOON), { change: rests })
      assert.deepEqual(await claim(storage, { now: after(SECOND) }), [])
      await storage.hooks.update('alice', hook.id, { ratePerSecond: 3 })
      assert.deepEqual(await claim(storage, { now: after(SECOND) }), [])
      await storage.hooks.update('alice', hook.id, { target: webhookTo('https://mended.example.com/') })
      assert.deepEqual(idsOf(await claim(storage, { now: after(SECOND) })), [eventId])
    })

    it('a replayed dead letter is queued once by concurrent replays', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook: alices } = await subscribe(storage)
      const { hook: bobs } = await subscribe(storage, { accountId: 'bob' })
      const [mine = '', foreign = ''] = await kill(storage, [alices, bobs])
      const [pending = ''] = await enqueue(storage, [alices])
      const eventIds = [mine, mine, foreign, pending, hash('unknown'), 'not an id', '']
      assert.equal(await storage.deadLetters.replay('alice', eventIds, NOON, HOUR), 1)
      assert.equal(await storage.deadLetters.replay('alice', eventIds, NOON, HOUR), 0)
      assert.deepEqual(await letters(storage, 'bob'), [foreign])
      assert.equal(await storage.deadLetters.replay(null, [foreign], NOON, HOUR), 1)
      assert.deepEqual(await letters(storage, 'bob'), [])
    })

    it('a replayed dead letter is held while its hook is paused, and rejected when its hook is gone or deleted', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook: paused } = await subscribe(storage)
      const { hook: deleted } = await subscribe(storage)
      const ids = await kill(storage, [paused, deleted])
      await storage.hooks.setStatus('alice', paused.id, 'paused', NOON)
      await storage.hooks.remove('alice', deleted.id, NOON)
      assert.equal(await storage.deadLetters.replay('alice', ids, NOON, HOUR), 1)
      assert.deepEqual(await claim(storage, { now: after(HOUR) }), [])
      await storage.hooks.setStatus('alice', paused.id, 'active', NOON)
      assert.deepEqual(idsOf(await claim(storage)), ids.slice(0, 1))
      assert.deepEqual(await letters(storage), ids.slice(1))
    })
  })

  describe('a discarded dead letter', () => {
    it('a discarded dead letter is resolved without being sent', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const [eventId = '', kept = ''] = await kill(storage, [hook], { count: 2 })
      assert.equal(await storage.deadLetters.discard('bob', [eventId], NOON), 0)
      assert.equal(await storage.deadLetters.discard('alice', [eventId, 'not an id'], after(SECOND)), 1)
      assert.equal(await storage.deadLetters.discard('alice', [eventId], after(SECOND)), 0)
      assert.deepEqual(await letters(storage), [kept])
      assert.equal(await storage.deadLetters.replay('alice', [eventId], NOON, HOUR), 0)
      const view = await storage.deliveries.get('alice', eventId)
      assert.deepEqual([view?.status, view?.resolvedAt], ['dead', after(SECOND)])
      assert.equal(await storage.deadLetters.discard(null, [kept], NOON), 1)
    })
  })
}
