import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fingerprintOf } from '../../../model/review.ts'
import { type TriageNote, UNTOUCHED } from '../../../model/triage.ts'
import { LimitReached } from '../../port/errors.ts'
import type { Storage } from '../../port/storage.ts'
import type { Engine } from '../harness.ts'
import { bring, feedOf, tick } from '../reports/samples.ts'
import { addAccount, after, HOUR, MINUTE, NOON, reviewOf, takeOccurrences } from '../samples.ts'

const TAGS_MAX = 3
const NOTE: TriageNote = { id: 'not_1', text: 'Ask Bob', authorId: 'user of alice', author: 'Alice', atMs: 1 }

const of = (reviewId: string) => fingerprintOf('apple', '1', reviewId)

/** Alice and Bob see the reviews a, b and c, newest first. */
async function prepared(open: Engine['open']): Promise<Storage> {
  const storage = await open()
  await addAccount(storage, 'alice', 'user of alice')
  await addAccount(storage, 'bob', 'user of bob')
  await tick(storage, 'alice', ['us'])
  await tick(storage, 'bob', ['us'])
  await bring(
    storage,
    ['a', 'b', 'c'].map((reviewId, index) => reviewOf({ reviewId, occurredAt: after(-index * MINUTE) })),
  )
  return storage
}

const triageOf = async (storage: Storage, reviewId: string, accountId = 'alice') =>
  (await storage.reports.review(accountId, of(reviewId)))?.triage

