import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { PublicReply, Review } from '../../../model/review.ts'
import type { Storage } from '../../port/storage.ts'
import type { Engine } from '../harness.ts'
import {
  addPeople,
  after,
  claimFeed,
  HOUR,
  MINUTE,
  NOON,
  poll,
  reviewOf,
  subscribe,
  takeOccurrences,
} from '../samples.ts'

const FIRST: PublicReply = { text: 'Thank you!', at: NOON }
const HOSTILE: PublicReply = {
  text: `'; drop table reviews; -- <script> {"at": 1} \\u0000 \u{1F422}\n`,
  at: null,
}

export function publicRepliesSuite({ open }: Engine): void {
  describe('public replies', () => {
    it('public replies are kept with the review, change and end, without an event', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      let minute = 0
      const shownWith = async (publicReply: Review['publicReply']) => {
        minute += 60
        const now = after(minute * MINUTE)
        const reviews = [reviewOf({ reviewId: 'a', publicReply }), reviewOf({ reviewId: 'b' })]
        await poll(storage, await claimFeed(storage, { now }), reviews, { nextPollAt: now })
        return repliesOf(storage)
      }
      assert.deepEqual(await shownWith(FIRST), { a: FIRST, b: null })
      const events = (await takeOccurrences(storage, after(minute * MINUTE))).length
      assert.equal(events, 2)
      assert.deepEqual(await shownWith(undefined), { a: FIRST, b: null })
      assert.deepEqual(await shownWith(HOSTILE), { a: HOSTILE, b: null })
      assert.deepEqual(await shownWith({ ...HOSTILE, at: after(HOUR) }), {
        a: { ...HOSTILE, at: after(HOUR) },
        b: null,
      })
      assert.deepEqual(await shownWith(null), { a: null, b: null })
      assert.deepEqual(await takeOccurrences(storage, after(minute * MINUTE)), [])
    })

    it('the public replies of the first copy of a review count', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      const newest = reviewOf({ reviewId: 'a', publicReply: FIRST })
      await poll(storage, await claimFeed(storage), [newest, { ...newest, publicReply: null }])
      assert.deepEqual(await repliesOf(storage), { a: FIRST })
    })
  })
}

async function repliesOf(storage: Storage): Promise<Record<string, PublicReply | null>> {
  const { reviews } = await storage.reports.reviews('alice', {}, { limit: 9, before: null })
  const entries = reviews.map(({ reviewId, publicReply }) => [reviewId, publicReply] as const)
  return Object.fromEntries(entries.sort())
}
