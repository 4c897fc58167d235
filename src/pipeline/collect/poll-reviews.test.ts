import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type FixtureStore, fixtureStore, storeReview } from '../../../test/support/fixture-app-store.ts'
import { usualSources } from '../../../test/support/fixture-fetch.ts'
import { silentMeter } from '../../../test/support/silent-meter.ts'
import { type Clock, systemClock } from '../../runtime/clock.ts'
import { instantOf, later } from '../../runtime/instant.ts'
import { silentLog } from '../../runtime/log.ts'
import { hookOf, MINUTE, NOON, subscribe, takeOccurrences } from '../../storage/conformance/samples.ts'
import { openSqlite } from '../../storage/sqlite/open.ts'
import { detectReviews } from '../detect/detect-reviews.ts'
import { createStorePace } from './pace.ts'
import { createPollPlanner } from './poll-planner.ts'
import { pollReviews } from './poll-reviews.ts'
import { POLL_SETTINGS } from './schedule.ts'

const never = new AbortController().signal

/** One Google review feed on real storage; the test controls time. */
async function openReviews() {
  let nowMs = NOON.getTime()
  const clock: Clock = { now: () => instantOf(nowMs), monotonicMs: () => nowMs, sleep: systemClock.sleep }
  const storage = await openSqlite({ file: ':memory:', clock })
  await storage.accounts.create({ id: 'alice', name: 'Alice', createdAt: NOON })
  await subscribe(storage, hookOf(), { store: 'google', appId: 'org.example.app' })
  const appStore = fixtureStore('google')
  const pace = createStorePace({ storage: storage.pace, clock, random: () => 0 }, 'google', 60_000)
  const deps = {
    appStore,
    storage,
    pace,
    clock,
    random: () => 0.5,
    log: silentLog,
    meter: silentMeter,
    onOccurrences: () => {},
    detect: detectReviews,
    plan: createPollPlanner({ storage, appStore, clock }, POLL_SETTINGS.reviews, 30),
    storeSources: usualSources(appStore),
  }
  const settings = { poll: POLL_SETTINGS.reviews, leaseMs: MINUTE, enrichWaitMs: null }
  const claim = () =>
    storage.feeds.claim({
      store: 'google',
      kind: 'reviews',
      now: clock.now(),
      lease: `lease_${nowMs}`,
      leaseMs: MINUTE,
      limit: 1,
      sameMarket: false,
    })
  return {
    storage,
    appStore,
    now: () => instantOf(nowMs),
    move: (ms: number) => (nowMs += ms),
    claim,
    /** Null when no feed was due. */
    poll: async (options: { signal?: AbortSignal; leaseEnds?: boolean } = {}) => {
      const [feed] = await claim()
      if (feed === undefined) return null
      if (options.leaseEnds) {
        nowMs += MINUTE
        await claim()
      }
      return (await pollReviews(deps, settings, feed, options.signal ?? never))
        ? 'good'
        : 'incomplete or failed'
    },
    feed: async () =>
      (await storage.feeds.list({ failingOnly: false, limit: 10 })).find((feed) => feed.kind === 'reviews'),
    occurrences: async () =>
      (await takeOccurrences(storage, instantOf(nowMs))).flatMap((one) =>
        one.eventType === 'review.created' ? [one.review.reviewId] : [],
      ),
    [Symbol.asyncDispose]: () => storage[Symbol.asyncDispose](),
  }
}

const DAY = 24 * 60 * MINUTE
const newest = (appStore: FixtureStore, reviewId: string, shownAt: Date) =>
  appStore.reviews.unshift(storeReview(reviewId, shownAt))

test('a poll that fails on a later page commits the pages before it, and the next poll reaches the end', async () => {
  await using reviews = await openReviews()
  const { appStore } = reviews
  for (let at = 1; at <= 7; at += 1) newest(appStore, `r${at}`, later(NOON, at))
  appStore.pageAnswers.set(2, { kind: 'unknown', source: 'x', detail: 'It was empty.' })
  await reviews.poll()
  assert.deepEqual(await reviews.occurrences(), ['r7', 'r6', 'r5'])
  const failed = await reviews.feed()
  assert.deepEqual([failed?.pagingIncomplete, failed?.failures, failed?.lastOutcome], [true, 1, 'unknown'])
  appStore.pageAnswers.clear()
  reviews.move(DAY)
  await reviews.poll()
  assert.deepEqual(await reviews.occurrences(), ['r4', 'r3', 'r2', 'r1'])
  const recovered = await reviews.feed()
  assert.deepEqual(
    [recovered?.pagingIncomplete, recovered?.failures, recovered?.lastOutcome],
    [false, 0, 'ok'],
  )
})

test('a failure changes only the time of the next poll and the outcome', async () => {
  await using reviews = await openReviews()
  reviews.appStore.pageAnswers.set(1, { kind: 'changed', source: 'x', detail: 'No id.', raw: '<html>' })
  await reviews.poll()
  const feed = await reviews.feed()
  assert.deepEqual(
    [feed?.lastOutcome, feed?.lastOkAt, feed?.failures, feed?.lastDetail],
    ['changed', null, 1, 'No id.'],
  )
  assert.equal(await reviews.storage.feeds.rawAnswer(feed?.id ?? 0), '<html>')
})

