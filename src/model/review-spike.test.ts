import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type NegativeReview,
  type NegativeReviews,
  type Spike,
  type SpikeRule,
  spikeOf,
} from './review-spike.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const START = Date.parse('2026-03-20T00:00:00Z')
const RULE: SpikeRule = { minReviews: 5, factor: 3, from: new Date(0), markets: ['us'] }

const at = (minutes: number) => new Date(START + minutes * MINUTE)

/** A review at a minute after the start. */
function review(minute: number, market = 'us'): NegativeReview {
  return { atMs: +at(minute), market, reviewId: `${market}-${minute}-${Math.random()}`, rating: 1 }
}

type Known = { readonly polledFrom?: number; readonly knownFrom?: number }

/** What storage knows of these reviews at an instant. */
function knownAt(
  reviews: readonly NegativeReview[],
  now: Date,
  { polledFrom = -30 * 1_440, knownFrom = -30 * 1_440 }: Known = {},
): NegativeReviews {
  const perHour = Map.groupBy(reviews, ({ atMs, market }) => `${market} ${Math.floor(atMs / HOUR)}`)
  return {
    markets: [...new Set(reviews.map(({ market }) => market))].map((market) => ({
      market,
      polledFromMs: +at(polledFrom),
      knownFromMs: +at(knownFrom),
    })),
    recent: reviews.filter(({ atMs }) => atMs >= +now - 2 * DAY - HOUR),
    perHour: [...perHour].map(([key, { length: count }]) => {
      const [market = '', hour] = key.split(' ')
      return { market, hour: Number(hour), count }
    }),
  }
}

/** The spikes that polls at these minutes report, with all reviews that were written until then. */
function reported(
  reviews: readonly NegativeReview[],
  polls: readonly number[],
  rule: SpikeRule = RULE,
  known: Known = {},
): Spike[] {
  const spikes: Spike[] = []
  for (const minute of polls) {
    const now = at(minute)
    const found = reviews.filter(({ atMs }) => atMs <= +now)
    const spike = spikeOf(rule, knownAt(found, now, known), now, spikes.at(-1)?.end ?? null)
    if (spike !== null) spikes.push(spike)
  }
  return spikes
}

const each = (from: number, to: number, step: number, market?: string) =>
  Array.from({ length: Math.ceil((to - from) / step) }, (_, index) => review(from + index * step, market))
const summary = (spikes: readonly Spike[]) => spikes.map(({ end, count }) => [(+end - START) / MINUTE, count])

test('a spike fires when an hour has the smallest number, and not with one review less', () => {
  assert.deepEqual(summary(reported(each(0, 50, 10), [60])), [[40, 5]])
  assert.deepEqual(summary(reported(each(0, 40, 10), [60])), [])
  // The first and the last are an hour apart.
  assert.deepEqual(summary(reported(each(0, 75, 15), [90])), [])
})

test('one poll after a storm reports its busiest hour', () => {
  const storm = [...each(0, 60, 12), ...each(60, 120, 3), ...each(120, 180, 12)]
  const [spike, ...more] = reported(storm, [240])
  assert.deepEqual([spike?.count, more.length], [20, 0])
  assert.equal(spike?.newest.length, 5)
  assert.deepEqual(
    spike?.newest.map(({ atMs }) => atMs),
    [...(spike?.newest ?? [])].map(({ atMs }) => atMs).sort((a, b) => b - a),
  )
  assert.equal(spike?.newest[0]?.atMs, +spike.end)
})

test('a storm is one event, and another one after a day', () => {
  const polls = Array.from({ length: 40 }, (_, index) => index * 60 + 59)
  assert.deepEqual(
    reported(each(0, 40 * 60, 5), polls).map(({ end }) => (+end - START) / MINUTE),
    [55, 55 + 1_440],
  )
})

test('another storm is another event after the number fell below the limit', () => {
  const reviews = [...each(0, 30, 5), ...each(180, 210, 5)]
  assert.deepEqual(summary(reported(reviews, [60, 240])), [
    [25, 6],
    [205, 6],
  ])
  // One poll reports the newest.
  assert.deepEqual(summary(reported(reviews, [240])), [[205, 6]])
})

test('no review counts for two events', () => {
  // The number falls to 4 for a minute.
  const reviews = [...each(0, 40, 8), review(61), review(62)]
  assert.deepEqual(summary(reported(reviews, [40, 61, 62])), [[32, 5]])
})

test('an app with many negative reviews needs a multiple of its usual number', () => {
  const usual = each(-15 * 1_440, 0, 6)
  assert.deepEqual(reported([...usual, ...each(0, 60, 2.1)], [61]), [])
  const [spike] = reported([...usual, ...each(0, 60, 2)], [61])
  assert.deepEqual([spike?.usual, spike?.count], [10, 30])
  assert.equal(reported([...usual, ...each(0, 60, 4)], [61], { ...RULE, factor: 1.5 })[0]?.count, 15)
})

test('the usual number is the mean of the time that is known', () => {
  const busy = [...each(-600, 0, 6), ...each(0, 60, 6)]
  assert.deepEqual(reported(busy, [61], RULE, { knownFrom: -600, polledFrom: -10 }), [])
  assert.notDeepEqual(reported(busy, [61], RULE, { polledFrom: -10 }), [])
})

test('history of a first poll makes no spike', () => {
  const storm = each(0, 60, 5)
  assert.deepEqual(reported(storm, [60], RULE, { polledFrom: 60 }), [])
  assert.deepEqual(reported(storm, [60], RULE, { polledFrom: 40 }), [])
  assert.deepEqual(summary(reported(storm, [60], RULE, { polledFrom: 35 })), [[55, 5]])
})

