import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { LimitReached } from '../../port/errors.ts'
import type { SavedView } from '../../port/saved-views.ts'
import type { Engine } from '../harness.ts'
import { addPeople, NOON } from '../samples.ts'

function viewOf(given: Partial<Omit<SavedView, 'createdAt'>> = {}) {
  const filters = { stars: '1,2', status: 'new' }
  return { id: 'view_1', accountId: 'alice', name: 'Bad', filters, author: 'Ann', createdAt: NOON, ...given }
}

export function savedViewsSuite({ open }: Engine): void {
  describe('saved views', () => {
    it('saved views are listed for their account, by name, and removed only by it', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { savedViews } = storage
      const all = viewOf({ id: 'view_2', name: 'All', filters: {} })
      assert.equal(await savedViews.create(viewOf(), 9), true)
      assert.equal(await savedViews.create(all, 9), true)
      assert.deepEqual(await savedViews.list('alice'), [all, viewOf()])
      assert.deepEqual(await savedViews.list('bob'), [])
      assert.equal(await savedViews.remove('bob', 'view_1'), false)
      assert.equal(await savedViews.remove('alice', 'view_1'), true)
      assert.equal(await savedViews.remove('alice', 'view_1'), false)
      assert.deepEqual(await savedViews.list('alice'), [all])
    })

    it('saved views have a unique name in their account, and a limit', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { savedViews } = storage
      assert.equal(await savedViews.create(viewOf(), 2), true)
      assert.equal(await savedViews.create(viewOf({ id: 'view_2' }), 2), false)
      assert.equal(await savedViews.create(viewOf({ id: 'view_3', accountId: 'bob' }), 2), true)
      await savedViews.create(viewOf({ id: 'view_4', name: 'More' }), 2)
      await assert.rejects(savedViews.create(viewOf({ id: 'view_5', name: 'Most' }), 2), LimitReached)
    })

    it('saved views are deleted with their account', async () => {
      await using storage = await open()
      await addPeople(storage)
      await storage.savedViews.create(viewOf(), 9)
      await storage.accounts.beginDeletion('alice', NOON)
      while ((await storage.accounts.deletionStep('alice', NOON, 9)) === 'more');
      await storage.accounts.endDeletion('alice')
      assert.equal(await storage.accounts.get('alice'), null)
    })
  })
}
