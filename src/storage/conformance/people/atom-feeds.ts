import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AtomFeed } from '../../../model/atom-feed.ts'
import type { WithInstants } from '../../../runtime/instant.ts'
import { LimitReached } from '../../port/errors.ts'
import type { Engine } from '../harness.ts'
import { addPeople, after, NOON, SECOND } from '../samples.ts'

const HASH = 'ab'.repeat(32)
const OTHER_HASH = 'cd'.repeat(32)

function feedOf(given: Partial<WithInstants<AtomFeed>> = {}): WithInstants<AtomFeed> {
  return { id: 'atom_1', accountId: 'alice', store: 'apple', appId: '1', createdAt: NOON, ...given }
}

export function atomFeedsSuite({ open, openAgain }: Engine): void {
  describe('Atom feeds', () => {
    it('Atom feeds are found by their hash and listed for their account, newest first', async () => {
      await using storage = await open()
      await addPeople(storage)
      const second = feedOf({ id: 'atom_2', store: 'google', appId: 'com.example', createdAt: after(SECOND) })
      await storage.atomFeeds.create(feedOf(), HASH, 9)
      await storage.atomFeeds.create(second, OTHER_HASH, 9)
      assert.deepEqual(await storage.atomFeeds.find(OTHER_HASH), second)
      assert.equal(await storage.atomFeeds.find('ef'.repeat(32)), null)
      assert.deepEqual(await storage.atomFeeds.list('alice'), [second, feedOf()])
      assert.deepEqual(await storage.atomFeeds.list('bob'), [])
    })

    it('Atom feeds are removed only by their account', async () => {
      await using storage = await open()
      await addPeople(storage)
      await storage.atomFeeds.create(feedOf(), HASH, 9)
      assert.equal(await storage.atomFeeds.remove('bob', 'atom_1'), false)
      assert.deepEqual(await storage.atomFeeds.find(HASH), feedOf())
      assert.equal(await storage.atomFeeds.remove('alice', 'atom_1'), true)
      assert.equal(await storage.atomFeeds.find(HASH), null)
      assert.equal(await storage.atomFeeds.remove('alice', 'atom_1'), false)
    })

    it('Atom feeds never exceed the limit, also by concurrent calls', async () => {
      await using storage = await open()
      await using other = await openAgain()
      await addPeople(storage)
      const created = await Promise.allSettled(
        [1, 2, 3, 4].map((nth) =>
          (nth % 2 === 0 ? storage : other).atomFeeds.create(
            feedOf({ id: `atom_${nth}` }),
            `${nth}0`.repeat(32),
            2,
          ),
        ),
      )
      const refused = created.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
      assert.equal(refused.length, 2)
      for (const reason of refused) assert.ok(reason instanceof LimitReached)
      assert.equal((await storage.atomFeeds.list('alice')).length, 2)
    })
  })
}