test('nothing from before the watch counts', () => {
  const storm = each(0, 60, 5)
  assert.deepEqual(reported(storm, [60], { ...RULE, from: at(36) }), [])
  assert.deepEqual(summary(reported(storm, [60], { ...RULE, from: at(35) })), [[55, 5]])
})

test('reviews of many hours that are found together make no spike, and a spike of long ago is not reported', () => {
  assert.deepEqual(reported(each(0, 1_440, 20), [1_440]), [])
  assert.equal(reported(each(0, 30, 5), [2 * 1_440]).length, 1)
  assert.equal(reported(each(0, 30, 5), [2 * 1_440 + 60]).length, 0)
})

test('a spike counts the markets of the watch together, and no other', () => {
  const reviews = [...each(0, 30, 10), ...each(5, 35, 10, 'de')]
  assert.deepEqual(reported(reviews, [60]), [])
  const [spike] = reported(reviews, [60], { ...RULE, markets: ['us', 'de', 'fr'] })
  assert.deepEqual([spike?.count, [...(spike?.markets ?? [])].sort()], [6, ['de', 'us']])
})

test('a store whose clock is ahead by seconds is right, and a date far in the future does not silence the watch', () => {
  assert.deepEqual(summary(reported([...each(9_000, 9_030, 5), ...each(0, 30, 5)], [60])), [[25, 6]])
  const now = at(60)
  const storm = each(60, 70, 2)
  assert.equal(spikeOf(RULE, knownAt(storm, now), now, null)?.count, 5)
})

const minutes = fc.array(fc.integer({ min: 0, max: 3 * 1_440 }), { maxLength: 120 })
const storms = fc.array(
  fc.record({
    from: fc.integer({ min: 0, max: 3 * 1_440 }),
    size: fc.integer({ min: 2, max: 30 }),
    step: fc.integer({ min: 0, max: 12 }),
  }),
  { maxLength: 4 },
)
const histories = fc
  .record({ minutes, storms })
  .map((given) =>
    [
      ...given.minutes,
      ...given.storms.flatMap(({ from, size, step }) =>
        Array.from({ length: size }, (_, index) => from + index * step),
      ),
    ].map((minute) => review(minute)),
  )
const pollTimes = fc
  .array(fc.integer({ min: 0, max: 4 * 1_440 }), { minLength: 1, maxLength: 30 })
  .map((times) => [...times, 4 * 1_440].sort((a, b) => a - b))
const rules = fc.record({
  minReviews: fc.integer({ min: 2, max: 12 }),
  factor: fc.double({ min: 1.5, max: 10, noNaN: true }),
})

const hourOf = (reviews: readonly NegativeReview[], endMs: number) =>
  reviews.filter(({ atMs }) => atMs > endMs - HOUR && atMs <= endMs)

test('any reviews and polls: each event has its number, and no review or hour twice', () => {
  fc.assert(
    fc.property(histories, pollTimes, rules, (reviews, polls, limits) => {
      const rule = { ...RULE, ...limits }
      const spikes = reported(reviews, polls, rule)
      for (const [index, spike] of spikes.entries()) {
        assert.ok(spike.count >= rule.minReviews && spike.count >= rule.factor * spike.usual)
        assert.ok(spike.count <= hourOf(reviews, +spike.end).length)
        const last = spikes[index - 1]
        if (last === undefined) continue
        assert.ok(+spike.end > +last.end, 'events are in order')
        const own = hourOf(reviews, +spike.end).filter(({ atMs }) => atMs > +last.end)
        assert.ok(spike.count <= own.length, 'no review counts twice')
        if (+spike.end - +last.end >= DAY) continue
        const instants = reviews.map(({ atMs }) => atMs).filter((ms) => ms > +last.end && ms <= +spike.end)
        assert.ok(
          instants.some((ms) => {
            const before = hourOf(reviews, ms).filter(({ atMs }) => atMs < ms).length
            return before < Math.max(rule.minReviews, rule.factor * usualBefore(reviews, ms))
          }),
          'the number fell below the limit',
        )
      }
    }),
  )
})

/** The usual number before the hour that ends at an instant: all of it is known. */
function usualBefore(reviews: readonly NegativeReview[], endMs: number): number {
  const end = Math.floor((endMs - HOUR) / HOUR) * HOUR
  return reviews.filter(({ atMs }) => atMs >= end - 14 * DAY && atMs < end).length / (14 * 24)
}

test('any reviews: there is an event if and only if some hour reaches the limit', () => {
  fc.assert(
    fc.property(histories, pollTimes, rules, (reviews, polls, limits) => {
      const rule = { ...RULE, ...limits }
      const hourly = [...polls, ...each(0, 4 * 1_440, 60).map(({ atMs }) => (atMs - START) / MINUTE)].sort(
        (a, b) => a - b,
      )
      const isHit = reviews.some(
        ({ atMs }) =>
          hourOf(reviews, atMs).length >= Math.max(rule.minReviews, rule.factor * usualBefore(reviews, atMs)),
      )
      assert.equal(reported(reviews, hourly, rule).length > 0, isHit)
    }),
  )
})

test('the order in which reviews were found does not matter', () => {
  fc.assert(
    fc.property(histories, fc.integer(), (reviews, seed) => {
      const shuffled = [...reviews].sort(
        (a, b) => ((a.atMs * 31 + seed) % 101) - ((b.atMs * 31 + seed) % 101),
      )
      const now = [3 * 1_440]
      assert.deepEqual(summary(reported(shuffled, now)), summary(reported(reviews, now)))
    }),
  )
})