export function triageSuite({ open, openAgain }: Engine): void {
  describe('triage', () => {
    it('triage of a review belongs to one account', async () => {
      await using storage = await prepared(open)
      assert.deepEqual(await triageOf(storage, 'a'), UNTOUCHED)
      const change = {
        fingerprint: of('a'),
        status: 'done',
        assignee: 'user of alice',
        addTags: ['vip'],
      } as const
      const now = { status: 'done', assignee: 'user of alice', tags: ['vip'], notes: [] }
      assert.deepEqual(await storage.triage.change('alice', [change], TAGS_MAX), [
        { fingerprint: of('a'), before: UNTOUCHED, now },
      ])
      assert.deepEqual(await triageOf(storage, 'a'), now)
      assert.deepEqual(await triageOf(storage, 'a', 'bob'), UNTOUCHED)
      const page = await storage.reports.reviews('alice', {}, { limit: 9, before: null })
      assert.deepEqual(
        page.reviews.map(({ triage }) => triage),
        [now, UNTOUCHED, UNTOUCHED],
      )
    })

    it('triage ignores reviews that the account does not see', async () => {
      await using storage = await prepared(open)
      await tick(storage, 'bob', [])
      const change = (fingerprint: string) => ({ fingerprint, status: 'done' }) as const
      assert.deepEqual(await storage.triage.change('bob', [change(of('a')), change(of('x'))], TAGS_MAX), [])
      assert.equal(await storage.triage.addNote('bob', of('a'), NOTE, 9), false)
      assert.equal(await storage.triage.removeNote('bob', of('a'), NOTE.id, undefined), 'missing')
      assert.deepEqual(await triageOf(storage, 'a'), UNTOUCHED)
    })

    it('triage changes the other reviews of a call when one would have a stranger or too many tags', async () => {
      await using storage = await prepared(open)
      const both = (change: object) => [
        { fingerprint: of('a'), status: 'seen' as const },
        { fingerprint: of('b'), ...change },
      ]
      const refused = async (change: object) => {
        const results = await storage.triage.change('alice', both(change), TAGS_MAX)
        assert.deepEqual((await triageOf(storage, 'a'))?.status, 'seen')
        assert.deepEqual(await triageOf(storage, 'b'), UNTOUCHED)
        return results[1]
      }
      const fingerprint = of('b')
      assert.deepEqual(await refused({ assignee: 'user of bob' }), { fingerprint, refused: 'no_member' })
      assert.deepEqual(await refused({ addTags: ['1', '2', '3', '4'] }), {
        fingerprint,
        refused: 'too_many_tags',
      })
      await storage.triage.change('alice', both({ tags: ['b', 'a'] }), TAGS_MAX)
      assert.deepEqual((await triageOf(storage, 'a'))?.status, 'seen')
      assert.deepEqual((await triageOf(storage, 'b'))?.tags, ['a', 'b'])
    })

    it('triage that returns to its beginning leaves no row', async () => {
      await using storage = await prepared(open)
      const set = (change: object) =>
        storage.triage.change('alice', [{ fingerprint: of('a'), ...change }], TAGS_MAX)
      await set({ status: 'done', tags: ['x'] })
      await set({ status: 'new', removeTags: ['x'] })
      assert.deepEqual(await triageOf(storage, 'a'), UNTOUCHED)
      assert.deepEqual(await feedOf(storage, 'alice', { status: 'new' }), ['a', 'b', 'c'])
    })

    it('triage filters the feed and its count by status, assignee and tag', async () => {
      await using storage = await prepared(open)
      await storage.triage.change(
        'alice',
        [
          { fingerprint: of('a'), status: 'done', assignee: 'user of alice', tags: ['billing', 'vip'] },
          { fingerprint: of('b'), status: 'seen', tags: ['v_p', '100%'] },
        ],
        TAGS_MAX,
      )
      const found = (filter: Parameters<typeof feedOf>[2], accountId = 'alice') =>
        feedOf(storage, accountId, filter)
      assert.deepEqual(await found({ status: 'new' }), ['c'])
      assert.deepEqual(await found({ status: 'seen' }), ['b'])
      assert.deepEqual(await found({ status: 'done' }), ['a'])
      assert.deepEqual(await found({ assignee: 'user of alice' }), ['a'])
      assert.deepEqual(await found({ assignee: null }), ['b', 'c'])
      assert.deepEqual(await found({ assignee: null, status: 'new' }), ['c'])
      assert.deepEqual(await found({ assignee: 'user of alice', status: 'new' }), [])
      assert.deepEqual(await found({ tag: 'vip' }), ['a'])
      assert.deepEqual(await found({ tag: 'bill' }), [])
      assert.deepEqual(await found({ tag: 'v_p' }), ['b'])
      assert.deepEqual(await found({ tag: '100%' }), ['b'])
      assert.deepEqual(await found({ tag: '"' }), [])
      assert.deepEqual(await found({ tag: 'vip', status: 'done', stars: [1, 2, 3, 4, 5] }), ['a'])
      assert.deepEqual(await found({ status: 'new' }, 'bob'), ['a', 'b', 'c'])
      assert.deepEqual(await found({ tag: 'vip' }, 'bob'), [])
      assert.equal(await storage.reports.countReviews('alice', { status: 'new' }, 9), 1)
      assert.equal(await storage.reports.countReviews('alice', { tag: 'vip', text: 'nothing' }, 9), 0)
    })

    it('triage notes are bounded, and removed by their author or by anybody who may', async () => {
      await using storage = await prepared(open)
      const { triage } = storage
      const second = { ...NOTE, id: 'not_2', authorId: null, author: 'Token' }
      assert.equal(await triage.addNote('alice', of('a'), NOTE, 2), true)
      assert.equal(await triage.addNote('alice', of('a'), second, 2), true)
      await assert.rejects(triage.addNote('alice', of('a'), { ...NOTE, id: 'not_3' }, 2), LimitReached)
      await triage.change('alice', [{ fingerprint: of('a'), status: 'seen' }], TAGS_MAX)
      assert.deepEqual((await triageOf(storage, 'a'))?.notes, [NOTE, second])
      assert.equal(await triage.removeNote('alice', of('a'), 'not_9', undefined), 'missing')
      assert.equal(await triage.removeNote('alice', of('a'), 'not_2', 'user of alice'), 'not_author')
      assert.equal(await triage.removeNote('alice', of('a'), 'not_1', 'user of alice'), 'removed')
      assert.equal(await triage.removeNote('alice', of('a'), 'not_2', undefined), 'removed')
      assert.deepEqual((await triageOf(storage, 'a'))?.notes, [])
    })

    it('triage of a removed member is unassigned, in that account only', async () => {
      await using storage = await prepared(open)
      const { people, triage } = storage
      await addAccount(storage, 'carol', 'user of alice')
      await tick(storage, 'carol', ['us'])
      const assign = (accountId: string) =>
        triage.change(accountId, [{ fingerprint: of('a'), assignee: 'user of alice', tags: ['t'] }], TAGS_MAX)
      await people.removeMemberships('user of bob')
      const invitation = { accountId: 'alice', email: 'b@b', role: 'owner', createdAt: NOON } as const
      await people.invite(
        { ...invitation, id: 'inv_1', expiresAt: after(24 * HOUR), inviter: null },
        '0'.repeat(64),
      )
      assert.equal(await people.accept('0'.repeat(64), 'user of bob', NOON), true)
      await assign('alice')
      await assign('carol')
      assert.equal(await people.removeMember('alice', 'user of alice'), 'done')
      assert.deepEqual(await triageOf(storage, 'a'), { ...UNTOUCHED, tags: ['t'] })
      assert.equal((await triageOf(storage, 'a', 'carol'))?.assignee, 'user of alice')
      await people.removeMemberships('user of alice')
      assert.equal((await triageOf(storage, 'a', 'carol'))?.assignee, null)
    })

    it('triage of a review goes with the review, whether erased or after its retention', async () => {
      await using storage = await prepared(open)
      const all = ['a', 'b'].map((id) => ({ fingerprint: of(id), tags: ['x'] }))
      await storage.triage.change('alice', all, TAGS_MAX)
      await storage.triage.addNote('bob', of('a'), NOTE, 9)
      await storage.erasures.erase(of('a'), null)
      assert.deepEqual(await feedOf(storage, 'alice', { tag: 'x' }), ['b'])
      await takeOccurrences(storage, after(HOUR))
      while ((await storage.maintenance.prune(after(24 * HOUR), 9)) > 0);
      assert.deepEqual(await feedOf(storage, 'alice'), [])
      // Foreign keys would keep the account.
      await storage.accounts.beginDeletion('alice', NOON)
      while ((await storage.accounts.deletionStep('alice', NOON, 9)) === 'more');
      await storage.accounts.endDeletion('alice')
      assert.equal(await storage.accounts.get('alice'), null)
    })

    it('triage of an account is deleted with it, and that of others stays', async () => {
      await using storage = await prepared(open)
      for (const account of ['alice', 'bob'])
        await storage.triage.change(account, [{ fingerprint: of('a'), status: 'done' }], TAGS_MAX)
      await storage.accounts.beginDeletion('alice', NOON)
      while ((await storage.accounts.deletionStep('alice', NOON, 1)) === 'more');
      await storage.accounts.endDeletion('alice')
      assert.equal(await storage.accounts.get('alice'), null)
      assert.equal((await triageOf(storage, 'a', 'bob'))?.status, 'done')
    })

    it('triage keeps the notes and tags of concurrent changes', async () => {
      await using storage = await prepared(open)
      await using other = await openAgain()
      const each = (nth: number) => (nth % 2 === 0 ? storage : other).triage
      await Promise.all([
        ...[1, 2, 3].map((n) =>
          each(n).change('alice', [{ fingerprint: of('a'), addTags: [`t${n}`] }], TAGS_MAX),
        ),
        ...[4, 5, 6].map((n) => each(n).addNote('alice', of('a'), { ...NOTE, id: `not_${n}` }, 9)),
      ])
      const triage = await triageOf(storage, 'a')
      assert.deepEqual(triage?.tags, ['t1', 't2', 't3'])
      assert.deepEqual(triage?.notes.map(({ id }) => id).sort(), ['not_4', 'not_5', 'not_6'])
    })
  })
}
