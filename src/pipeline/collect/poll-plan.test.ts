import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { FeedDemand } from '../../storage/port/feeds.ts'
import { INTERVAL_MS_MAX, planPolls, pollIntervalMs, relaxedPlan, requestsPerDay } from './poll-plan.ts'
import { POLL_SETTINGS } from './schedule.ts'

const HOUR_MS = 3_600_000
const settings = POLL_SETTINGS.reviews
const demandOf = (...groups: readonly (readonly [number | null, number])[]): FeedDemand => ({
  reviews: groups.map(([reviewsPerDay, feeds]) => ({ reviewsPerDay, feeds })),
  ratingPollsPerDay: 0,
})
const plan = (demand: FeedDemand, requestsPerDayMax = 28_800, ratingsPerRequest = 1) =>
  planPolls(demand, settings, { requestsPerDayMax, ratingsPerRequest })

test('while the limit allows it, a feed with 36 reviews per day or more is polled hourly', () => {
  const relaxed = plan(demandOf([36, 100]))
  assert.deepEqual(relaxed, relaxedPlan(settings))
  assert.equal(pollIntervalMs(36, relaxed), HOUR_MS)
  assert.equal(pollIntervalMs(1_000, relaxed), HOUR_MS)
  assert.equal(pollIntervalMs(4, relaxed), 3 * HOUR_MS)
  assert.equal(pollIntervalMs(0.01, relaxed), 6 * HOUR_MS)
})

test('four times the reviews halve the interval', () => {
  const short = plan(demandOf([1, 20_000]))
  assert.equal(pollIntervalMs(4, short), Math.round(pollIntervalMs(1, short) / 2))
})

test('more feeds than the limit allows are polled less often, the quiet ones beyond the longest interval', () => {
  const demand = demandOf([0.0625, 15_000], [1, 5_000])
  const short = plan(demand)
  assert.ok(pollIntervalMs(0.0625, short) > 6 * HOUR_MS)
  assert.ok(requestsPerDay(demand, short) <= 0.9 * 28_800)
  // The limit is used.
  assert.ok(requestsPerDay(demand, short) >= 0.89 * 28_800)
})

test('polls of ratings reduce the requests for reviews, but never below six tenths of the limit', () => {
  const reviews = demandOf([1, 20_000])
  const used = (ratingPollsPerDay: number, ratingsPerRequest: number) =>
    requestsPerDay(reviews, plan({ ...reviews, ratingPollsPerDay }, 28_800, ratingsPerRequest)) / 28_800
  assert.ok(Math.abs(used(5_760, 1) - 0.7) < 0.01)
  assert.ok(Math.abs(used(5_760, 200) - 0.9) < 0.01)
  assert.ok(Math.abs(used(1_000_000, 1) - 0.6) < 0.01)
})

const anyDemand = fc
  .array(
    fc.tuple(
      fc.integer({ min: -8, max: 16 }).map((level) => 2 ** level),
      fc.integer({ min: 1, max: 20_000 }),
    ),
    {
      maxLength: 12,
    },
  )
  .map((groups) => demandOf(...groups))
const anyLimit = fc.integer({ min: 1_440, max: 500_000 })

test('a plan keeps to its requests, unless all feeds have their longest interval', () => {
  fc.assert(
    fc.property(anyDemand, anyLimit, (demand, limit) => {
      const chosen = plan(demand, limit)
      const used = requestsPerDay(demand, chosen)
      const atLongest = demand.reviews.every(
        ({ reviewsPerDay }) =>
          pollIntervalMs(reviewsPerDay ?? 1, chosen) === Math.round(chosen.intervalMsMax),
      )
      assert.ok(used <= 0.9 * limit * 1.001 || atLongest, `${used} of ${limit}`)
    }),
  )
})

test('no feed waits more than four times as long as if all were polled equally often', () => {
  fc.assert(
    fc.property(anyDemand, anyLimit, (demand, limit) => {
      const chosen = plan(demand, limit)
      const feeds = demand.reviews.reduce((sum, group) => sum + group.feeds, 0)
      const equalMs = (feeds * 24 * HOUR_MS) / (0.9 * limit)
      const longest = Math.min(INTERVAL_MS_MAX, Math.max(settings.intervalMsMax, 4 * equalMs))
      for (const { reviewsPerDay } of demand.reviews) {
        const intervalMs = pollIntervalMs(reviewsPerDay ?? 1, chosen)
        assert.ok(intervalMs >= settings.intervalMsMin && intervalMs <= longest + 1, String(intervalMs))
      }
    }),
  )
})

test('more reviews never mean a longer interval', () => {
  fc.assert(
    fc.property(
      anyDemand,
      anyLimit,
      fc.double({ min: 0.004, max: 60_000, noNaN: true }),
      (demand, limit, perDay) => {
        const chosen = plan(demand, limit)
        assert.ok(pollIntervalMs(perDay * 2, chosen) <= pollIntervalMs(perDay, chosen))
      },
    ),
  )
})
