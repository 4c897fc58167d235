import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fixtureStore, leasedFeed } from '../../../test/support/fixture-app-store.ts'
import { silentMeter } from '../../../test/support/silent-meter.ts'
import { type Clock, systemClock } from '../../runtime/clock.ts'
import { instantOf, later } from '../../runtime/instant.ts'
import { silentLog } from '../../runtime/log.ts'
import { hookOf, MINUTE, NOON, subscribe } from '../../storage/conformance/samples.ts'
import { openSqlite } from '../../storage/sqlite/open.ts'
import type { RatingAnswer, StoreApp } from '../appstores/appstore.ts'
import { detectRating } from '../detect/detect-rating.ts'
import { createStorePace } from './pace.ts'
import { pollRatings } from './poll-ratings.ts'
import { POLL_SETTINGS } from './schedule.ts'
import { createUpsertApps } from './upsert-apps.ts'

const never = new AbortController().signal

/** Ratings of Apple apps in `us`; the test controls time. */
async function openRatings(appIds: readonly string[]) {
  let nowMs = NOON.getTime()
  const clock: Clock = { now: () => instantOf(nowMs), monotonicMs: () => nowMs, sleep: systemClock.sleep }
  const storage = await openSqlite({ file: ':memory:', clock })
  await storage.accounts.create({ id: 'alice', name: 'Alice', createdAt: NOON })
  for (const appId of appIds) {
    await subscribe(storage, hookOf(), { appId, eventType: 'rating.dropped', deltaMicros: 0 })
  }
  const appStore = fixtureStore('apple', 200)
  const pace = createStorePace({ storage: storage.pace, clock, random: () => 0 }, 'apple', 6000)
  let occurrences = 0
  const saved: StoreApp[][] = []
  const upsertApps = createUpsertApps(
    {
      feeds: {
        ...storage.feeds,
        saveApps: async (apps, now) => {
          saved.push(apps.map((app) => ({ ...app, rating: null })))
          await storage.feeds.saveApps(apps, now)
        },
      },
    },
    clock,
  )
  const deps = {
    appStore,
    storage,
    pace,
    clock,
    random: () => 0.5,
    log: silentLog,
    meter: silentMeter,
    onOccurrences: () => (occurrences += 1),
    detect: detectRating,
    upsertApps,
  }
  const claim = () =>
    storage.feeds.claim({
      store: 'apple',
      kind: 'rating',
      now: clock.now(),
      lease: `lease_${nowMs}`,
      leaseMs: MINUTE,
      limit: 200,
      sameMarket: true,
    })
  return {
    storage,
    appStore,
    saved,
    occurrences: () => occurrences,
    move: (ms: number) => (nowMs += ms),
    poll: async (signal = never) => {
      const feeds = await claim()
      await pollRatings(deps, POLL_SETTINGS.rating, feeds, signal)
      return feeds.length
    },
    claim,
    feeds: async () =>
      new Map(
        (await storage.feeds.list({ failingOnly: false, limit: 10 }))
          .filter((feed) => feed.kind === 'rating')
          .map((feed) => [feed.appId, feed]),
      ),
    [Symbol.asyncDispose]: () => storage[Symbol.asyncDispose](),
  }
}

const ok = (stars: number, count = 100, name = 'An app') => ({
  kind: 'ok' as const,
  source: 'lookup',
  rating: { micros: stars * 1e6, count },
  app: { store: 'apple' as const, appId: '1', name, developer: null, iconUrl: null, rating: null },
})

test('the apps of a storefront share one request, and each is settled by its own answer', async () => {
  await using ratings = await openRatings(['1', '2', '3'])
  const { appStore } = ratings
  appStore.ratingAnswers.set('1', ok(4.5))
  appStore.ratingAnswers.set('2', { kind: 'gone', source: 'lookup', detail: 'There is no such app.' })
  assert.equal(await ratings.poll(), 3)
  assert.equal(appStore.requests.length, 1)
  const feeds = await ratings.feeds()
  assert.deepEqual(
    ['1', '2', '3'].map((appId) => [feeds.get(appId)?.lastOutcome, feeds.get(appId)?.failures]),
    [
      ['ok', 0],
      ['gone', 1],
      ['unknown', 1],
    ],
    'an app that the answer omits is unknown',
  )
  assert.equal(ratings.occurrences(), 0, 'the first observation is the baseline')
})

