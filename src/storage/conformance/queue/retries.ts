import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { LaneChange } from '../../port/deliveries.ts'
import type { Engine } from '../harness.ts'
import { addPeople, after, HOUR, MINUTE, NOON, SECOND, subscribe } from '../samples.ts'
import { claim, DELIVERED, enqueue, idsOf, NO_CHANGE, retryAt, settle } from './queue-samples.ts'

const SOON = after(SECOND)

export function retriesSuite({ open }: Engine): void {
  describe('a manual retry', () => {
    it('a manual retry makes the next attempt due, before all others of the hook', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const [first = '', second = ''] = await enqueue(storage, [hook], { count: 2 })
      const [other = ''] = await enqueue(storage, [hook], { at: SOON })
      await settle(storage, await claim(storage), retryAt(after(HOUR)))
      assert.equal(await storage.deliveries.retryNow('alice', second, SOON), true)
      assert.deepEqual(idsOf(await claim(storage, { now: SOON })), [second, other])
      assert.equal((await storage.deliveries.get('alice', second))?.attempts, 1)
      assert.deepEqual((await storage.deliveries.get('alice', first))?.dueAt, after(HOUR))
    })

    it('a manual retry is rejected for a delivery that is not pending, is being sent, or belongs to a stopped hook or another account', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const retry = (id: string, accountId = 'alice') => storage.deliveries.retryNow(accountId, id, SOON)
      const [id = ''] = await enqueue(storage, [hook])
      assert.equal(await retry(id, 'bob'), false)
      for (const none of ['', 'x', '0'.repeat(64)]) assert.equal(await retry(none), false)
      const sent = await claim(storage)
      assert.equal(await retry(id), false)
      await settle(storage, sent, retryAt(after(HOUR)))
      await storage.hooks.setStatus('alice', hook.id, 'paused', NOON)
      assert.equal(await retry(id), false)
      await storage.hooks.setStatus('alice', hook.id, 'active', NOON)
      assert.equal(await retry(id), true)
      await settle(storage, await claim(storage, { now: SOON }), DELIVERED)
      assert.equal(await retry(id), false)
    })

    it('a manual retry of several deliveries is one commit, and returns those that it brought forward', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const { hook: paused } = await subscribe(storage)
      const [first = '', second = ''] = await enqueue(storage, [hook], { count: 2 })
      const [held = ''] = await enqueue(storage, [paused])
      await settle(storage, await claim(storage), retryAt(after(HOUR)))
      await storage.hooks.setStatus('alice', paused.id, 'paused', NOON)
      const each = (ids: string[], accountId = 'alice') =>
        storage.deliveries.retryEachNow(accountId, ids, SOON)
      assert.deepEqual(await each([first, second], 'bob'), [])
      assert.deepEqual(await each([second, 'x', held, first, first]), [
        { eventId: second, hookId: hook.id },
        { eventId: first, hookId: hook.id },
      ])
      assert.deepEqual(idsOf(await claim(storage, { now: SOON })), [first, second])
    })

    it('a manual retry takes over from a node that crashed during the attempt', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const [id = ''] = await enqueue(storage, [hook])
      const lost = await claim(storage, { leaseMs: MINUTE })
      assert.equal(await storage.deliveries.retryNow('alice', id, after(MINUTE)), true)
      const again = await claim(storage, { now: after(MINUTE) })
      assert.deepEqual(idsOf(again), [id])
      await settle(storage, lost, DELIVERED, { now: after(MINUTE) })
      assert.equal((await storage.deliveries.get('alice', id))?.status, 'pending')
    })

    it('a manual retry of a hook makes its pending deliveries due in order, in batches', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const { hook: other } = await subscribe(storage)
      const ids = await enqueue(storage, [hook], { count: 3 })
      await enqueue(storage, [other])
      await settle(storage, await claim(storage), retryAt(after(HOUR)))
      const retry = async (limit: number, accountId = 'alice') =>
        (await storage.deliveries.retryPending(accountId, [hook.id], SOON, limit)).get(hook.id)
      assert.equal(await retry(10, 'bob'), undefined)
      assert.deepEqual([await retry(2), await retry(2), await retry(2)], [2, 1, undefined])
      assert.deepEqual(idsOf(await claim(storage, { now: SOON })), ids)
      assert.equal(await retry(10), undefined)
    })

    it('a manual retry of several hooks makes their pending deliveries due, in batches over all of them', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook: first } = await subscribe(storage)
      const { hook: second } = await subscribe(storage)
      const { hook: bobs } = await subscribe(storage, { accountId: 'bob' })
      const ids = await enqueue(storage, [first, second], { count: 2 })
      await enqueue(storage, [bobs])
      await settle(storage, await claim(storage), retryAt(after(HOUR)))
      const hooks = [second.id, bobs.id, first.id, second.id]
      const retry = () => storage.deliveries.retryPending('alice', hooks, SOON, 3)
      const both = new Map([
        [second.id, 2],
        [first.id, 1],
      ])
      assert.deepEqual([await retry(), await retry()], [both, new Map([[first.id, 1]])])
      assert.deepEqual(idsOf(await claim(storage, { now: SOON })).sort(), ids.sort())
    })

    it('a manual retry of a paused hook changes nothing', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await enqueue(storage, [hook])
      await settle(storage, await claim(storage), retryAt(after(HOUR)))
      await storage.hooks.setStatus('alice', hook.id, 'paused', NOON)
      assert.equal((await storage.deliveries.retryPending('alice', [hook.id], SOON, 10)).size, 0)
      await storage.hooks.setStatus('alice', hook.id, 'active', NOON)
      assert.deepEqual(await claim(storage, { now: SOON }), [])
    })
  })

  describe('a manual change of a lane', () => {
    const open30 = { ...NO_CHANGE, health: '{"open":true}', notBefore: after(30 * MINUTE) }
    const ready: LaneChange = {
      ...NO_CHANGE,
      health: '{"open":false}',
      notBefore: SOON,
      notices: [{ kind: 'breaker_closed', detail: 'Deliveries go out again.' }],
    }

    it('a manual change makes a lane ready that its breaker postponed', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const [id = ''] = await enqueue(storage, [hook])
      await settle(storage, await claim(storage), retryAt(SOON), { change: open30 })
      assert.deepEqual(await claim(storage, { now: SOON }), [])
      assert.deepEqual((await storage.deliveries.get('alice', id))?.dueAt, open30.notBefore)
      const seen: (string | null)[] = []
      await storage.deliveries.changeLanes('alice', [hook.id], SOON, ({ health }) => {
        seen.push(health)
        return ready
      })
      assert.deepEqual(seen, [open30.health])
      assert.deepEqual((await storage.deliveries.get('alice', id))?.dueAt, SOON)
      assert.deepEqual(idsOf(await claim(storage, { now: SOON })), [id])
      const [notice] = await storage.maintenance.notices('alice', { hookId: hook.id, limit: 10 })
      assert.equal(notice?.kind, 'breaker_closed')
    })

    it('a manual change of a lane changes neither a pause nor hooks of other accounts', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await enqueue(storage, [hook])
      await settle(storage, await claim(storage), retryAt(SOON), { change: open30 })
      await storage.deliveries.changeLanes('bob', [hook.id], SOON, () => ready)
      assert.deepEqual(await claim(storage, { now: SOON }), [])
      await storage.hooks.setStatus('alice', hook.id, 'paused', NOON)
      await storage.deliveries.changeLanes('alice', [hook.id], SOON, () => ready)
      assert.deepEqual(await claim(storage, { now: SOON }), [])
      await storage.hooks.setStatus('alice', hook.id, 'active', SOON)
      assert.equal((await claim(storage, { now: SOON })).length, 1)
    })
  })
}