test('a stop releases the feed unchanged, or commits the fetched reviews and makes the feed due at once', async () => {
  await using reviews = await openReviews()
  const { appStore } = reviews
  for (let at = 1; at <= 6; at += 1) newest(appStore, `r${at}`, later(NOON, at))
  const stopped = new AbortController()
  stopped.abort()
  await reviews.poll({ signal: stopped.signal })
  assert.deepEqual([(await reviews.feed())?.failures, appStore.requests], [0, []])

  const stop = new AbortController()
  const page = appStore.reviewsPage
  Object.assign(appStore, {
    reviewsPage: async (...args: Parameters<typeof page>) => {
      const answer = await page(...args)
      stop.abort()
      return answer
    },
  })
  await reviews.poll({ signal: stop.signal })
  assert.deepEqual(await reviews.occurrences(), ['r6', 'r5', 'r4'])
  Object.assign(appStore, { reviewsPage: page })
  assert.equal(await reviews.poll(), 'good', 'it is due at once')
  assert.deepEqual(await reviews.occurrences(), ['r3', 'r2', 'r1'])
})

test('a poll that lost its lease writes nothing', async () => {
  await using reviews = await openReviews()
  newest(reviews.appStore, 'r1', later(NOON, 1))
  await reviews.poll({ leaseEnds: true })
  assert.deepEqual(await reviews.occurrences(), [])
})

test('a poll succeeds when it reached the end and was committed, with or without reviews', async () => {
  await using reviews = await openReviews()
  const { appStore } = reviews
  const next = (options?: Parameters<typeof reviews.poll>[0]) => {
    reviews.move(DAY)
    return reviews.poll(options)
  }
  appStore.pageAnswers.set(1, { kind: 'unknown', source: 'x', detail: 'It was empty.' })
  assert.equal(await next(), 'incomplete or failed')
  appStore.pageAnswers.clear()
  assert.equal(await next({ leaseEnds: true }), 'incomplete or failed')
  assert.equal(await next({ signal: AbortSignal.abort() }), 'incomplete or failed')
  assert.equal(await next(), 'good')
  newest(appStore, 'r1', NOON)
  assert.equal(await next(), 'good')
})

const anyStep = fc.oneof(
  { weight: 4, arbitrary: fc.record({ publish: fc.integer({ min: 1, max: 8 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      failAt: fc.integer({ min: 1, max: 3 }),
      kind: fc.constantFrom('unknown', 'blocked', 'gone', 'changed'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ edit: fc.integer({ min: 0, max: 50 }) }) },
  { weight: 1, arbitrary: fc.constant({ leaseEnds: true }) },
  { weight: 1, arbitrary: fc.constant({ stopAfterPage: 1 }) },
)

test('each new review is found exactly once despite bursts, edits, failures, stops and lost leases', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(anyStep, fc.boolean()), { maxLength: 25 }), async (steps) => {
      await using reviews = await openReviews()
      const { appStore } = reviews
      for (let at = 0; at < 5; at += 1) newest(appStore, `old${at}`, later(NOON, -(5000 + at)))
      const published: string[] = []
      const found: string[] = []
      const publish = (count: number) => {
        for (let at = 0; at < count; at += 1) {
          reviews.move(10)
          const reviewId = `new${published.length}`
          published.push(reviewId)
          newest(appStore, reviewId, reviews.now())
        }
      }
      for (const [step, isSkipped] of steps) {
        appStore.pageAnswers.clear()
        reviews.move(2 * DAY)
        if ('publish' in step) publish(step.publish)
        if ('edit' in step) {
          // An edited review moves to the top with a new date; its history still has the first publication.
          const [edited] = appStore.reviews.splice(step.edit % appStore.reviews.length, 1)
          assert.ok(edited)
          if (!appStore.firstPublished.has(edited.reviewId)) {
            appStore.firstPublished.set(edited.reviewId, edited.shownAt)
          }
          appStore.reviews.unshift({
            ...edited,
            edited: true,
            body: `${edited.body}!`,
            shownAt: reviews.now(),
          })
        }
        if (isSkipped) continue
        if ('kind' in step) {
          const kind = step.kind as 'unknown'
          appStore.pageAnswers.set(step.failAt, { kind, source: 'x', detail: 'StoreFailure.' })
        }
        const stop = new AbortController()
        const { reviewsPage } = appStore
        if ('stopAfterPage' in step) {
          Object.assign(appStore, {
            reviewsPage: async (...args: Parameters<typeof reviewsPage>) => {
              const answer = await reviewsPage(...args)
              stop.abort()
              return answer
            },
          })
        }
        await reviews.poll({ signal: stop.signal, leaseEnds: 'leaseEnds' in step })
        Object.assign(appStore, { reviewsPage })
        found.push(...(await reviews.occurrences()))
      }
      appStore.pageAnswers.clear()
      for (let poll = 0; poll < 2; poll += 1) {
        reviews.move(2 * DAY)
        await reviews.poll()
        found.push(...(await reviews.occurrences()))
      }
      assert.deepEqual([...found].sort(), [...published].sort())
    }),
    { numRuns: 40 },
  )
})