test('a drop is one occurrence, and another poll adds none', async () => {
  await using ratings = await openRatings(['1'])
  for (const [stars, drops] of [
    [4.5, 0],
    [4.4, 1],
    [4.4, 1],
    [4.6, 1],
  ] as const) {
    ratings.appStore.ratingAnswers.set('1', ok(stars))
    await ratings.poll()
    assert.equal(ratings.occurrences(), drops, `at ${stars}`)
    ratings.move(7 * 60 * MINUTE)
  }
})

test('an app without ratings is not rated yet, and unknown with its baseline kept once a rating was seen', async () => {
  await using ratings = await openRatings(['1'])
  const pollWith = async (answer: RatingAnswer) => {
    ratings.appStore.ratingAnswers.set('1', answer)
    await ratings.poll()
    ratings.move(7 * 60 * MINUTE)
    const feed = (await ratings.feeds()).get('1')
    return [feed?.lastOutcome, feed?.failures, feed?.failingSince === null]
  }
  const unrated = { kind: 'empty', source: 'lookup', app: null } as const
  assert.deepEqual(await pollWith(unrated), ['empty', 0, true])
  assert.deepEqual(await pollWith(unrated), ['empty', 0, true])
  assert.deepEqual(await pollWith(ok(4.5)), ['ok', 0, true])
  assert.deepEqual(await pollWith(unrated), ['unknown', 1, false])
  const [feed] = await ratings.claim()
  assert.deepEqual(feed?.baseline, { micros: 4_500_000, count: 100 })
})

test('a higher count does not shorten the interval, a changed rating does', async () => {
  await using ratings = await openRatings(['1'])
  const intervals: number[] = []
  for (const answer of [ok(4.5, 1), ok(4.5, 2), ok(4.5, 3), ok(4.6, 4)]) {
    ratings.appStore.ratingAnswers.set('1', answer)
    await ratings.poll()
    intervals.push(((await ratings.feeds()).get('1')?.intervalMs ?? 0) / MINUTE)
    ratings.move(7 * 60 * MINUTE)
  }
  assert.deepEqual(intervals, [60, 90, 135, 67.5])
})

test('a block backs off the store for at least its Retry-After', async () => {
  await using ratings = await openRatings(['1', '2'])
  for (const appId of ['1', '2']) {
    ratings.appStore.ratingAnswers.set(appId, {
      kind: 'blocked',
      source: 'lookup',
      detail: 'It answered 403.',
      retryAfterMs: 10 * MINUTE,
    })
  }
  await ratings.poll()
  const { blockedUntil, blocks } = await ratings.storage.pace.get('apple')
  assert.deepEqual([blockedUntil?.getTime(), blocks], [NOON.getTime() + 10 * MINUTE, 1])
  const next = (await ratings.feeds()).get('1')?.nextPollAt
  assert.ok(next !== undefined && next !== null && next >= later(NOON, 10 * MINUTE))
})

test('a stop before the request releases the feeds unchanged', async () => {
  await using ratings = await openRatings(['1'])
  const stop = new AbortController()
  stop.abort()
  await ratings.poll(stop.signal)
  assert.equal(ratings.appStore.requests.length, 0)
  const [feed] = await ratings.claim()
  assert.deepEqual([feed?.failures, feed?.dueAt.getTime()], [0, 0])
})

test('app data is stored when it is new or changed, not at every poll', async () => {
  await using ratings = await openRatings(['1'])
  for (const name of ['An app', 'An app', 'A new name']) {
    ratings.appStore.ratingAnswers.set('1', ok(4.5, 100, name))
    await ratings.poll()
    ratings.move(7 * 60 * MINUTE)
  }
  assert.deepEqual(
    ratings.saved.map((apps) => apps.map((app) => app.name)),
    [['An app'], ['A new name']],
  )
})

test('a rating feed with a market that is not a storefront throws an error that names it', async () => {
  await using ratings = await openRatings([])
  const feed = leasedFeed({ kind: 'rating', market: 'english' })
  const deps = { appStore: ratings.appStore, clock: systemClock, pace: { pace: async () => true } }
  await assert.rejects(
    pollRatings(deps as unknown as Parameters<typeof pollRatings>[0], POLL_SETTINGS.rating, [feed], never),
    /"english"/,
  )
})
