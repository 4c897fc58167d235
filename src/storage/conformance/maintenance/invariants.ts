import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventIdOf } from '../../../model/occurrence.ts'
import type { InvariantViolation } from '../../port/invariants.ts'
import type { Storage } from '../../port/storage.ts'
import type { Engine } from '../harness.ts'
import { claim, enqueue, eventOf, NO_CHANGE, retryAt, settle } from '../queue/queue-samples.ts'
import { addPeople, after, claimFeed, HOUR, MINUTE, NOON, poll, reviewOf, subscribe } from '../samples.ts'

const DAY = 24 * HOUR
const check = async (storage: Storage, now = NOON): Promise<readonly InvariantViolation[]> =>
  (await storage.invariants.check({ now, expireAfterMs: HOUR, cursor: null })).violations
const kindsOf = (violations: readonly InvariantViolation[]) =>
  violations.map(({ invariant, count }) => [invariant, count])

export function invariantsSuite({ open }: Engine): void {
  describe('invariants', () => {
    it('invariants are not violated by queued, leased, paused and finished work', async () => {
      await using storage = await open()
      await addPeople(storage)
      assert.deepEqual(await check(storage), [])
      const { hook } = await subscribe(storage)
      const other = await subscribe(storage, { accountId: 'bob' })
      await enqueue(storage, [hook, other.hook])
      await enqueue(storage, [hook, other.hook])
      assert.deepEqual(await check(storage), [])
      const claimed = await claim(storage)
      assert.deepEqual(await check(storage), [])
      await settle(storage, claimed, retryAt(after(HOUR)))
      await storage.hooks.setStatus('alice', hook.id, 'paused', NOON)
      await storage.hooks.remove('bob', other.hook.id, NOON)
      assert.deepEqual(await check(storage), [])
    })

    it('the invariants find endless leases of deliveries, feeds and reviews', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await enqueue(storage, [hook])
      await claim(storage, { leaseMs: DAY })
      await poll(storage, await claimFeed(storage), [reviewOf({ reviewId: 'a' })], {
        enrichment: { readyAt: NOON, enrich: true },
        nextPollAt: NOON,
      })
      await storage.occurrences.claimForEnrichment({ now: NOON, limit: 1, lease: 'x', leaseMs: DAY })
      await claimFeed(storage, { leaseMs: DAY })
      const violations = await check(storage)
      assert.deepEqual(kindsOf(violations), [['lease_without_end', 3]])
      assert.match(
        violations[0]?.example ?? '',
        new RegExp(`delivery of hook ${hook.id} is leased until 2026-03-02`),
      )
    })

    it('the invariants find a hook that no claim reads', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await enqueue(storage, [hook])
      await claim(storage, {}, () => ({ take: 0, notBefore: after(DAY) }))
      assert.deepEqual(kindsOf(await check(storage)), [['lane_asleep', 1]])
      assert.deepEqual(await check(storage, after(DAY)), [])
    })

    it('the invariants find a delivery that its breaker holds back beyond its end', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await enqueue(storage, [hook])
      const until = after(78 * HOUR)
      await settle(storage, await claim(storage), retryAt(after(MINUTE)), {
        change: { ...NO_CHANGE, notBefore: until },
      })
      assert.deepEqual(await check(storage, after(77 * HOUR - 1)), [])
      const kinds = kindsOf(await check(storage, after(77 * HOUR)))
      assert.deepEqual(kinds, [['delivery_past_end', 1]])
      assert.equal(await storage.deliveries.sweepExpired(after(77 * HOUR), HOUR, 10), 1)
      assert.deepEqual(await check(storage, after(77 * HOUR)), [])
    })

    it('the invariants find pending deliveries of a hook that ended a day ago', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await enqueue(storage, [hook])
      await storage.hooks.remove('alice', hook.id, NOON)
      assert.deepEqual(await check(storage, after(DAY)), [])
      assert.deepEqual(kindsOf(await check(storage, after(DAY + 1))), [['pending_of_ended_hook', 1]])
      await storage.deliveries.sweepEnded(after(DAY + 1), 10)
      assert.deepEqual(await check(storage, after(DAY + 1)), [])
    })

    it('the invariants find an occurrence that is not fanned out', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      await poll(storage, await claimFeed(storage), [reviewOf({ reviewId: 'a' })])
      assert.deepEqual(await check(storage, after(HOUR - 1)), [])
      assert.deepEqual(kindsOf(await check(storage, after(HOUR))), [['occurrence_stuck', 1]])
    })

    it('the invariants find an event that is older than its hook, and a duplicate event', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const late = await subscribe(storage, { createdAt: after(MINUTE) })
      await poll(storage, await claimFeed(storage), [reviewOf({ reviewId: 'a' })])
      await storage.occurrences.fanOut({ now: NOON, limit: 1, expireAfterMs: HOUR }, () => [
        eventOf(hook, 'one'),
        { ...eventOf(hook, 'two'), eventId: eventIdOf(hook.id, 'two') },
        eventOf(late.hook, 'three'),
      ])
      assert.deepEqual(kindsOf(await check(storage)).sort(), [
        ['duplicate_event', 1],
        ['event_before_hook', 1],
      ])
    })

    it('invariants are checked in pages, each new event once', async () => {
      await using storage = await open()
      await addPeople(storage)
      for (let made = 0; made < 201; made += 1) await subscribe(storage, { id: `api-${1000 + made}` })
      const request = { now: NOON, expireAfterMs: HOUR }
      const first = await storage.invariants.check({ ...request, cursor: null })
      assert.deepEqual([first.isLast, first.cursor.hookId], [false, 'api-1199'])
      await enqueue(storage, [{ id: 'api-1200', accountId: 'alice' }])
      await claim(storage, {}, () => ({ take: 0, notBefore: after(DAY) }))
      const second = await storage.invariants.check({ ...request, cursor: first.cursor })
      assert.deepEqual([second.isLast, kindsOf(second.violations)], [true, [['lane_asleep', 1]]])
      assert.equal(second.cursor.eventSeq, first.cursor.eventSeq + 1)
      assert.equal(second.cursor.hookId, '')
    })

    it('invariants are checked by one node at a time, also after the clock went back', async () => {
      await using storage = await open()
      const { claimCheck } = storage.invariants
      assert.equal(await claimCheck(NOON, MINUTE), true)
      assert.equal(await claimCheck(after(MINUTE - 1), MINUTE), false)
      assert.equal(await claimCheck(after(MINUTE), MINUTE), true)
      assert.equal(await claimCheck(after(-DAY), MINUTE), true)
      assert.equal(await claimCheck(after(-DAY), MINUTE), false)
    })
  })
}
