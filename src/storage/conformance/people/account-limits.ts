import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import type { WithInstants } from '../../../runtime/instant.ts'
import { type Instant, later } from '../../../runtime/instant.ts'
import { LimitReached } from '../../port/errors.ts'
import type { IdempotencyKey } from '../../port/hooks.ts'
import type { Invitation } from '../../port/people.ts'
import type { Storage } from '../../port/storage.ts'
import type { Engine } from '../harness.ts'
import { addPeople, after, claimFeeds, HOUR, hookOf, NOON, pollSet, subscribe, watchOf } from '../samples.ts'

const limits = { hooksMax: 3, storefrontsMax: 100 }
const key = (given: Partial<IdempotencyKey> = {}): IdempotencyKey => ({
  keySha256Hex: 'aa'.repeat(32),
  requestSha256Hex: 'bb'.repeat(32),
  answer: 'sealed answer',
  expiresAt: after(24 * HOUR),
  ...given,
})

const ONE_MORE_MAX = 3

const sha256Of = (text: string) => createHash('sha256').update(text).digest('hex')

const invitationOf = (id: string, accountId: string, createdAt: Instant): WithInstants<Invitation> => ({
  id,
  accountId,
  email: `${id}@example.com`,
  role: 'member',
  inviter: null,
  createdAt,
  expiresAt: later(createdAt, HOUR),
})

/** Each adds one more to an account, up to `ONE_MORE_MAX`. */
const ADD_ONE: Readonly<Record<string, (storage: Storage, accountId: string) => Promise<unknown>>> = {
  tokens: ({ accounts }, accountId) => {
    const id = randomUUID()
    return accounts.createToken(
      { id, accountId, name: id, scopes: ['read'], createdAt: NOON, expiresAt: null },
      sha256Of(id),
      ONE_MORE_MAX,
    )
  },
  invitations: ({ people }, accountId) => {
    const id = randomUUID()
    return people.invite(invitationOf(id, accountId, NOON), sha256Of(id), ONE_MORE_MAX)
  },
  replays: ({ deadLetters }, accountId) => {
    const replay = { id: randomUUID(), accountId, filter: {}, ratePerSecond: 1, createdAt: NOON }
    return deadLetters.createReplays([replay], ONE_MORE_MAX)
  },
}

