import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Occurrence } from '../../../model/occurrence.ts'
import { type Instant, later } from '../../../runtime/instant.ts'
import type { Storage } from '../../port/storage.ts'
import type { Engine } from '../harness.ts'
import {
  addPeople,
  after,
  claimFeeds,
  decideAll,
  HOUR,
  MINUTE,
  NO_ENRICHMENT,
  NOON,
  pollOf,
  reviewOf,
  subscribe,
  takeOccurrences,
} from '../samples.ts'
import { eventOf } from './queue-samples.ts'

const SPIKES = { eventType: 'reviews.spiked', spike: { minReviews: 3, factor: 2 } } as const
const DAY = 24 * HOUR

/** Polls each due feed, which shows a new review with 1 star of each of these ages in milliseconds. Only spikes occur. */
async function find(storage: Storage, now: Instant, agesMs: readonly number[], rating = 1): Promise<void> {
  for (const feed of await claimFeeds(storage, { now })) {
    const found = agesMs.map((age) =>
      reviewOf({
        reviewId: `${feed.market} ${now.getTime() - age}`,
        market: feed.market,
        rating,
        occurredAt: later(now, -age),
        observedAt: now,
      }),
    )
    const decide = decideAll(found, now)
    await storage.feeds.commitReviews(
      pollOf(feed, { polledAt: now }),
      found,
      false,
      NO_ENRICHMENT,
      (known) => ({ ...decide(known), occurrences: [] }),
    )
  }
}

async function spikes(
  storage: Storage,
  now: Instant,
): Promise<Extract<Occurrence, { eventType: 'reviews.spiked' }>[]> {
  return (await takeOccurrences(storage, now)).filter((each) => each.eventType === 'reviews.spiked')
}

