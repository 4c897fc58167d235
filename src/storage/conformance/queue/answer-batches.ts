import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Instant } from '../../../runtime/instant.ts'
import type { ClaimedReply } from '../../port/replies.ts'
import type { Engine } from '../harness.ts'
import { after, claimFeed, HOUR, NOON, poll, reviewOf, subscribe } from '../samples.ts'
import { asked, BATCH, edit, store } from './answers.ts'
import { claim, OFFICIAL, PUBLIC, prepared, publish, TARGET } from './replies.ts'

export function answerBatchesSuite({ open }: Engine): void {
  describe('answers of a batch', () => {
    it('answers of a batch leave out those that are pending, sent or published, and say so', async () => {
      await using storage = await prepared(open)
      await store(storage, 'p1')
      const { replies } = storage
      const again = (at = NOON) => replies.requestBatch('alice', asked(OFFICIAL, PUBLIC), BATCH, at)
      await replies.request('alice', OFFICIAL, TARGET, publish('By Ann'), NOON)
      assert.deepEqual(await again(), new Map([[OFFICIAL, 'pending']]))
      const text = async (fingerprint: string) => (await replies.get('alice', fingerprint))?.text
      assert.deepEqual([await text(OFFICIAL), await text(PUBLIC)], ['By Ann', `To ${PUBLIC}`])
      const claimed = async (at: Instant, lease: string) =>
        (await claim(storage, at, lease)).find(({ fingerprint }) => fingerprint === OFFICIAL)
      const ann = await claimed(NOON, 'first')
      const step = { shownText: null, problem: null, nextAt: null } as const
      await replies.settle(ann as ClaimedReply, { ...step, state: 'sent', nextAt: after(HOUR) }, NOON)
      assert.equal((await again()).get(OFFICIAL), 'pending')
      const followed = await claimed(after(HOUR), 'second')
      const shown = { ...step, state: 'published', shownText: 'By Ann' } as const
      await replies.settle(followed as ClaimedReply, shown, after(HOUR))
      assert.equal((await again()).get(OFFICIAL), 'published')
      await edit(storage, 'It crashes again.')
      assert.equal((await again()).has(OFFICIAL), false, 'the review was edited since')
      assert.equal(await text(OFFICIAL), `To ${OFFICIAL}`)
      assert.deepEqual(await replies.batch('bob', 'bat_1'), [])
    })

    it('answers of a batch leave out reviews that the public page shows with an answer', async () => {
      await using storage = await prepared(open)
      await subscribe(storage, { accountId: 'bob', id: 'bobs' })
      const publicReply = { text: 'By hand', at: NOON }
      await poll(storage, await claimFeed(storage), [reviewOf({ reviewId: 'p1', publicReply })])
      const skipped = await storage.replies.requestBatch('alice', asked(OFFICIAL, PUBLIC), BATCH, NOON)
      assert.deepEqual(skipped, new Map([[PUBLIC, 'published']]))
      assert.equal(await storage.replies.get('alice', PUBLIC), null)
    })

    it('answers of a batch leave out a review that was erased meanwhile, as a single answer is', async () => {
      await using storage = await prepared(open)
      const skipped = await storage.replies.requestBatch('alice', asked(OFFICIAL, PUBLIC), BATCH, NOON)
      assert.deepEqual(skipped, new Map([[PUBLIC, 'no_review']]))
      assert.equal(await storage.replies.request('alice', PUBLIC, TARGET, publish('Thanks'), NOON), null)
      assert.equal(await storage.replies.get('alice', PUBLIC), null)
    })

    it('answers of a batch never replace one that somebody requests at the same time', async () => {
      await using storage = await prepared(open)
      const { replies } = storage
      const ids = Array.from({ length: 20 }, (_, at) => `many ${at}`)
      await store(storage, ...ids)
      const many = ids.map((reviewId) => reviewOf({ reviewId }).fingerprint)
      await Promise.all([
        ...many.map((each) => replies.request('alice', each, TARGET, publish('By Ann'), NOON)),
        replies.requestBatch('alice', asked(...many), BATCH, NOON),
        replies.requestBatch('alice', asked(...many.toReversed()), { ...BATCH, batchId: 'bat_2' }, NOON),
      ])
      const texts = many.map(async (each) => (await replies.get('alice', each))?.text)
      assert.deepEqual(new Set(await Promise.all(texts)), new Set(['By Ann']))
    })

    it('answers of a batch are not stored without their connection, and the others are, in the order asked', async () => {
      await using storage = await prepared(open)
      await store(storage, 'p1')
      const [first, second] = asked(PUBLIC, OFFICIAL)
      assert.ok(first && second)
      const gone = { ...second, fingerprint: 'f'.repeat(64), target: { ...TARGET, connectionId: 'con_x' } }
      const skipped = await storage.replies.requestBatch('alice', [gone, first, second], BATCH, NOON)
      assert.deepEqual(skipped, new Map([[gone.fingerprint, 'not_connected']]))
      const items = await storage.replies.batch('alice', 'bat_1')
      assert.deepEqual(
        items.map(({ fingerprint }) => fingerprint),
        [PUBLIC, OFFICIAL],
      )
    })
  })
}
