import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Instant } from '../../../runtime/instant.ts'
import type { Storage } from '../../port/storage.ts'
import type { Engine } from '../harness.ts'
import { claim, claimTwo, DELIVERED, enqueue, settle } from '../queue/queue-samples.ts'
import { addAccount, addPeople, after, HOUR, NOON, pollSet, SECOND, subscribe } from '../samples.ts'

const LIMIT = 3

/** Every step until one deletes nothing. */
async function steps(storage: Storage, now: Instant): Promise<string[]> {
  const taken: string[] = []
  do taken.push(await storage.accounts.deletionStep('alice', now, LIMIT))
  while (taken.at(-1) === 'more')
  return taken
}

export function accountDeletionSuite({ open }: Engine): void {
  describe('the deletion of an account', () => {
    it('the deletion of an account ends its access in one commit, and begins once', async () => {
      await using storage = await open()
      await addAccount(storage, 'alice', 'user of alice')
      await addAccount(storage, 'bob', 'user of bob')
      const { hook } = await subscribe(storage)
      await enqueue(storage, [hook], { count: 1 })
      assert.equal(await storage.accounts.beginDeletion('nobody', NOON), false)
      assert.equal(await storage.accounts.beginDeletion('alice', NOON), true)
      assert.equal(await storage.accounts.beginDeletion('alice', NOON), false)
      assert.deepEqual(await storage.accounts.deletions(), ['alice'])
      const active = ['alice', 'bob', 'nobody'].map((id) => storage.accounts.isActive(id))
      assert.deepEqual(await Promise.all(active), [false, true, false])
      assert.deepEqual(await storage.people.memberships('user of alice'), [])
      assert.equal((await storage.people.memberships('user of bob'))[0]?.accountId, 'bob')
      assert.equal(await storage.hooks.get('alice', hook.id), null)
      assert.deepEqual(await claim(storage, { now: after(HOUR) }), [])
    })

    it('the deletion of an account deletes nothing before it has begun', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      assert.equal(await storage.accounts.deletionStep('alice', NOON, LIMIT), 'empty')
      await storage.accounts.endDeletion('alice')
      assert.equal((await storage.hooks.get('alice', hook.id))?.id, hook.id)
      assert.equal((await storage.accounts.get('alice'))?.id, 'alice')
    })

    it('the deletion of an account takes bounded steps, and leaves other accounts and shared reviews', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const { hook: other } = await subscribe(storage, { accountId: 'bob' })
      await enqueue(storage, [hook], { count: 10 })
      await enqueue(storage, [other], { count: 1 })
      const feeds = await pollSet(storage)
      await storage.accounts.beginDeletion('alice', NOON)
      const taken = await steps(storage, NOON)
      assert.ok(taken.length > 10 / LIMIT, String(taken.length))
      assert.equal(taken.at(-1), 'empty')
      await storage.accounts.endDeletion('alice')
      assert.equal(await storage.accounts.get('alice'), null)
      assert.deepEqual(await storage.accounts.deletions(), [])
      assert.deepEqual(await pollSet(storage), feeds)
      assert.equal((await storage.deliveries.list('bob', {}, { limit: 10, before: null })).length, 1)
      assert.equal((await storage.hooks.get('bob', other.id))?.watches.length, 1)
    })

    it('the deletion of an account waits for a request in flight, and no longer than its lease', async () => {
      await using storage = await open()
      const { first, second } = await claimTwo(storage)
      await storage.accounts.beginDeletion('alice', after(SECOND))
      assert.equal((await steps(storage, after(SECOND))).at(-1), 'waiting')
      await settle(storage, [first], DELIVERED)
      assert.equal((await steps(storage, after(SECOND))).at(-1), 'waiting')
      assert.equal((await steps(storage, after(HOUR))).at(-1), 'empty')
      await settle(storage, [second], DELIVERED)
      assert.equal((await steps(storage, after(HOUR))).at(-1), 'empty')
    })
  })
}
