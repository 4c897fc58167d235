import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { NO_SOURCES } from '../../../../test/support/no-sources.ts'
import { hashOf } from '../../../model/canonical.ts'
import type { FeedSources } from '../../../model/feed.ts'
import { type MalformedRow, QUARANTINED_ROWS_MAX } from '../../../model/malformed-row.ts'
import type { Review } from '../../../model/review.ts'
import type { Instant } from '../../../runtime/instant.ts'
import type { LeasedFeed, SourceFindings } from '../../port/feeds.ts'
import type { Storage } from '../../port/storage.ts'
import type { Engine } from '../harness.ts'
import {
  addPeople,
  after,
  claimFeed,
  decideAll,
  HOUR,
  MINUTE,
  NO_ENRICHMENT,
  NOON,
  pollOf,
  reviewOf,
  SECOND,
  subscribe,
} from '../samples.ts'

const malformed = (rowKey: string, raw = `{"id":"${rowKey}"}`): MalformedRow => ({
  rowKey,
  reason: `row ${rowKey} has no stars`,
  raw,
  rawHash: hashOf(['row', raw]),
})

/** A poll that found these rows; the feed is due again at once. */
function meet(
  storage: Storage,
  feed: LeasedFeed,
  at: Instant,
  sourceFindings: Partial<SourceFindings>,
  reviews: readonly Review[] = [],
) {
  return storage.feeds.commitReviews(
    { ...pollOf(feed), polledAt: at },
    reviews,
    false,
    NO_ENRICHMENT,
    (known) => ({ ...decideAll(reviews)(known), nextPollAt: NOON }),
    { sources: NO_SOURCES, malformed: [], searchedAll: false, ...sourceFindings },
  )
}

const again = (storage: Storage) => claimFeed(storage, { now: after(HOUR) })

/** The keys of all quarantined rows. */
async function keysOf(storage: Storage): Promise<string[]> {
  return (await storage.feeds.quarantined({ limit: 1_000 })).map(({ rowKey }) => rowKey)
}

