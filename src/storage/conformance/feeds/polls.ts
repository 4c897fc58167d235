import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fingerprintOf } from '../../../model/review.ts'
import type { KnownReviews } from '../../port/feeds.ts'
import type { Engine } from '../harness.ts'
import {
  addPeople,
  after,
  claimFeed,
  claimFeeds,
  decideAll,
  HOUR,
  MINUTE,
  NO_ENRICHMENT,
  NOON,
  poll,
  pollOf,
  reviewOf,
  SECOND,
  subscribe,
  takeOccurrences,
} from '../samples.ts'

export function pollsSuite({ open, openAgain }: Engine): void {
  describe('a poll with reviews', () => {
    it('a poll with reviews is decided with the known reviews at the time of the commit', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage, { createdAt: after(-HOUR) })
      await storage.hooks.trackStorefronts('alice', { store: 'apple', appId: '1' }, ['gb'], NOON)
      const [mine, sibling, fresh, lost] = ['mine', 'sibling', 'fresh', 'lost'].map((reviewId) =>
        reviewOf({ reviewId, body: reviewId }),
      )
      if (!mine || !sibling || !fresh || !lost) assert.fail()
      const feeds = await claimFeeds(storage)
      const [us, gb] = ['us', 'gb'].map((wanted) => feeds.find(({ market }) => market === wanted))
      if (!us || !gb) assert.fail()
      await poll(storage, gb, [mine, sibling, { ...lost, market: 'gb' }])
      await poll(storage, us, [mine], { nextPollAt: after(SECOND) })
      const again = await claimFeed(storage, { now: after(SECOND) })
      let seen: KnownReviews | undefined
      await storage.feeds.commitReviews(
        pollOf(again),
        [mine, sibling, fresh],
        false,
        NO_ENRICHMENT,
        (known) => {
          seen = known
          return decideAll([])(known)
        },
      )
      assert.deepEqual(seen, {
        inFeed: new Set([mine.fingerprint]),
        inSiblings: new Set([sibling.fingerprint]),
        contentHashes: new Map([
          [mine.fingerprint, mine.contentHash],
          [sibling.fingerprint, sibling.contentHash],
        ]),
        forwardFrom: after(-HOUR),
      })
    })

    it('a poll with reviews records seen reviews permanently, for this feed only', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      await storage.hooks.trackStorefronts('alice', { store: 'apple', appId: '1' }, ['gb'], NOON)
      const [first, second] = await claimFeeds(storage)
      if (!first || !second) assert.fail()
      const reviews = [reviewOf({ reviewId: 'a' }), reviewOf({ reviewId: 'b' })]
      const fingerprints = reviews.map(({ fingerprint }) => fingerprint)
      await poll(storage, first, reviews)
      const candidates = [...fingerprints, fingerprintOf('apple', '1', 'c')]
      assert.deepEqual(await storage.feeds.known(first.id, candidates), new Set(fingerprints))
      assert.deepEqual(await storage.feeds.known(second.id, candidates), new Set())
      assert.deepEqual(await storage.feeds.known(first.id, []), new Set())
    })

    it('a poll with reviews may contain duplicate reviews, and many reviews', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      const reviews = Array.from({ length: 600 }, (_, n) => reviewOf({ reviewId: `r${n % 500}` }))
      const feed = await claimFeed(storage)
      assert.equal(await poll(storage, feed, reviews), true)
      const fingerprints = reviews.map(({ fingerprint }) => fingerprint)
      assert.equal((await storage.feeds.known(feed.id, fingerprints)).size, 500)
      assert.equal((await takeOccurrences(storage, NOON)).length, 500)
    })

    it('a poll with reviews schedules the next one and stores its result for the operator', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      const feed = await claimFeed(storage)
      await storage.feeds.commitReviews(
        pollOf(feed, { source: 'web', detail: '3 pages', polledAt: after(SECOND) }),
        [],
        true,
        NO_ENRICHMENT,
        (known) => ({ ...decideAll([], after(HOUR))(known), intervalMs: HOUR }),
      )
      assert.deepEqual(await claimFeeds(storage, { now: after(HOUR - 1) }), [])
      const again = await claimFeed(storage, { now: after(HOUR) })
      assert.deepEqual(
        [again.dueAt, again.intervalMs, again.pagingIncomplete, again.lastOkAt, again.failures],
        [after(HOUR), HOUR, true, after(SECOND), 0],
      )
      await poll(storage, again, [])
      const [view] = await storage.feeds.list({ failingOnly: false, limit: 1 })
      assert.equal(view?.pagingIncomplete, false)
    })

    it('a poll with reviews stores the rate of reviews, and a poll without one keeps it', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      assert.deepEqual(await storage.feeds.demand('apple'), {
        reviews: [{ reviewsPerDay: null, feeds: 1 }],
        ratingPollsPerDay: 0,
      })
      for (const reviewsPerDay of [0.25, null]) {
        const feed = await claimFeed(storage, { now: after(HOUR) })
        await storage.feeds.commitReviews(pollOf(feed), [], false, NO_ENRICHMENT, (known) => ({
          ...decideAll([], after(HOUR))(known),
          reviewsPerDay,
        }))
        const { reviews } = await storage.feeds.demand('apple')
        assert.deepEqual(reviews, [{ reviewsPerDay: 0.25, feeds: 1 }])
      }
      assert.deepEqual((await storage.feeds.demand('google')).reviews, [])
    })

    it('the demand of a store counts only feeds that somebody needs', async () => {
      await using storage = await open()
      await addPeople(storage)
      await storage.hooks.trackStorefronts('alice', { store: 'apple', appId: '1' }, ['us', 'gb'], NOON)
      const { reviews, ratingPollsPerDay } = await storage.feeds.demand('apple')
      assert.deepEqual(reviews, [{ reviewsPerDay: null, feeds: 2 }])
      assert.equal(Math.round(ratingPollsPerDay), (2 * 24 * HOUR) / (15 * MINUTE))
      await storage.hooks.trackStorefronts('alice', { store: 'apple', appId: '1' }, [], NOON)
      assert.deepEqual(await storage.feeds.demand('apple'), { reviews: [], ratingPollsPerDay: 0 })
    })

    it('a poll with reviews writes nothing when the rule throws', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      const feed = await claimFeed(storage)
      const review = reviewOf({ reviewId: 'a' })
      await assert.rejects(
        storage.feeds.commitReviews(pollOf(feed), [review], false, NO_ENRICHMENT, () => {
          throw new Error('the rule is broken')
        }),
        /the rule is broken/,
      )
      await assert.rejects(
        storage.feeds.commitReviews(pollOf(feed), [review], false, NO_ENRICHMENT, (known) => ({
          ...decideAll([review])(known),
          toStore: [],
        })),
      )
      assert.deepEqual(await storage.feeds.known(feed.id, [review.fingerprint]), new Set())
      assert.equal(await poll(storage, feed, [review]), true)
    })

    it('a poll with reviews does not call the rule without the lease', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      const feed = await claimFeed(storage)
      const written = await storage.feeds.commitReviews(
        pollOf({ ...feed, lease: 'another' }),
        [reviewOf({ reviewId: 'a' })],
        false,
        NO_ENRICHMENT,
        () => assert.fail('not called'),
      )
      assert.equal(written, false)
      assert.deepEqual(await takeOccurrences(storage, after(HOUR)), [])
    })
  })

  describe('a failed poll', () => {
    it('a failed poll counts consecutive failures and keeps the newest raw answer', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      const failure = async (ms: number, raw: string | null) => {
        const feed = await claimFeed(storage, { now: after(ms) })
        await storage.feeds.commitFailures([
          {
            ...pollOf(feed, { polledAt: after(ms), outcome: 'changed', raw }),
            nextPollAt: after(ms + SECOND),
          },
        ])
        return feed
      }
      const feed = await failure(0, 'first')
      await failure(SECOND, 'second')
      await failure(2 * SECOND, null)
      const [failing] = await storage.feeds.list({ failingOnly: true, limit: 1 })
      assert.deepEqual(
        [
          failing?.failures,
          failing?.failingSince,
          failing?.lastPolledAt,
          failing?.lastOkAt,
          failing?.intervalMs,
        ],
        [3, NOON, after(2 * SECOND), null, 15 * MINUTE],
      )
      assert.equal(await storage.feeds.rawAnswer(feed.id), 'second')
      assert.equal(await storage.feeds.rawAnswer(feed.id + 1), null)
      await poll(storage, await claimFeed(storage, { now: after(HOUR) }), [], {
        poll: { outcome: 'empty', polledAt: after(HOUR) },
      })
      assert.deepEqual(await storage.feeds.list({ failingOnly: true, limit: 1 }), [])
      const [well] = await storage.feeds.list({ failingOnly: false, limit: 1 })
      assert.deepEqual([well?.failures, well?.failingSince, well?.lastOkAt], [0, null, after(HOUR)])
    })
  })

  describe('two concurrent polls of one feed', () => {
    it('two concurrent polls of one feed are not both committed', async () => {
      await using storage = await open()
      await using other = await openAgain()
      await addPeople(storage)
      await subscribe(storage)
      const feed = await claimFeed(storage)
      const review = reviewOf({ reviewId: 'a' })
      const written = await Promise.all(
        [storage, other, storage, other].map((each) => poll(each, feed, [review])),
      )
      assert.deepEqual(written.filter(Boolean), [true])
    })
  })
}
