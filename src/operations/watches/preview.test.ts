import assert from 'node:assert/strict'
import { test } from 'node:test'
import { transitionIdOf } from '../../model/rating.ts'
import { systemClock } from '../../runtime/clock.ts'
import {
  addPeople,
  after,
  claimFeeds,
  HOUR,
  pollOf,
  stars,
  subscribe,
} from '../../storage/conformance/samples.ts'
import type { Storage } from '../../storage/port/storage.ts'
import { openSqlite } from '../../storage/sqlite/open.ts'
import type { WatchInput } from './new-watch.ts'
import { previewWatch } from './preview.ts'

const DAY = 24 * HOUR
const DROPS: WatchInput = {
  store: 'apple',
  appId: '1',
  eventType: 'rating.dropped',
  storefronts: null,
  minStars: 1,
  maxStars: 5,
  delta: null,
  deltaWindowHours: null,
  threshold: null,
  rules: null,
}

async function rate(storage: Storage, value: number, at: Date): Promise<void> {
  const rating = stars(value)
  for (const feed of await claimFeeds(storage, { kind: 'rating', now: at })) {
    await storage.feeds.commitRatings([{ ...pollOf(feed, { polledAt: at }), rating }], (_, previous) => ({
      baseline: rating,
      drop: previous && { occurrenceId: transitionIdOf('apple', '1', rating), previous, current: rating },
      nextPollAt: at,
      intervalMs: HOUR,
    }))
  }
}

test('the preview of a rating rule counts its events of the last 90 days, with and without a window', async () => {
  await using storage = await openSqlite({ file: ':memory:' })
  await addPeople(storage)
  await subscribe(storage, {}, { eventType: 'rating.dropped', deltaMicros: 100_000 })
  // A slide by 0.25 in five days, a recovery, and a step by 0.2.
  for (const [day, value] of [4.5, 4.45, 4.4, 4.35, 4.3, 4.25, 4.6, 4.4].entries()) {
    await rate(storage, value, after(day * DAY))
  }
  const clock = { ...systemClock, now: () => after(10 * DAY) }
  const matched = async (rule: Partial<WatchInput>) => {
    const preview = await previewWatch({ ...storage, clock }, 'alice', { ...DROPS, ...rule })
    assert.equal(preview.examined, 7)
    return preview.matched
  }
  assert.equal(await matched({ delta: 0 }), 6)
  assert.equal(await matched({ delta: 0.2 }), 1)
  assert.equal(await matched({ delta: 0.2, deltaWindowHours: 24 }), 1)
  assert.equal(await matched({ delta: 0.2, deltaWindowHours: 168 }), 2)
  assert.equal(await matched({ delta: 0.1, deltaWindowHours: 72 }), 3)
  assert.equal(await matched({ threshold: 4.4 }), 1)
  assert.equal(await matched({ threshold: 4.4, delta: 0.2, deltaWindowHours: 168 }), 3)
})
