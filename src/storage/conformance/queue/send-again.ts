import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Engine } from '../harness.ts'
import { addPeople, after, HOUR, NOON, SECOND, subscribe } from '../samples.ts'
import { claim, DELIVERED, EXPIRE_AFTER_MS, enqueue, idsOf, kill, retryAt, settle } from './queue-samples.ts'

export function sendAgainSuite({ open }: Engine): void {
  describe('a delivered event that is sent again', () => {
    it('a delivered event that is sent again keeps its id and bytes', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const [id = ''] = await enqueue(storage, [hook])
      await settle(storage, await claim(storage), DELIVERED)
      assert.equal(await storage.deliveries.sendAgain('alice', id, after(SECOND), EXPIRE_AFTER_MS), true)
      const view = await storage.deliveries.get('alice', id)
      assert.deepEqual([view?.status, view?.attempts, view?.deliveredAt], ['pending', 0, null])
      const [again] = await claim(storage, { now: after(SECOND) })
      assert.deepEqual([again?.eventId, again?.body, again?.attempts], [id, `body of ${id}`, 0])
      if (again === undefined) throw new Error('nothing was claimed')
      await settle(storage, [again], DELIVERED, { now: after(HOUR) })
      assert.deepEqual((await storage.deliveries.get('alice', id))?.deliveredAt, after(HOUR))
      assert.equal((await storage.deliveries.attempts('alice', id)).length, 2)
    })

    it('a delivery that is sent again belongs to the account, is delivered, and has an existing hook', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const again = (id: string, accountId = 'alice') =>
        storage.deliveries.sendAgain(accountId, id, NOON, EXPIRE_AFTER_MS)
      const [pending = ''] = await enqueue(storage, [hook])
      assert.equal(await again(pending), false)
      await settle(storage, await claim(storage), retryAt(after(HOUR)))
      assert.equal(await again(pending), false)
      const [dead = ''] = await kill(storage, [hook])
      assert.equal(await again(dead), false)
      const [done = ''] = await enqueue(storage, [hook])
      await settle(storage, await claim(storage), DELIVERED)
      assert.equal(await again(done, 'bob'), false)
      for (const id of ['', 'x', done.toUpperCase(), '0'.repeat(64)]) assert.equal(await again(id), false)
      await storage.hooks.remove('alice', hook.id, NOON)
      assert.equal(await again(done), false)
      assert.deepEqual(idsOf(await claim(storage, { now: after(SECOND) })), [])
    })
  })
}