export function spikesSuite({ open, openAgain }: Engine): void {
  describe('new negative reviews', () => {
    it('new negative reviews become an occurrence with the negative reviews of the app, which is deleted after fan-out', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage, {}, { ...SPIKES, storefronts: ['us', 'de'] })
      await find(storage, NOON, [3 * HOUR, 30 * DAY])
      await find(storage, after(HOUR), [0, 5 * MINUTE])
      const found = await spikes(storage, after(HOUR))
      assert.deepEqual(found.map(({ market }) => market).sort(), ['de', 'us'])
      const [{ negatives, observedAt, occurredAt }] = found as [(typeof found)[0]]
      assert.deepEqual([observedAt, occurredAt], [after(HOUR), after(HOUR)])
      const known = { polledFromMs: NOON.getTime(), knownFromMs: NOON.getTime() - 30 * DAY }
      assert.deepEqual(
        [...negatives.markets].sort((a, b) => (a.market < b.market ? -1 : 1)),
        [
          { market: 'de', ...known },
          { market: 'us', ...known },
        ],
      )
      assert.deepEqual(
        negatives.recent
          .filter(({ market }) => market === 'us')
          .map(({ atMs, reviewId, rating }) => [atMs - NOON.getTime(), reviewId, rating])
          .sort(([a = 0], [b = 0]) => Number(a) - Number(b)),
        [-3 * HOUR, HOUR - 5 * MINUTE, HOUR].map((ms) => [ms, `us ${after(ms).getTime()}`, 1]),
      )
      assert.deepEqual(
        negatives.perHour
          .filter(({ market }) => market === 'us')
          .map(({ hour, count }) => [hour - NOON.getTime() / HOUR, count])
          .sort(),
        [
          [-3, 1],
          [0, 1],
          [1, 1],
        ],
      )
      assert.deepEqual(await takeOccurrences(storage, after(DAY)), [])
    })

    it('new negative reviews become no occurrence at the first poll, without a watch of the type, or with more stars', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      await find(storage, NOON, [0])
      await find(storage, after(MINUTE), [0])
      assert.deepEqual(await spikes(storage, after(MINUTE)), [])
      await subscribe(storage, {}, { ...SPIKES, storefronts: ['us', 'fr'] })
      await find(storage, after(HOUR), [0])
      assert.deepEqual(
        (await spikes(storage, after(HOUR))).map(({ market }) => market),
        ['us'],
        'the first poll of another storefront',
      )
      await find(storage, after(2 * HOUR), [0], 3)
      assert.deepEqual(await spikes(storage, after(2 * HOUR)), [])
    })

    it('new negative reviews become no occurrence at the first poll after a time without polls', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook, watch } = await subscribe(storage, {}, SPIKES)
      await find(storage, NOON, [])
      await storage.hooks.removeWatch('alice', hook.id, watch.id, after(MINUTE))
      await storage.hooks.addWatch('alice', { ...watch, createdAt: after(HOUR) })
      await find(storage, after(DAY), [0, MINUTE])
      assert.deepEqual(await spikes(storage, after(DAY)), [])
      await find(storage, after(2 * DAY), [0])
      const [spike] = await spikes(storage, after(2 * DAY))
      assert.deepEqual(spike?.negatives.markets, [
        { market: 'us', polledFromMs: after(DAY).getTime(), knownFromMs: after(DAY - MINUTE).getTime() },
      ])
    })

    it('new negative reviews are known no longer than reviews are stored', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage, {}, SPIKES)
      await find(storage, NOON, [30 * DAY])
      await find(storage, after(HOUR), [0])
      const known: number[] = []
      const request = { now: after(HOUR), limit: 10, expireAfterMs: HOUR, reviewsKeptMs: DAY }
      await storage.occurrences.fanOut(request, (occurrence) => {
        if (occurrence.eventType === 'reviews.spiked') {
          known.push(...occurrence.negatives.markets.map(({ knownFromMs }) => knownFromMs))
        }
        return []
      })
      assert.deepEqual(known, [after(HOUR - DAY).getTime()])
    })
  })

  describe('a watch for spikes', () => {
    /** Fans out. Each watch fires at the time of each occurrence. Returns the spikes that it reported before. */
    async function fire(storage: Storage, now: Instant, limit = 100): Promise<(number | null)[]> {
      const last: (number | null)[] = []
      await storage.occurrences.fanOut({ now, limit, expireAfterMs: HOUR }, (occurrence, candidates) =>
        candidates
          .filter(() => occurrence.eventType === 'reviews.spiked')
          .map(({ watch, spikeFiredAt }) => {
            last.push(spikeFiredAt === null ? null : spikeFiredAt.getTime() - NOON.getTime())
            const spikes = [{ watchId: watch.id, end: occurrence.occurredAt }]
            return { ...eventOf({ id: watch.hookId, accountId: 'alice' }, 'same'), spikes }
          }),
      )
      return last
    }

    it('a watch for spikes has its last spike, also within one commit, if the event exists, and after a restart', async () => {
      {
        await using storage = await open()
        await addPeople(storage)
        await subscribe(storage, {}, SPIKES)
        await find(storage, NOON, [])
        await find(storage, after(MINUTE), [0])
        await find(storage, after(2 * MINUTE), [0])
        assert.deepEqual(await fire(storage, after(2 * MINUTE)), [null, MINUTE])
        await find(storage, after(HOUR), [HOUR - MINUTE - 1])
        assert.deepEqual(await fire(storage, after(HOUR)), [2 * MINUTE])
      }
      await using storage = await openAgain()
      await find(storage, after(2 * HOUR), [0])
      assert.deepEqual(await fire(storage, after(2 * HOUR)), [2 * MINUTE], 'not an earlier one')
    })

    it('a watch for spikes keeps nothing of a fan-out that fails, so that the next one finds the same', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook, watch } = await subscribe(storage, {}, SPIKES)
      await find(storage, NOON, [])
      await find(storage, after(MINUTE), [0])
      await find(storage, after(2 * MINUTE), [0])
      let decided = 0
      const killed = storage.occurrences.fanOut(
        { now: after(HOUR), limit: 100, expireAfterMs: HOUR },
        ({ occurredAt }) => {
          decided += 1
          if (decided === 2) throw new Error('killed')
          return [{ ...eventOf(hook, 'lost'), spikes: [{ watchId: watch.id, end: occurredAt }] }]
        },
      )
      await assert.rejects(killed, /killed/)
      assert.deepEqual(await fire(storage, after(HOUR)), [null, MINUTE])
      const events = await storage.deliveries.list('alice', {}, { limit: 10, before: null })
      assert.equal(events.length, 1)
    })

    it('a watch for spikes loses its last spike when it changes', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { watch } = await subscribe(storage, {}, SPIKES)
      await find(storage, NOON, [])
      await find(storage, after(MINUTE), [0])
      await fire(storage, after(MINUTE))
      const spike = { minReviews: 4, factor: 2.5 }
      await storage.hooks.updateWatch('alice', { ...watch, spike, createdAt: after(HOUR) })
      const [stored] = (await storage.hooks.list('alice'))[0]?.watches ?? []
      assert.deepEqual(stored?.spike, spike)
      await find(storage, after(HOUR), [0])
      assert.deepEqual(await fire(storage, after(HOUR)), [null])
    })

    it('a watch for spikes fires once when two nodes fan out two polls at once', async () => {
      await using storage = await open()
      await using other = await openAgain()
      await addPeople(storage)
      const { watch, hook } = await subscribe(storage, {}, SPIKES)
      await find(storage, NOON, [])
      for (let round = 0; round < 5; round += 1) {
        const from = after(DAY * (round + 1))
        const now = later(from, 2 * MINUTE)
        await find(storage, from, [0])
        await find(storage, now, [0])
        const fired: number[] = []
        const fanOutOne = (node: Storage) =>
          node.occurrences.fanOut({ now, limit: 1, expireAfterMs: HOUR }, (occurrence, candidates) => {
            const last = candidates[0]?.spikeFiredAt?.getTime() ?? 0
            if (occurrence.eventType !== 'reviews.spiked' || last >= from.getTime()) return []
            fired.push(occurrence.seq)
            const end = occurrence.occurredAt
            return [{ ...eventOf(hook, `${occurrence.seq}`), spikes: [{ watchId: watch.id, end }] }]
          })
        await Promise.all([fanOutOne(storage), fanOutOne(other)])
        assert.equal(fired.length, 1, `round ${round}`)
      }
    })
  })
}
