import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { LimitReached } from '../../port/errors.ts'
import type { WrittenConnection } from '../../port/store-connections.ts'
import type { Engine } from '../harness.ts'
import { addPeople, after, NOON, SECOND } from '../samples.ts'

export function connectionOf(given: Partial<WrittenConnection> = {}): WrittenConnection {
  return {
    id: 'con_1',
    accountId: 'alice',
    kind: 'appstoreconnect',
    name: 'Team key',
    subject: '2X9R4HXF34',
    credentials: 's1.key.sealed',
    createdAt: NOON,
    rotatedAt: null,
    check: {
      at: NOON,
      apps: [{ appId: '310633997', name: 'Example', bundleId: 'com.example' }],
      rights: { readReviews: 'granted', reply: 'unknown', history: 'granted' },
      warnings: [],
      problem: null,
    },
    ...given,
  }
}

export function storeConnectionsSuite({ open, openAgain }: Engine): void {
  describe('store connections', () => {
    it('store connections are stored whole and listed for their account, oldest first', async () => {
      await using storage = await open()
      await addPeople(storage)
      const second = connectionOf({
        id: 'con_2',
        kind: 'googleplay-developer',
        subject: 'radar@example.iam.gserviceaccount.com',
        createdAt: after(SECOND),
        rotatedAt: after(SECOND),
        check: { ...connectionOf().check, warnings: ['A warning.'], problem: 'A problem.' },
      })
      assert.equal(await storage.storeConnections.create(second, 9), true)
      assert.equal(await storage.storeConnections.create(connectionOf(), 9), true)
      assert.deepEqual(await storage.storeConnections.list('alice'), [connectionOf(), second])
      assert.deepEqual(await storage.storeConnections.get('alice', 'con_2'), second)
      assert.deepEqual(await storage.storeConnections.list('bob'), [])
      assert.equal(await storage.storeConnections.get('bob', 'con_2'), null)
    })

    it('store connections have each credentials once for an account, and may have those of another account', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { storeConnections } = storage
      await storeConnections.create(connectionOf(), 9)
      assert.equal(await storeConnections.create(connectionOf({ id: 'con_2' }), 9), false)
      assert.equal(await storeConnections.create(connectionOf({ id: 'con_3', accountId: 'bob' }), 9), true)
      await storeConnections.create(connectionOf({ id: 'con_4', subject: 'ABCDEFGHIJ' }), 9)
      assert.equal(
        await storeConnections.update('alice', 'con_4', { name: 'New', subject: '2X9R4HXF34' }),
        'taken',
      )
      assert.equal((await storeConnections.get('alice', 'con_4'))?.name, 'Team key')
    })

    it('store connections change only the given fields, and only for their account', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { storeConnections } = storage
      await storeConnections.create(connectionOf(), 9)
      assert.equal(await storeConnections.update('bob', 'con_1', { name: 'Mine' }), 'missing')
      assert.equal(await storeConnections.update('alice', 'con_1', { name: 'Renamed' }), 'updated')
      const check = { ...connectionOf().check, at: after(SECOND), problem: 'The key was revoked.' }
      assert.equal(await storeConnections.update('alice', 'con_1', { check }), 'updated')
      assert.deepEqual(await storeConnections.get('alice', 'con_1'), connectionOf({ name: 'Renamed', check }))
    })

    it('store connections are removed only by their account', async () => {
      await using storage = await open()
      await addPeople(storage)
      await storage.storeConnections.create(connectionOf(), 9)
      assert.equal(await storage.storeConnections.remove('bob', 'con_1', NOON), false)
      assert.equal(await storage.storeConnections.remove('alice', 'con_1', NOON), true)
      assert.equal(await storage.storeConnections.remove('alice', 'con_1', NOON), false)
      assert.deepEqual(await storage.storeConnections.list('alice'), [])
    })

    it('store connections never exceed the limit, also by concurrent calls', async () => {
      await using storage = await open()
      await using other = await openAgain()
      await addPeople(storage)
      const created = await Promise.allSettled(
        [1, 2, 3, 4].map((nth) =>
          (nth % 2 === 0 ? storage : other).storeConnections.create(
            connectionOf({ id: `con_${nth}`, subject: `KEY${nth}` }),
            2,
          ),
        ),
      )
      const refused = created.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
      assert.equal(refused.length, 2)
      for (const reason of refused) assert.ok(reason instanceof LimitReached)
    })
  })
}