export function quarantineSuite({ open, openAgain }: Engine): void {
  describe('rows that cannot be parsed', () => {
    it('rows that cannot be parsed are stored with their raw form and when they were first seen, last seen and last changed', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      const feed = await claimFeed(storage)
      await meet(storage, feed, NOON, { malformed: [malformed('7'), malformed('8')] })
      await meet(storage, await again(storage), after(SECOND), {
        malformed: [malformed('7'), malformed('8', '{"id":"8","stars":9}')],
      })
      const rows = await storage.feeds.quarantined({ limit: 10 })
      const about = {
        feedId: feed.id,
        store: 'apple',
        appId: '1',
        market: 'us',
        firstSeenAt: NOON,
        lastSeenAt: after(SECOND),
      }
      assert.deepEqual(rows, [
        { ...malformed('7'), ...about, changedAt: NOON },
        { ...malformed('8', '{"id":"8","stars":9}'), ...about, changedAt: after(SECOND) },
      ])
      assert.equal((await storage.feeds.quarantined({ limit: 1 })).length, 1)
      const counts = await storage.feeds.counts()
      assert.deepEqual(
        counts.map(({ kind, quarantined }) => [kind, quarantined]),
        [['reviews', 2]],
      )
    })

    it('rows that cannot be parsed are deleted when their review is fetched', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      await meet(storage, await claimFeed(storage), NOON, { malformed: [malformed('7'), malformed('8')] })
      await meet(storage, await again(storage), after(SECOND), {}, [reviewOf({ reviewId: '7' })])
      assert.deepEqual(await keysOf(storage), ['8'])
    })

    it('rows that cannot be parsed are known to the next paging, with the time of the last search for them', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      const feed = await claimFeed(storage)
      await meet(storage, feed, NOON, { malformed: [malformed('7'), malformed('8')] })
      await meet(storage, await again(storage), after(SECOND), { malformed: [malformed('7')] })
      const checks = async () =>
        (await storage.feeds.knownMalformedRows(feed.id))
          .map(({ rowKey, rawHash, checkedAt }) => [rowKey, rawHash, checkedAt])
          .sort()
      assert.deepEqual(await checks(), [
        ['7', malformed('7').rawHash, after(SECOND)],
        ['8', malformed('8').rawHash, NOON],
      ])
      await meet(storage, await again(storage), after(MINUTE), { searchedAll: true })
      assert.deepEqual(
        (await checks()).map(([, , at]) => at),
        [after(MINUTE), after(MINUTE)],
      )
      assert.deepEqual(await storage.feeds.knownMalformedRows(feed.id + 1), [])
    })

    it('the rows that cannot be parsed have a limited number in each feed', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      const many = Array.from({ length: QUARANTINED_ROWS_MAX + 5 }, (_, n) => malformed(String(n + 1)))
      await meet(storage, await claimFeed(storage), NOON, { malformed: many })
      await meet(storage, await again(storage), after(SECOND), {
        malformed: [...many, malformed('1', 'new')],
      })
      const rows = await storage.feeds.quarantined({ limit: 1_000 })
      assert.equal(rows.length, QUARANTINED_ROWS_MAX)
      assert.equal(rows.find((row) => row.rowKey === '1')?.raw, 'new')
    })

    it('rows that cannot be parsed are deleted by retention when no poll has seen them for its period', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      await meet(storage, await claimFeed(storage), NOON, { malformed: [malformed('7'), malformed('8')] })
      await meet(storage, await again(storage), after(HOUR), { malformed: [malformed('7')] })
      for (let gone = 1; gone > 0; ) gone = await storage.maintenance.prune(after(MINUTE), 1)
      assert.deepEqual(await keysOf(storage), ['7'])
    })

    it('rows that cannot be parsed are not changed after the lease has ended', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      const feed = await claimFeed(storage)
      assert.equal(
        await meet(storage, { ...feed, lease: 'another' }, NOON, { malformed: [malformed('7')] }),
        false,
      )
      assert.deepEqual(await keysOf(storage), [])
    })
  })

  describe('the stored sources of a feed', () => {
    const sources: FeedSources = {
      newestShownAt: after(-HOUR),
      fallback: { source: 'web', since: NOON, reason: 'rss: empty.', probedAt: after(SECOND) },
      frozen: { source: 'rss', since: after(MINUTE), reason: 'ratings_move' },
      lastComparedAt: after(MINUTE),
    }

    it('the stored sources of a feed survive a restart, are counted, and can be cleared', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      const fresh = await claimFeed(storage)
      assert.deepEqual(fresh.sources, NO_SOURCES)
      await meet(storage, fresh, NOON, { sources })
      await using reopened = await openAgain()
      const feed = await again(reopened)
      assert.deepEqual(feed.sources, sources)
      assert.equal(feed.lastSource, pollOf(fresh).source)
      const shown = async () =>
        (await reopened.feeds.counts()).map(({ fallback, frozen }) => [fallback, frozen])
      assert.deepEqual(await shown(), [[1, 1]])
      const unusual = async () => (await reopened.feeds.unusual({ limit: 10 })).map((one) => one.id)
      assert.deepEqual(await unusual(), [feed.id])
      await meet(reopened, feed, NOON, {})
      assert.deepEqual((await again(reopened)).sources, NO_SOURCES)
      assert.deepEqual(await shown(), [[0, 0]])
      assert.deepEqual(await unusual(), [])
    })
  })

  describe('growth of the number of ratings', () => {
    it('growth of the number of ratings is summed over the storefronts since the last observation before an instant', async () => {
      await using storage = await open()
      await addPeople(storage)
      const app = { store: 'apple', appId: '1' } as const
      await storage.hooks.trackStorefronts('alice', app, ['us', 'gb', 'de'], NOON)
      const observe = async (at: Instant, counts: Record<string, number>) => {
        const feeds = await storage.feeds.claim({
          store: 'apple',
          kind: 'rating',
          now: after(1_000 * HOUR),
          lease: `ratings ${at.getTime()}`,
          leaseMs: MINUTE,
          limit: 10,
          sameMarket: false,
        })
        const observed = feeds.filter((feed) => counts[feed.market] !== undefined)
        await storage.feeds.commitRatings(
          observed.map((feed) => ({
            ...pollOf(feed),
            polledAt: at,
            rating: { micros: 4_000_000, count: counts[feed.market] ?? 0 },
          })),
          ({ rating }) => ({ baseline: rating, drop: null, nextPollAt: at, intervalMs: HOUR }),
        )
        await storage.feeds.release(feeds.filter((feed) => !observed.includes(feed)))
      }
      const DAY = 24 * HOUR
      await observe(NOON, { us: 100, gb: 10 })
      await observe(after(2 * DAY), { us: 120, gb: 11 })
      await observe(after(4 * DAY), { us: 150, gb: 14, de: 7 })
      const growth = (storefronts: Parameters<typeof storage.feeds.ratingsGrowth>[1], since: Instant) =>
        storage.feeds.ratingsGrowth(app, storefronts, since)
      assert.equal(await growth(['us', 'gb'], after(DAY)), 54)
      assert.equal(await growth(['us'], after(3 * DAY)), 30)
      assert.equal(await growth(['us'], after(4 * DAY)), 0)
      assert.equal(await growth(['de'], after(3 * DAY)), null, 'not observed before')
      assert.equal(await growth(['us'], after(-1)), null)
      assert.equal(await growth(['fr'], after(3 * DAY)), null)
    })
  })
}