export function accountLimitsSuite({ open, openAgain }: Engine): void {
  describe('the limits of an account', () => {
    it('the limits of an account are not exceeded when several processes create many hooks at once', async () => {
      await using storage = await open()
      await using other = await openAgain()
      await addPeople(storage)
      const results = await Promise.allSettled(
        Array.from({ length: 12 }, (_, index) => {
          const hook = hookOf()
          const watch = watchOf(hook, { appId: String(index) })
          return (index % 2 === 0 ? storage : other).hooks.create(hook, [watch], { limits })
        }),
      )
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 3)
      for (const result of results) {
        if (result.status === 'rejected') {
          assert.ok(result.reason instanceof LimitReached, String(result.reason))
          assert.deepEqual([result.reason.what, result.reason.max], ['hooks', 3])
        }
      }
      assert.equal((await storage.hooks.list('alice')).length, 3)
      // The rejected change stored neither feeds nor rows of the rotation.
      assert.equal((await pollSet(storage)).length, 3)
      assert.equal((await claimFeeds(storage)).length, 3)
      await storage.hooks.create(hookOf({ accountId: 'bob' }), [], { limits })
    })

    it('the limits of an account allow another hook after a removal, and keep existing hooks when lowered', async () => {
      await using storage = await open()
      await addPeople(storage)
      const made = [await subscribe(storage), await subscribe(storage)]
      const lowered = { hooksMax: 1, storefrontsMax: 100 }
      const create = () => storage.hooks.create(hookOf(), [], { limits: lowered })
      await assert.rejects(create, LimitReached)
      await storage.hooks.remove('alice', made[0]?.hook.id ?? '', NOON)
      await assert.rejects(create, LimitReached)
      await storage.hooks.remove('alice', made[1]?.hook.id ?? '', NOON)
      assert.deepEqual(await create(), { kind: 'created' })
    })

    it('the limits of an account count each app once for each storefront, whether it is tracked or watched', async () => {
      await using storage = await open()
      await addPeople(storage)
      const two = { hooksMax: 100, storefrontsMax: 2 }
      const app = { store: 'apple', appId: '1' } as const
      await storage.hooks.trackStorefronts('alice', app, ['us', 'gb'], NOON, two)
      const hook = hookOf()
      await storage.hooks.create(hook, [watchOf(hook, { storefronts: ['gb'] })], { limits: two })
      const refused = (change: () => Promise<unknown>) =>
        assert.rejects(change, (error) => error instanceof LimitReached && error.what === 'storefronts')
      await refused(() => storage.hooks.trackStorefronts('alice', app, ['us', 'gb', 'fr'], NOON, two))
      const watches = { ...two, watchesMax: 200 }
      await refused(() => storage.hooks.addWatch('alice', watchOf(hook, { appId: '2' }), watches))
      const [watch] = (await storage.hooks.get('alice', hook.id))?.watches ?? []
      if (watch === undefined) assert.fail()
      const createdAt = NOON
      await refused(() =>
        storage.hooks.updateWatch('alice', { ...watch, createdAt, storefronts: ['jp'] }, two),
      )
      const several = { ...watch, createdAt, storefronts: ['us', 'jp'] as const }
      await refused(() => storage.hooks.updateWatch('alice', several, two))
      assert.deepEqual((await storage.hooks.get('alice', hook.id))?.watches, [watch])
      assert.equal((await storage.hooks.watchedApps('alice')).length, 2)
      await storage.hooks.trackStorefronts('alice', app, ['gb'], NOON, two)
      assert.equal(await storage.hooks.addWatch('alice', watchOf(hook, { appId: '2' }), watches), true)
    })
  })

  describe('the limits of tokens, open invitations and open replays', () => {
    for (const [what, add] of Object.entries(ADD_ONE)) {
      it(`the limit of an account holds when many ${what} are added at once, by several processes`, async () => {
        await using storage = await open()
        await using other = await openAgain()
        await addPeople(storage)
        const results = await Promise.allSettled(
          Array.from({ length: 12 }, (_, nth) => add(nth % 2 === 0 ? storage : other, 'alice')),
        )
        assert.equal(results.filter(({ status }) => status === 'fulfilled').length, ONE_MORE_MAX)
        for (const result of results) {
          if (result.status === 'rejected') {
            assert.ok(result.reason instanceof LimitReached, String(result.reason))
            assert.deepEqual([result.reason.what, result.reason.max], [what, ONE_MORE_MAX])
          }
        }
        await add(storage, 'bob')
      })
    }

    it('the limit of open invitations counts only those that can still be accepted', async () => {
      await using storage = await open()
      await addPeople(storage)
      const invite = (id: string, createdAt: Instant) =>
        storage.people.invite(invitationOf(id, 'alice', createdAt), sha256Of(id), 2)
      await invite('accepted', NOON)
      await invite('old', NOON)
      await assert.rejects(invite('new', NOON), LimitReached)
      await storage.people.accept(sha256Of('accepted'), 'ben', NOON)
      await invite('new', NOON)
      await assert.rejects(invite('newer', after(HOUR - 1)), LimitReached)
      await invite('newer', after(HOUR))
    })
  })

  describe('the limit of watches', () => {
    it('the limit of watches is not exceeded for any hook when several processes add many at once', async () => {
      await using storage = await open()
      await using other = await openAgain()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const three = { hooksMax: 100, storefrontsMax: 100, watchesMax: 3 }
      const add = (at: number) =>
        (at % 2 === 0 ? storage : other).hooks.addWatch('alice', watchOf(hook), three)
      const results = await Promise.allSettled(Array.from({ length: 8 }, (_, index) => add(index)))
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 2)
      for (const result of results) {
        if (result.status === 'rejected') {
          assert.ok(result.reason instanceof LimitReached, String(result.reason))
          assert.deepEqual([result.reason.what, result.reason.max], ['watches', 3])
        }
      }
      assert.equal((await storage.hooks.get('alice', hook.id))?.watches.length, 3)
      const { hook: another } = await subscribe(storage)
      assert.equal(await storage.hooks.addWatch('alice', watchOf(another), three), true)
    })
  })

  describe('a create with an idempotency key', () => {
    it('a create with an idempotency key creates one hook for many concurrent calls, and returns the first answer to all others', async () => {
      await using storage = await open()
      await using other = await openAgain()
      await addPeople(storage)
      const created = await Promise.all(
        Array.from({ length: 8 }, (_, index) => {
          const idempotencyKey = key({ answer: `answer ${index}` })
          return (index % 2 === 0 ? storage : other).hooks.create(hookOf(), [], { idempotencyKey })
        }),
      )
      assert.equal((await storage.hooks.list('alice')).length, 1)
      const repeated = created.filter(({ kind }) => kind === 'repeated')
      assert.equal(repeated.length, 7)
      const [first] = repeated
      for (const each of repeated) assert.deepEqual(each, first)
      const winner = created.findIndex(({ kind }) => kind === 'created')
      assert.deepEqual(first, {
        kind: 'repeated',
        requestSha256Hex: key().requestSha256Hex,
        answer: `answer ${winner}`,
      })
    })

    it('a create with an idempotency key creates another hook for another account, for another key, and after the key has expired', async () => {
      await using storage = await open()
      await addPeople(storage)
      const create = (given: Parameters<typeof hookOf>[0], idempotencyKey = key()) =>
        storage.hooks.create(hookOf(given), [], { idempotencyKey })
      const kinds = [
        await create({}),
        await create({ accountId: 'bob' }),
        await create({}, key({ keySha256Hex: 'cc'.repeat(32) })),
        await create({ createdAt: after(24 * HOUR - 1) }),
        await create({ createdAt: after(24 * HOUR) }, key({ expiresAt: after(48 * HOUR) })),
        await create({ createdAt: after(25 * HOUR) }),
      ].map(({ kind }) => kind)
      assert.deepEqual(kinds, ['created', 'created', 'created', 'repeated', 'created', 'repeated'])
    })

    it('a create with an idempotency key returns the first answer when the account has reached its limit of hooks', async () => {
      await using storage = await open()
      await addPeople(storage)
      const one = { hooksMax: 1, storefrontsMax: 1 }
      await storage.hooks.create(hookOf(), [], { idempotencyKey: key(), limits: one })
      assert.equal(
        (await storage.hooks.create(hookOf(), [], { idempotencyKey: key(), limits: one })).kind,
        'repeated',
      )
    })

    it('a create with an idempotency key does not use the key when it is rejected', async () => {
      await using storage = await open()
      await addPeople(storage)
      const none = { hooksMax: 0, storefrontsMax: 0 }
      await assert.rejects(
        storage.hooks.create(hookOf(), [], { idempotencyKey: key(), limits: none }),
        LimitReached,
      )
      assert.equal((await storage.hooks.create(hookOf(), [], { idempotencyKey: key() })).kind, 'created')
    })

    it('the stored answer of an idempotency key is deleted by retention after the key has expired', async () => {
      await using storage = await open()
      await addPeople(storage)
      await storage.hooks.create(hookOf(), [], { idempotencyKey: key() })
      assert.equal(await storage.maintenance.prune(after(24 * HOUR), 10), 0)
      assert.equal(await storage.maintenance.prune(after(24 * HOUR + 1), 10), 1)
      assert.equal(await storage.maintenance.prune(after(24 * HOUR + 1), 10), 0)
    })
  })
}
