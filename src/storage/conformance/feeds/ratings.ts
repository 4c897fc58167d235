import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Rating, transitionIdOf } from '../../../model/rating.ts'
import type { Instant } from '../../../runtime/instant.ts'
import type { LeasedFeed, RatingDecision } from '../../port/feeds.ts'
import type { Storage } from '../../port/storage.ts'
import type { Engine } from '../harness.ts'
import {
  addPeople,
  after,
  claimFeed,
  claimFeeds,
  HOUR,
  NOON,
  pollOf,
  stars,
  subscribe,
  takeOccurrences,
} from '../samples.ts'

const RATING = { eventType: 'rating.dropped', deltaMicros: 100_000 } as const

/** Commits one observation. Any decrease is a drop. */
async function observe(storage: Storage, feed: LeasedFeed, rating: Rating, at = NOON): Promise<void> {
  await storage.feeds.commitRatings([{ ...pollOf(feed, { polledAt: at }), rating }], (_, baseline) =>
    decide(rating, baseline, at),
  )
}

function decide(current: Rating, previous: Rating | null, at: Instant): RatingDecision {
  return {
    baseline: current,
    drop:
      previous !== null && current.micros < previous.micros
        ? { occurrenceId: transitionIdOf('apple', '1', current), previous, current }
        : null,
    nextPollAt: at,
    intervalMs: 2 * HOUR,
  }
}

/** `history`: the rating counts in the history of the last opened database, oldest first. */
export function ratingsSuite({ open }: Engine, history: () => Promise<number[]>): void {
  describe('an observed rating', () => {
    it('an observed rating becomes the baseline of the next one', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage, {}, RATING)
      const feed = await claimFeed(storage, { kind: 'rating' })
      assert.equal(feed.baseline, null)
      assert.equal(feed.forwardFrom, null)
      await observe(storage, feed, stars(4.5, 1_000))
      const again = await claimFeed(storage, { kind: 'rating' })
      assert.deepEqual(again.baseline, stars(4.5, 1_000))
      assert.equal(again.intervalMs, 2 * HOUR)
      assert.deepEqual(await takeOccurrences(storage, after(HOUR)), [])
    })

    it('an observed rating with a drop becomes an occurrence that is ready at once', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage, {}, RATING)
      await observe(storage, await claimFeed(storage, { kind: 'rating' }), stars(4.5))
      await observe(storage, await claimFeed(storage, { kind: 'rating' }), stars(4.4, 101))
      const [occurrence, ...more] = await takeOccurrences(storage, NOON)
      assert.deepEqual(more, [])
      assert.deepEqual(occurrence, {
        seq: occurrence?.seq,
        occurrenceId: transitionIdOf('apple', '1', stars(4.4, 101)),
        store: 'apple',
        appId: '1',
        market: 'us',
        occurredAt: NOON,
        observedAt: NOON,
        eventType: 'rating.dropped',
        previous: stars(4.5),
        current: stars(4.4, 101),
        highs: [{ micros: 4_500_000, ageMs: 0 }],
      })
    })

    it('an observed rating has the higher ratings of the last 30 days, without those of an earlier baseline', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook, watch } = await subscribe(storage, {}, RATING)
      const day = 24 * HOUR
      const rate = async (value: number, at: number) => {
        const now = after(at)
        await observe(storage, await claimFeed(storage, { kind: 'rating', now }), stars(value, at), now)
      }
      const highs = async (at: number) =>
        (await takeOccurrences(storage, after(at))).map((drop) =>
          drop.eventType === 'rating.dropped'
            ? drop.highs.map((high) => [high.micros / 1e6, high.ageMs])
            : [],
        )
      for (const [index, value] of [4.9, 4.5, 4.2, 4.4, 4.3].entries()) await rate(value, index * day)
      assert.deepEqual((await highs(4 * day)).at(-1), [
        [4.9, 3 * day],
        [4.5, 2 * day],
        [4.4, 0],
      ])
      await rate(4.1, 40 * day)
      assert.deepEqual(await highs(40 * day), [[[4.3, 0]]])
      // The feed leaves the poll set and returns: its baseline is new.
      await storage.hooks.removeWatch('alice', hook.id, watch.id, after(40 * day))
      await storage.hooks.addWatch('alice', { ...watch, createdAt: after(41 * day) })
      await rate(4.0, 41 * day)
      await rate(3.9, 42 * day)
      await rate(3.8, 43 * day)
      assert.deepEqual(await highs(43 * day), [
        [[4, 0]],
        [
          [4, day],
          [3.9, 0],
        ],
      ])
    })

    it('an observed rating creates one drop to the same value in each market', async () => {
      await using storage = await open()
      await addPeople(storage)
      await storage.hooks.trackStorefronts('alice', { store: 'apple', appId: '1' }, ['us', 'gb'], NOON)
      for (const rating of [stars(4.5), stars(4.4), stars(4.5), stars(4.4)]) {
        for (const feed of await claimFeeds(storage, { kind: 'rating' })) await observe(storage, feed, rating)
      }
      assert.deepEqual((await takeOccurrences(storage, NOON)).map(({ market }) => market).sort(), [
        'gb',
        'us',
      ])
    })

    it('an observed rating is committed with the others of its request, except those without their lease', async () => {
      await using storage = await open()
      await addPeople(storage)
      for (const appId of ['1', '2', '3']) await subscribe(storage, {}, { ...RATING, appId })
      const feeds = await claimFeeds(storage, { kind: 'rating', leaseMs: 2 * HOUR })
      const [first, second, third] = feeds
      if (!first || !second || !third) assert.fail()
      const feedIds: number[] = []
      const written = await storage.feeds.commitRatings(
        [
          { ...pollOf(first), rating: stars(4) },
          { ...pollOf({ ...second, lease: 'another' }), rating: stars(4) },
          { ...pollOf(third, { outcome: 'empty' }), rating: null },
          { ...pollOf(first), rating: stars(3) },
        ],
        ({ feedId, rating }, baseline, intervalMs) => {
          feedIds.push(feedId)
          assert.equal(baseline, null)
          assert.equal(intervalMs, first.intervalMs)
          return { baseline: rating, drop: null, nextPollAt: after(HOUR), intervalMs: HOUR }
        },
      )
      assert.deepEqual(written, new Set([first.id, third.id]))
      assert.deepEqual(feedIds, [first.id, third.id])
      const again = await claimFeeds(storage, { kind: 'rating', now: after(HOUR) })
      assert.deepEqual(
        again.map(({ id, baseline }) => [id, baseline]),
        [
          [first.id, stars(4)],
          [third.id, null],
        ],
      )
    })

    it('an observed rating is added to the history after a change, and otherwise once per day', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage, {}, RATING)
      const readings: [hours: number, value: number, count: number][] = [
        [0, 4.5, 10],
        [1, 4.5, 11],
        [2, 4.4, 12],
        [3, 4.5, 13],
        [26, 4.5, 14],
        [27, 4.5, 15],
      ]
      for (const [hours, value, count] of readings) {
        const at = after(hours * HOUR)
        await observe(storage, await claimFeed(storage, { kind: 'rating', now: at }), stars(value, count), at)
      }
      assert.deepEqual(await history(), [10, 12, 13, 15])
    })

    it('an observed rating without a feed changes nothing', async () => {
      await using storage = await open()
      assert.deepEqual(await storage.feeds.commitRatings([], () => assert.fail('not called')), new Set())
      await storage.feeds.commitFailures([])
      await storage.feeds.release([])
    })
  })
}
