import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import type { Instant } from '../../../runtime/instant.ts'
import type { NewToken } from '../../port/accounts.ts'
import type { Storage } from '../../port/storage.ts'
import type { Engine } from '../harness.ts'
import { addPeople, after, MINUTE, NOON, SECOND } from '../samples.ts'

const hash = (value: string) => createHash('sha256').update(value).digest('hex')

const NETWORK = '203.0.113.0/24'

function tokenOf(id: string, accountId: string, createdAt: Instant): NewToken {
  return { id, accountId, name: `token ${id}`, scopes: ['read', 'operate'], createdAt, expiresAt: null }
}

async function addToken(storage: Storage, id: string, accountId: string, ms = 0): Promise<void> {
  await storage.accounts.createToken(tokenOf(id, accountId, after(ms)), hash(id))
}

export function accountsSuite({ open }: Engine): void {
  describe('accounts', () => {
    it('storage finds an account only by its id', async () => {
      await using storage = await open()
      await addPeople(storage)
      assert.deepEqual(await storage.accounts.get('alice'), { id: 'alice', name: 'Alice', createdAt: NOON })
      assert.equal(await storage.accounts.get('carol'), null)
    })

    it('storage lists accounts oldest first', async () => {
      await using storage = await open()
      await storage.accounts.create({ id: 'a', name: 'younger', createdAt: after(SECOND) })
      await storage.accounts.create({ id: 'b', name: 'older', createdAt: NOON })
      assert.deepEqual(
        (await storage.accounts.list()).map(({ name }) => name),
        ['older', 'younger'],
      )
    })

    it('storage rejects a second account with the same id', async () => {
      await using storage = await open()
      await addPeople(storage)
      await assert.rejects(storage.accounts.create({ id: 'alice', name: 'Mallory', createdAt: NOON }))
      assert.equal((await storage.accounts.get('alice'))?.name, 'Alice')
    })
  })

  describe('tokens', () => {
    it('storage finds a token only by the hash of its value', async () => {
      await using storage = await open()
      await addPeople(storage)
      await addToken(storage, 'one', 'alice')
      const token = await storage.accounts.tokenOf(hash('one'), after(SECOND), NETWORK)
      assert.deepEqual(token, {
        id: 'one',
        accountId: 'alice',
        name: 'token one',
        scopes: ['read', 'operate'],
        createdAt: NOON,
        expiresAt: null,
        lastUsedAt: after(SECOND),
        lastUsedNetwork: NETWORK,
      })
      assert.equal(await storage.accounts.tokenOf(hash('two'), NOON, NETWORK), null)
    })

    it('storage does not find a token that has expired, but lists it', async () => {
      await using storage = await open()
      await addPeople(storage)
      const token = { ...tokenOf('one', 'alice', NOON), expiresAt: after(MINUTE) }
      await storage.accounts.createToken(token, hash('one'))
      const found = async (ms: number) => storage.accounts.tokenOf(hash('one'), after(ms), NETWORK)
      assert.deepEqual((await found(MINUTE - 1))?.expiresAt, after(MINUTE))
      assert.equal(await found(MINUTE), null)
      assert.equal((await storage.accounts.listTokens('alice')).length, 1)
    })

    it('storage stores the network of the last use of a token', async () => {
      await using storage = await open()
      await addPeople(storage)
      await addToken(storage, 'one', 'alice')
      const network = async () => (await storage.accounts.listTokens('alice'))[0]?.lastUsedNetwork
      assert.equal(await network(), null)
      await storage.accounts.tokenOf(hash('one'), NOON, NETWORK)
      await storage.accounts.tokenOf(hash('one'), after(MINUTE), '2001:db8::/56')
      assert.equal(await network(), '2001:db8::/56')
    })

    it('storage stores the use of a token at most once per minute', async () => {
      await using storage = await open()
      await addPeople(storage)
      await addToken(storage, 'one', 'alice')
      const lastUse = async () => (await storage.accounts.listTokens('alice'))[0]?.lastUsedAt
      assert.equal(await lastUse(), null)
      await storage.accounts.tokenOf(hash('one'), NOON, NETWORK)
      assert.deepEqual(await lastUse(), NOON)
      await storage.accounts.tokenOf(hash('one'), after(MINUTE - 1), NETWORK)
      assert.deepEqual(await lastUse(), NOON)
      await storage.accounts.tokenOf(hash('one'), after(MINUTE), NETWORK)
      assert.deepEqual(await lastUse(), after(MINUTE))
    })

    it('storage lists the tokens of one account newest first, and those of all for the operator', async () => {
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

    it('storage does not find a revoked token', async () => {
      await using storage = await open()
      await addPeople(storage)
      await addToken(storage, 'one', 'alice')
      assert.equal(await storage.accounts.revokeToken('alice', 'one'), true)
      assert.equal(await storage.accounts.tokenOf(hash('one'), NOON, NETWORK), null)
      assert.equal(await storage.accounts.revokeToken('alice', 'one'), false)
    })

    it('storage revokes no token of another account, but any for the operator', async () => {
      await using storage = await open()
      await addPeople(storage)
      await addToken(storage, 'one', 'alice')
      assert.equal(await storage.accounts.revokeToken('bob', 'one'), false)
      assert.notEqual(await storage.accounts.tokenOf(hash('one'), NOON, NETWORK), null)
      assert.equal(await storage.accounts.revokeToken(null, 'one'), true)
      assert.equal(await storage.accounts.tokenOf(hash('one'), NOON, NETWORK), null)
    })

    it('storage rejects a token without an account, and a second one with the same value', async () => {
      await using storage = await open()
      await addPeople(storage)
      await assert.rejects(addToken(storage, 'one', 'carol'))
      await addToken(storage, 'one', 'alice')
      await assert.rejects(storage.accounts.createToken(tokenOf('two', 'bob', NOON), hash('one')))
    })
  })
}
