import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import type { Storage } from '../../port/storage.ts'
import type { Engine } from '../harness.ts'
import { addPeople, after, MINUTE, NOON, SECOND } from '../samples.ts'

const hash = (value: string) => createHash('sha256').update(value).digest('hex')

async function addToken(storage: Storage, id: string, accountId: string, ms = 0): Promise<void> {
  await storage.accounts.createToken({ id, accountId, name: `token ${id}`, createdAt: after(ms) }, hash(id))
}

export function accountsSuite({ open }: Engine): void {
  describe('accounts', () => {
    it('finds an account by its id, and no other', async () => {
      await using storage = await open()
      await addPeople(storage)
      assert.deepEqual(await storage.accounts.get('alice'), { id: 'alice', name: 'Alice', createdAt: NOON })
      assert.equal(await storage.accounts.get('carol'), null)
    })

    it('lists accounts oldest first', async () => {
      await using storage = await open()
      await storage.accounts.create({ id: 'a', name: 'younger', createdAt: after(SECOND) })
      await storage.accounts.create({ id: 'b', name: 'older', createdAt: NOON })
      assert.deepEqual(
        (await storage.accounts.list()).map(({ name }) => name),
        ['older', 'younger'],
      )
    })

    it('refuses a second account of the same id', async () => {
      await using storage = await open()
      await addPeople(storage)
      await assert.rejects(storage.accounts.create({ id: 'alice', name: 'Mallory', createdAt: NOON }))
      assert.equal((await storage.accounts.get('alice'))?.name, 'Alice')
    })
  })

  describe('tokens', () => {
    it('finds a token by the hash of its value, and by nothing else', async () => {
      await using storage = await open()
      await addPeople(storage)
      await addToken(storage, 'one', 'alice')
      const token = await storage.accounts.tokenOf(hash('one'), after(SECOND))
      assert.deepEqual(token, {
        id: 'one',
        accountId: 'alice',
        name: 'token one',
        createdAt: NOON,
        lastUsedAt: after(SECOND),
      })
      assert.equal(await storage.accounts.tokenOf(hash('two'), NOON), null)
    })

    it('stores the use of a token at most once a minute', async () => {
      await using storage = await open()
      await addPeople(storage)
      await addToken(storage, 'one', 'alice')
      const lastUse = async () => (await storage.accounts.listTokens('alice'))[0]?.lastUsedAt
      assert.equal(await lastUse(), null)
      await storage.accounts.tokenOf(hash('one'), NOON)
      assert.deepEqual(await lastUse(), NOON)
      await storage.accounts.tokenOf(hash('one'), after(MINUTE - 1))
      assert.deepEqual(await lastUse(), NOON)
      await storage.accounts.tokenOf(hash('one'), after(MINUTE))
      assert.deepEqual(await lastUse(), after(MINUTE))
    })

    it('lists the tokens of one account newest first, and those of all for the operator', async () => {
      await using storage = await open()
      await addPeople(storage)
      await addToken(storage, 'one', 'alice')
      await addToken(storage, 'two', 'bob', 1)
      await addToken(storage, 'three', 'alice', 2)
      const ids = async (accountId: string | null) =>
        (await storage.accounts.listTokens(accountId)).map(({ id }) => id)
      assert.deepEqual(await ids('alice'), ['three', 'one'])
      assert.deepEqual(await ids('bob'), ['two'])
      assert.deepEqual(await ids(null), ['three', 'two', 'one'])
    })

    it('does not find a revoked token', async () => {
      await using storage = await open()
      await addPeople(storage)
      await addToken(storage, 'one', 'alice')
      assert.equal(await storage.accounts.revokeToken('alice', 'one'), true)
      assert.equal(await storage.accounts.tokenOf(hash('one'), NOON), null)
      assert.equal(await storage.accounts.revokeToken('alice', 'one'), false)
    })

    it('revokes no token of another account, but any for the operator', async () => {
      await using storage = await open()
      await addPeople(storage)
      await addToken(storage, 'one', 'alice')
      assert.equal(await storage.accounts.revokeToken('bob', 'one'), false)
      assert.notEqual(await storage.accounts.tokenOf(hash('one'), NOON), null)
      assert.equal(await storage.accounts.revokeToken(null, 'one'), true)
      assert.equal(await storage.accounts.tokenOf(hash('one'), NOON), null)
    })

    it('refuses a token without an account, and two of the same value', async () => {
      await using storage = await open()
      await addPeople(storage)
      await assert.rejects(addToken(storage, 'one', 'carol'))
      await addToken(storage, 'one', 'alice')
      await assert.rejects(
        storage.accounts.createToken(
          { id: 'two', accountId: 'bob', name: 'same value', createdAt: NOON },
          hash('one'),
        ),
      )
    })
  })
}
