import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SET_APPS_MAX } from '../../model/hook-limits.ts'
import { transitionIdOf } from '../../model/rating.ts'
import { systemClock } from '../../runtime/clock.ts'
import type { Instant } from '../../runtime/instant.ts'
import {
  addPeople,
  after,
  claimFeed,
  claimFeeds,
  HOUR,
  poll,
  pollOf,
  reviewOf,
  stars,
  subscribe,
} from '../../storage/conformance/samples.ts'
import type { Storage } from '../../storage/port/storage.ts'
import { openSqlite } from '../../storage/sqlite/open.ts'
import type { WatchInput } from './new-watch.ts'
import { previewWatch, previewWatchSet } from './preview.ts'

const DAY = 24 * HOUR
const DROPS: WatchInput = { store: 'apple', appId: '1', eventType: 'rating.dropped' }

async function rate(storage: Storage, value: number, at: Instant): Promise<void> {
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

test('the preview of a rule for recoveries counts the drops that the rating made up for', async () => {
  await using storage = await openSqlite({ file: ':memory:' })
  await addPeople(storage)
  await subscribe(storage, {}, { eventType: 'rating.dropped', deltaMicros: 100_000 })
  for (const [day, value] of [4.5, 4.3, 4.4, 4.5, 4.4, 4.39].entries())
    await rate(storage, value, after(day * DAY))
  const clock = { ...systemClock, now: () => after(10 * DAY) }
  const watch = { ...DROPS, eventType: 'rating.recovered' } as const
  const { matched } = await previewWatch({ ...storage, clock }, 'alice', { ...watch, delta: 0.2 })
  assert.equal(matched, 1)
})

test('the preview of a rule for spikes counts the spikes of the last 30 days in the markets of the account', async () => {
  await using storage = await openSqlite({ file: ':memory:' })
  await addPeople(storage)
  await subscribe(storage)
  const storm = (day: number) =>
    Array.from({ length: 6 }, (_, index) => after(day * DAY + index * 60_000)).map((occurredAt) =>
      reviewOf({ reviewId: `${occurredAt.getTime()}`, rating: 1, occurredAt }),
    )
  const found = [...storm(-40), ...storm(-20), ...storm(-3)]
  await poll(storage, await claimFeed(storage), found)
  const clock = { ...systemClock, now: () => after(HOUR) }
  const watch = { ...DROPS, eventType: 'reviews.spiked' } as const
  const matched = async (limits: Partial<WatchInput>, account = 'alice') => {
    const preview = await previewWatch({ ...storage, clock }, account, { ...watch, ...limits })
    return [preview.matched, preview.examined]
  }
  assert.deepEqual(await matched({}), [2, 12])
  assert.deepEqual(await matched({ spikeMinReviews: 7 }), [0, 12])
  assert.deepEqual(await matched({}, 'bob'), [0, 0])
})

test('the preview of several and of all apps adds up the drops, recoveries and spikes of each', async () => {
  await using storage = await openSqlite({ file: ':memory:' })
  await addPeople(storage)
  const rule = { eventType: 'rating.dropped', deltaMicros: 100_000 } as const
  for (const appId of ['1', '2', '3']) await subscribe(storage, {}, { ...rule, appId })
  for (const [day, value] of [4.5, 4.3, 4.5].entries()) await rate(storage, value, after(day * DAY))
  await subscribe(storage, {}, { appId: '2' })
  const storm = Array.from({ length: 6 }, (_, nth) => after(5 * DAY + nth * 60_000)).map((occurredAt) =>
    reviewOf({ appId: '2', reviewId: `${occurredAt.getTime()}`, rating: 1, occurredAt }),
  )
  await poll(storage, await claimFeed(storage, { kind: 'reviews' }), storm)
  const clock = { ...systemClock, now: () => after(10 * DAY) }
  const counts = async (change: Partial<WatchInput>, appIds: readonly string[] | null) => {
    const { store: _store, appId: _appId, ...filter } = { ...DROPS, ...change }
    const apps = appIds?.map((appId) => ({ store: 'apple', appId }) as const) ?? null
    const preview = await previewWatchSet({ ...storage, clock }, 'alice', { ...filter, apps })
    return [preview.matched, preview.examined, preview.apps.counted, preview.apps.total]
  }
  const recovered = { eventType: 'rating.recovered', delta: 0.2 } as const
  const spiked = { eventType: 'reviews.spiked' } as const
  assert.deepEqual(await counts({ delta: 0.2 }, ['1', '3']), [2, 4, 2, 2])
  assert.deepEqual(await counts({ delta: 0.2 }, null), [3, 6, 3, 3])
  assert.deepEqual(await counts(recovered, ['1', '2']), [2, 4, 2, 2])
  assert.deepEqual(await counts(spiked, ['1', '2']), [1, 6, 2, 2])
  assert.deepEqual(await counts(spiked, ['1', '3']), [0, 0, 2, 2])
})

test('the preview of all apps counts the drops of as many apps as a subscription can name', async () => {
  await using storage = await openSqlite({ file: ':memory:' })
  await addPeople(storage)
  const total = SET_APPS_MAX + 1
  for (let nth = 0; nth < total; nth += 1) await subscribe(storage, {}, { appId: `${nth + 1}` })
  const { store: _store, appId: _appId, ...filter } = DROPS
  const deps = { ...storage, clock: systemClock }
  const { apps } = await previewWatchSet(deps, 'alice', { ...filter, delta: 0, apps: null })
  assert.deepEqual(apps, { counted: SET_APPS_MAX, total })
})

test('the preview of named apps counts their newest reviews, also behind many of another app', async () => {
  await using storage = await openSqlite({ file: ':memory:' })
  await addPeople(storage)
  await subscribe(storage, {}, { appId: '1' })
  await subscribe(storage, {}, { appId: '2' })
  const add = (appId: string, count: number, from: number) =>
    storage.imports.add(
      'alice',
      Array.from({ length: count }, (_, nth) => {
        const at = after(-(from + nth) * HOUR)
        const rating = nth % 2 === 0 ? 1 : 5
        return reviewOf({
          appId,
          reviewId: `${appId}-${nth}`,
          rating,
          shownAt: at,
          occurredAt: at,
          observedAt: at,
        })
      }),
      after(0),
      false,
    )
  await add('1', 250, 1)
  await add('2', 10, 1_000)
  const clock = { ...systemClock, now: () => after(DAY) }
  const low = { ...DROPS, eventType: 'review.created', maxStars: 2 } as const
  const counts = async (appIds: readonly string[] | null) => {
    const { store: _store, appId: _appId, ...filter } = low
    const apps = appIds?.map((appId) => ({ store: 'apple', appId }) as const) ?? null
    const { matched, examined } = await previewWatchSet({ ...storage, clock }, 'alice', { ...filter, apps })
    return [matched, examined]
  }
  assert.deepEqual(await counts(['2']), [5, 10])
  assert.deepEqual(await counts(['1', '2']), [100, 200])
  assert.deepEqual(await counts(null), [100, 200])
  assert.deepEqual(await counts(['2', ...Array.from({ length: 20 }, (_, nth) => `${100 + nth}`)]), [5, 10])
})
