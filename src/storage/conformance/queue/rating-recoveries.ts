import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Occurrence } from '../../../model/occurrence.ts'
import type { Instant } from '../../../runtime/instant.ts'
import type { Storage } from '../../port/storage.ts'
import type { Engine } from '../harness.ts'
import {
  addPeople,
  after,
  claimFeeds,
  HOUR,
  NOON,
  pollOf,
  stars,
  subscribe,
  takeOccurrences,
} from '../samples.ts'
import { hash } from './queue-samples.ts'

const DAY = 24 * HOUR

/** Observes a rating in each market. A higher one is a rise. */
async function rate(storage: Storage, value: number, at: Instant): Promise<void> {
  const rating = stars(value, Math.round(value * 1_000))
  for (const feed of await claimFeeds(storage, { kind: 'rating', now: at })) {
    await storage.feeds.commitRatings([{ ...pollOf(feed, { polledAt: at }), rating }], (_, previous) => ({
      baseline: rating,
      drop: null,
      rise:
        previous === null || previous.micros >= rating.micros
          ? null
          : { occurrenceId: hash(`rise to ${value}`), previous, current: rating },
      nextPollAt: at,
      intervalMs: HOUR,
    }))
  }
}

function shown(occurrence: Occurrence | undefined) {
  assert.ok(occurrence?.eventType === 'rating.recovered')
  const { market, observedAt, previous, current, history } = occurrence
  return {
    market,
    at: observedAt,
    change: [previous.micros / 1e6, current.micros / 1e6],
    history: history.map(({ observedAtMs, micros, count }) => [
      (observedAtMs - NOON.getTime()) / HOUR,
      micros / 1e6,
      count,
    ]),
  }
}

export function ratingRecoveriesSuite({ open }: Engine): void {
  describe('a rise of a rating', () => {
    it('a rise of a rating becomes an occurrence with the ratings of its market until then', async () => {
      await using storage = await open()
      await addPeople(storage)
      const rule = { eventType: 'rating.recovered', deltaMicros: 100_000, storefronts: ['us'] } as const
      await subscribe(storage, {}, rule)
      await rate(storage, 4.5, NOON)
      await rate(storage, 4.3, after(HOUR))
      await rate(storage, 4.4, after(2 * HOUR))
      await rate(storage, 4.5, after(3 * HOUR))
      const found = await takeOccurrences(storage, after(3 * HOUR))
      const history = [
        [0, 4.5, 4_500],
        [1, 4.3, 4_300],
        [2, 4.4, 4_400],
        [3, 4.5, 4_500],
      ]
      assert.deepEqual(found.map(shown), [
        { market: 'us', at: after(2 * HOUR), change: [4.3, 4.4], history: history.slice(0, 3) },
        { market: 'us', at: after(3 * HOUR), change: [4.4, 4.5], history },
      ])
    })

    it('a rise of a rating becomes no occurrence without a watch of the type', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage, {}, { eventType: 'rating.dropped', deltaMicros: 100_000 })
      await rate(storage, 4.3, NOON)
      await rate(storage, 4.5, after(HOUR))
      assert.deepEqual(await takeOccurrences(storage, after(HOUR)), [])
    })

    it('a rise of a rating has no ratings of an earlier baseline, and of the last 210 days only', async () => {
      await using storage = await open()
      await addPeople(storage)
      const rule = { eventType: 'rating.recovered', deltaMicros: 100_000 } as const
      const { hook, watch } = await subscribe(storage, {}, rule)
      await rate(storage, 4.9, NOON)
      await storage.hooks.removeWatch('alice', hook.id, watch.id, after(HOUR))
      await storage.hooks.addWatch('alice', { ...watch, createdAt: after(2 * HOUR) })
      await rate(storage, 4.3, after(2 * HOUR))
      await rate(storage, 4.4, after(3 * HOUR))
      const hours = async (at: number) =>
        shown((await takeOccurrences(storage, after(at))).at(-1)).history.map(([hour]) => hour)
      assert.deepEqual(await hours(3 * HOUR), [2, 3])
      await rate(storage, 4.5, after(220 * DAY))
      assert.deepEqual(await hours(220 * DAY), [3, 220 * 24])
    })
  })
}
