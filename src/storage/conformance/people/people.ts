import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import type { Role } from '../../../model/vocabulary.ts'
import type { Instant } from '../../../runtime/instant.ts'
import type { Storage } from '../../port/storage.ts'
import type { Engine } from '../harness.ts'
import { addAccount, addPeople, after, HOUR, NOON } from '../samples.ts'

const hash = (value: string) => createHash('sha256').update(value).digest('hex')

async function invite(storage: Storage, id: string, accountId: string, role: Role = 'member'): Promise<void> {
  await storage.people.invite(
    {
      id,
      accountId,
      email: `${id}@example.com`,
      role,
      createdAt: NOON,
      expiresAt: after(HOUR),
      inviter: 'Ann',
    },
    hash(id),
  )
}

export function peopleSuite({ open }: Engine): void {
  describe('members', () => {
    it('members include the owner of a new account', async () => {
      await using storage = await open()
      assert.equal(await storage.people.anyMember(), false)
      assert.equal(await addAccount(storage, 'acme', 'ann', true), true)
      assert.equal(await storage.people.anyMember(), true)
      assert.equal((await storage.accounts.get('acme'))?.name, 'acme')
      assert.equal(await storage.accounts.rename('acme', 'Acme Inc.'), true)
      assert.equal(await storage.accounts.rename('nobody', 'x'), false)
      assert.equal((await storage.accounts.get('acme'))?.name, 'Acme Inc.')
      assert.equal(await storage.accounts.rename('acme', 'acme'), true)
      assert.deepEqual((await storage.people.memberships('ann'))[0], {
        userId: 'ann',
        accountId: 'acme',
        accountName: 'acme',
        role: 'owner',
        operator: false,
        createdAt: NOON,
        requiresSecondFactor: false,
      })
      assert.deepEqual(await storage.people.memberships('ben'), [])
    })

    it('members need a second factor when their account requires one', async () => {
      await using storage = await open()
      await addAccount(storage, 'acme', 'ann')
      await addAccount(storage, 'other', 'ben')
      await storage.people.requireSecondFactor('acme', true)
      assert.equal((await storage.people.memberships('ann'))[0]?.requiresSecondFactor, true)
      assert.equal((await storage.people.members('acme'))[0]?.requiresSecondFactor, true)
      assert.equal((await storage.people.memberships('ben'))[0]?.requiresSecondFactor, false)
      await storage.people.requireSecondFactor('acme', false)
      assert.equal((await storage.people.memberships('ann'))[0]?.requiresSecondFactor, false)
    })

    it('members include only one first owner, and ignore an account without members', async () => {
      await using storage = await open()
      await addPeople(storage)
      assert.equal(await addAccount(storage, 'acme', 'ann', true), true)
      assert.equal(await addAccount(storage, 'other', 'ben', true), false)
      assert.equal(await storage.accounts.get('other'), null)
      assert.deepEqual(await storage.people.memberships('ben'), [])
      assert.equal(await addAccount(storage, 'other', 'ben'), true)
    })

    it('members can belong to several accounts, with a role in each', async () => {
      await using storage = await open()
      await addAccount(storage, 'acme', 'ann')
      await addAccount(storage, 'other', 'ben')
      await invite(storage, 'ann', 'other')
      assert.equal(await storage.people.accept(hash('ann'), 'ann', after(HOUR - 1)), true)
      const memberships = async () =>
        (await storage.people.memberships('ann')).map(({ accountName, role }) => [accountName, role])
      assert.deepEqual(await memberships(), [
        ['acme', 'owner'],
        ['other', 'member'],
      ])
      assert.equal(await storage.people.setRole('other', 'ann', 'owner'), 'done')
      assert.equal(await storage.people.removeMember('other', 'ben'), 'last_account')
      assert.equal(await storage.people.setRole('other', 'ann', 'member'), 'last_owner')
      await invite(storage, 'ben', 'acme', 'owner')
      await storage.people.accept(hash('ben'), 'ben', NOON)
      assert.equal(await storage.people.setRole('acme', 'ann', 'member'), 'done')
      assert.deepEqual(await memberships(), [
        ['acme', 'member'],
        ['other', 'owner'],
      ])
      assert.equal(await storage.people.removeMember('acme', 'ann'), 'done')
      assert.deepEqual(await memberships(), [['other', 'owner']])
    })

    it('members of a user who no longer exists are removed from all accounts, also as the last owner', async () => {
      await using storage = await open()
      await addAccount(storage, 'acme', 'ann')
      await addAccount(storage, 'other', 'ben')
      await invite(storage, 'ann', 'other')
      await storage.people.accept(hash('ann'), 'ann', NOON)
      await storage.people.removeMemberships('ann')
      assert.deepEqual(await storage.people.memberships('ann'), [])
      assert.equal((await storage.people.memberships('ben')).length, 1)
    })

    it('members removed from their last two accounts at the same time have one removal that reports the last account', async () => {
      await using storage = await open()
      for (const [account, owner] of [
        ['acme', 'ben'],
        ['other', 'cleo'],
      ] as const) {
        await addAccount(storage, account, owner)
        await invite(storage, `ann at ${account}`, account)
        await storage.people.accept(hash(`ann at ${account}`), 'ann', NOON)
      }
      const removals = await Promise.all(
        ['acme', 'other'].map((account) => storage.people.removeMember(account, 'ann')),
      )
      assert.deepEqual(removals.sort(), ['done', 'last_account'])
    })

    it('members keep an invitation of their own account open for others', async () => {
      await using storage = await open()
      await addAccount(storage, 'acme', 'ann')
      await invite(storage, 'ben', 'acme')
      assert.equal(await storage.people.accept(hash('ben'), 'ann', NOON), false)
      assert.equal((await storage.people.memberships('ann'))[0]?.role, 'owner')
      assert.equal(await storage.people.accept(hash('ben'), 'ben', NOON), true)
    })

    it('members always include an owner', async () => {
      await using storage = await open()
      await addAccount(storage, 'acme', 'ann')
      assert.equal(await storage.people.setRole('acme', 'ann', 'member'), 'last_owner')
      assert.equal(await storage.people.removeMember('acme', 'ann'), 'last_owner')
      assert.equal(await storage.people.setRole('acme', 'ann', 'owner'), 'done')
      await invite(storage, 'ben', 'acme', 'owner')
      await storage.people.accept(hash('ben'), 'ben', NOON)
      assert.equal(await storage.people.setRole('acme', 'ann', 'member'), 'done')
      assert.equal(await storage.people.removeMember('acme', 'ben'), 'last_owner')
      assert.equal(await storage.people.removeMember('acme', 'ann'), 'last_account')
      assert.deepEqual(
        (await storage.people.members('acme')).map(({ userId, role }) => [userId, role]),
        [['ben', 'owner']],
      )
    })

    it('members of another account are not found', async () => {
      await using storage = await open()
      await addAccount(storage, 'acme', 'ann')
      await addAccount(storage, 'other', 'ben')
      assert.equal(await storage.people.setRole('acme', 'ben', 'member'), 'not_found')
      assert.equal(await storage.people.removeMember('acme', 'ben'), 'not_found')
      assert.equal((await storage.people.memberships('ben'))[0]?.role, 'owner')
      assert.deepEqual(
        (await storage.people.members('acme')).map(({ userId }) => userId),
        ['ann'],
      )
    })
  })

  describe('invitations', () => {
    it('invitations are found by their address, the newest open one', async () => {
      await using storage = await open()
      await addAccount(storage, 'acme', 'ann')
      const email = 'Ben@example.com'
      const add = (id: string, createdAt: Instant) =>
        storage.people.invite(
          { id, accountId: 'acme', email, role: 'member', createdAt, expiresAt: after(HOUR), inviter: null },
          hash(id),
        )
      await add('older', NOON)
      await add('newer', after(1))
      const found = await storage.people.openInvitationOf('ben@example.com', after(2))
      assert.deepEqual([found?.invitation.id, found?.sha256Hex], ['newer', hash('newer')])
      assert.equal(await storage.people.accept(hash('newer'), 'ben', after(2)), true)
      const left = await storage.people.openInvitationOf('ben@example.com', after(2))
      assert.equal(left?.invitation.id, 'older')
      assert.equal(await storage.people.openInvitationOf('ben@example.com', after(HOUR)), null)
      assert.equal(await storage.people.openInvitationOf('eve@example.com', after(2)), null)
    })

    it('invitations add a member to their account with their role, once', async () => {
      await using storage = await open()
      await addAccount(storage, 'acme', 'ann')
      await invite(storage, 'ben', 'acme')
      assert.equal((await storage.people.invitationOf(hash('ben'), NOON))?.email, 'ben@example.com')
      assert.equal(await storage.people.accept(hash('ben'), 'user-ben', after(1)), true)
      assert.deepEqual((await storage.people.memberships('user-ben'))[0], {
        userId: 'user-ben',
        accountId: 'acme',
        accountName: 'acme',
        role: 'member',
        operator: false,
        createdAt: after(1),
        requiresSecondFactor: false,
      })
      assert.equal(await storage.people.accept(hash('ben'), 'user-again', after(2)), false)
      assert.deepEqual(await storage.people.memberships('user-again'), [])
      assert.equal(await storage.people.invitationOf(hash('ben'), after(2)), null)
      assert.deepEqual(await storage.people.invitations('acme', after(2)), [])
    })

    it('invitations expire', async () => {
      await using storage = await open()
      await addAccount(storage, 'acme', 'ann')
      await invite(storage, 'ben', 'acme')
      assert.notEqual(await storage.people.invitationOf(hash('ben'), after(HOUR - 1)), null)
      assert.equal(await storage.people.invitationOf(hash('ben'), after(HOUR)), null)
      assert.equal(await storage.people.accept(hash('ben'), 'user-ben', after(HOUR)), false)
      assert.deepEqual(await storage.people.invitations('acme', after(HOUR)), [])
    })

    it('invitations are listed and withdrawn only for their account', async () => {
      await using storage = await open()
      await addAccount(storage, 'acme', 'ann')
      await addAccount(storage, 'other', 'ben')
      await invite(storage, 'one', 'acme')
      await invite(storage, 'two', 'other')
      const ids = async (accountId: string) =>
        (await storage.people.invitations(accountId, NOON)).map(({ id }) => id)
      assert.deepEqual(await ids('acme'), ['one'])
      assert.equal(await storage.people.withdraw('other', 'one'), false)
      assert.deepEqual(await ids('acme'), ['one'])
      assert.equal(await storage.people.withdraw('acme', 'one'), true)
      assert.equal(await storage.people.invitationOf(hash('one'), NOON), null)
      assert.deepEqual(await ids('other'), ['two'])
    })
  })
}
