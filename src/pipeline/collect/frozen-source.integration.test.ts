import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silentMeter } from '../../../test/support/silent-meter.ts'
import { APP, addApp, startSimulatedApple } from '../../../test/support/simulated-apple.ts'
import type { Clock } from '../../runtime/clock.ts'
import { instantOf } from '../../runtime/instant.ts'
import { silentLog } from '../../runtime/log.ts'
import { hookOf, NOON, subscribe, takeOccurrences } from '../../storage/conformance/samples.ts'
import { openSqlite } from '../../storage/sqlite/open.ts'
import { detectRating } from '../detect/detect-rating.ts'
import { detectReviews } from '../detect/detect-reviews.ts'
import { createStorePace } from './pace.ts'
import { createPollPlanner } from './poll-planner.ts'
import { pollRatings } from './poll-ratings.ts'
import { pollReviews } from './poll-reviews.ts'
import { createStoreSources } from './store-sources.ts'
import { createUpsertApps } from './upsert-apps.ts'

/** Days of polls of one app, with the real client of Apple. A script moves the clock. */

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const DAYS = 4
const POLL_EVERY_MS = 15 * MINUTE
const POLL = { fixedIntervalMs: POLL_EVERY_MS, intervalMsMin: 1, intervalMsMax: DAY }
/** One new rating per day is less growth than proves anything. */
const RATING_EVERY_MS = DAY
const never = new AbortController().signal
const REVIEWS_BEFORE = 20

type Script = { readonly polls: 'reviews' | 'reviews and ratings'; readonly hasNewReviews: boolean }

/** The polls of four days, or until a day after the source was found to be frozen. */
async function someDays({ polls, hasNewReviews }: Script) {
  await using apple = await startSimulatedApple()
  const { world } = apple
  let nowMs = NOON.getTime()
  const clock: Clock = { now: () => instantOf(nowMs), monotonicMs: () => nowMs, sleep: async () => {} }
  await using storage = await openSqlite({ file: ':memory:', clock })
  const lines: string[] = []
  const deps = {
    appStore: apple.store,
    storage,
    clock,
    pace: createStorePace({ storage: storage.pace, clock, random: () => 0 }, 'apple', 60_000),
    random: () => 0.5,
    log: {
      ...silentLog,
      warn: (event: string, { reason }: Record<string, unknown> = {}) => lines.push(`${event} ${reason}`),
    },
    meter: silentMeter,
    onOccurrences: () => {},
  }
  const plan = createPollPlanner(deps, POLL, 60_000)
  const storeSources = createStoreSources({ ...deps, storage: storage.sourceHealth }, apple.store)
  const upsertApps = createUpsertApps(storage, clock)
  const claim = (kind: 'reviews' | 'rating') =>
    storage.feeds.claim({
      store: 'apple',
      kind,
      now: clock.now(),
      lease: `lease_${kind}_${nowMs}`,
      leaseMs: MINUTE,
      limit: 1,
      sameMarket: false,
    })

  addApp(world)
  let reviews = 0
  const publish = (publishedAt: Date) => {
    reviews += 1
    const id = String(7_000_000_000 + reviews)
    world.addReview(
      { store: 'apple', appId: APP, market: 'us' },
      { id, rating: 3, title: id, body: id, author: id, version: '1', publishedAt },
    )
  }
  for (let at = REVIEWS_BEFORE; at > 0; at -= 1) publish(new Date(nowMs - at * HOUR))
  await storage.accounts.create({ id: 'alice', name: 'Alice', createdAt: NOON })
  await subscribe(storage, hookOf(), { store: 'apple', appId: APP })
  if (polls === 'reviews and ratings') {
    await subscribe(storage, hookOf(), { appId: APP, eventType: 'rating.dropped', deltaMicros: 1_000_000 })
  }
  const rate = (count: number) =>
    world.setRating({ store: 'apple', appId: APP, storefront: 'us' }, { average: '4.5', count })
  const pollBoth = async () => {
    const [feed] = await claim('reviews')
    assert.ok(feed, 'the feed is due')
    await pollReviews(
      { ...deps, plan, storeSources, detect: detectReviews },
      { poll: POLL, leaseMs: MINUTE, enrichWaitMs: null },
      feed,
      never,
    )
    const ratings = await claim('rating')
    await pollRatings({ ...deps, detect: detectRating, upsertApps }, POLL, ratings, never)
  }

  rate(1_000)
  await pollBoth()
  if (hasNewReviews) {
    world.setFault({ store: 'apple', source: 'rss' }, { kind: 'frozen', at: new Date(nowMs) })
    world.setFault({ store: 'apple', source: 'rss_xml' }, { kind: 'frozen', at: new Date(nowMs) })
  }
  const comparisonsByDay = new Array<number>(DAYS).fill(0)
  let foundAfterMs: number | null = null
  for (let sinceMs = POLL_EVERY_MS; sinceMs <= DAYS * DAY; sinceMs += POLL_EVERY_MS) {
    nowMs += POLL_EVERY_MS
    if (hasNewReviews && sinceMs % HOUR === 0) publish(clock.now())
    if (sinceMs % RATING_EVERY_MS === 0) rate(1_000 + sinceMs / RATING_EVERY_MS)
    const before = apple.requestedSources().length
    await pollBoth()
    const others = apple
      .requestedSources()
      .slice(before)
      .filter((source) => source === 'web' || source === 'row')
    const day = Math.ceil(sinceMs / DAY) - 1
    comparisonsByDay[day] = (comparisonsByDay[day] ?? 0) + others.length
    const [unusual] = await storage.feeds.unusual({ limit: 1 })
    if (foundAfterMs === null && unusual !== undefined) foundAfterMs = sinceMs
    // A day more shows what the probes of the frozen source do.
    if (foundAfterMs !== null && sinceMs >= foundAfterMs + DAY) break
  }
  const [unusual] = await storage.feeds.unusual({ limit: 1 })
  const occurrences = await takeOccurrences(storage, clock.now())
  return {
    foundAfterMs,
    comparisonsByDay,
    warnings: lines,
    frozen: unusual?.sources.frozen ?? null,
    fallback: unusual?.sources.fallback ?? null,
    delivered: occurrences.length,
    published: reviews - REVIEWS_BEFORE,
  }
}

for (const polls of ['reviews', 'reviews and ratings'] as const) {
  test(`a frozen feed is found, reported and replaced after two days without a review (polls of ${polls})`, async () => {
    const found = await someDays({ polls, hasNewReviews: true })
    assert.ok(
      found.foundAfterMs !== null && found.foundAfterMs <= 2 * DAY + 6 * HOUR,
      `${found.foundAfterMs} ms`,
    )
    assert.deepEqual(found.warnings, ['feed.frozen other_source_newer'])
    assert.deepEqual([found.frozen?.source, found.fallback?.source], ['rss', 'web'])
    assert.equal(found.delivered, found.published, 'no review is lost')
  })
}

test('a quiet app raises no alarm and costs at most four requests more a day', async () => {
  const quiet = await someDays({ polls: 'reviews and ratings', hasNewReviews: false })
  assert.deepEqual([quiet.foundAfterMs, quiet.warnings, quiet.frozen, quiet.fallback], [null, [], null, null])
  assert.ok(Math.max(...quiet.comparisonsByDay) <= 4, quiet.comparisonsByDay.join(' '))
  assert.ok(Math.max(...quiet.comparisonsByDay) > 0, 'the sources are compared')
})
