import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ratingOccurrence, reviewOccurrence, watchFor } from '../../../test/support/occurrences.ts'
import { limitMicros, ratingMicros } from '../../model/decimal.ts'
import type { Watch } from '../../model/hook.ts'
import type { Occurrence } from '../../model/occurrence.ts'
import { triggerOf } from '../../model/rating-rule.ts'
import type { Storefront } from '../../model/vocabulary.ts'
import { match } from './match.ts'

function matched(
  occurrence: Occurrence,
  change: Partial<Watch> = {},
  storefronts: Storefront[] = ['us'],
  lateReviewsHours = 0,
) {
  return match(occurrence, {
    watch: watchFor(occurrence, change),
    storefronts,
    slideFiredAt: null,
    spikeFiredAt: null,
    lateReviewsHours,
  })
}

const micros = (stars: number) => ratingMicros(stars) ?? 0
const trigger = (previous: number, current: number, rule: { delta?: number; threshold?: number }) =>
  triggerOf(
    {
      deltaMicros: rule.delta === undefined ? null : limitMicros(rule.delta),
      thresholdMicros: rule.threshold === undefined ? null : limitMicros(rule.threshold),
    },
    { micros: micros(previous), count: 10 },
    { micros: micros(current), count: 11 },
  )

test('a watch without filters matches a review of its app and storefront', () => {
  assert.deepEqual(matched(reviewOccurrence()), { match: true, country: 'us', trigger: null })
})

test('the star range includes its bounds', () => {
  for (const [rating, isMatch] of [
    [1, false],
    [2, true],
    [4, true],
    [5, false],
  ] as const) {
    const result = matched(reviewOccurrence({ review: { rating } }), { minStars: 2, maxStars: 4 })
    assert.equal(result.match, isMatch, `${rating} stars`)
  }
})

test('a watch of all storefronts matches every review of its account’s own source, with the code of its territory', () => {
  const own = (market: string, store: 'apple' | 'google' = 'apple') =>
    reviewOccurrence({ store, market: `${market}~alice` })
  for (const [occurrence, country] of [
    [own('de'), 'de'],
    [own('ch'), 'ch'],
    [own('xyz'), 'zz'],
    [own('en', 'google'), 'us'],
    [own('de', 'google'), 'de'],
    [own('ru', 'google'), 'zz'],
  ] as const) {
    assert.deepEqual(matched(occurrence), { match: true, country, trigger: null }, occurrence.market)
    assert.deepEqual(matched(occurrence, { storefronts: ['us'] }).match, country === 'us')
  }
  assert.deepEqual(matched(reviewOccurrence({ market: 'de' })), { match: false, reason: 'storefront' })
})

test('another app, store or event type does not match', () => {
  const review = reviewOccurrence()
  assert.deepEqual(matched(review, { appId: '1' }), { match: false, reason: 'app' })
  assert.deepEqual(matched(review, { store: 'google' }), { match: false, reason: 'app' })
  assert.deepEqual(matched(review, { eventType: 'rating.dropped' }), { match: false, reason: 'event_type' })
})

test('a watch matches an occurrence at its creation time, and none a millisecond before', () => {
  const review = reviewOccurrence()
  assert.equal(matched(review, { createdAt: review.occurredAt }).match, true)
  const later = new Date(review.occurredAt.getTime() + 1)
  assert.deepEqual(matched(review, { createdAt: later }), { match: false, reason: 'before_watch' })
})

test('a watch of one storefront matches only that storefront', () => {
  const french = reviewOccurrence({ market: 'fr' })
  assert.deepEqual(matched(french, { storefronts: ['fr'] }), { match: true, country: 'fr', trigger: null })
  assert.deepEqual(matched(french, { storefronts: ['us'] }), { match: false, reason: 'storefront' })
})

test('a watch without a storefront covers exactly the storefronts that its account tracks', () => {
  const french = reviewOccurrence({ market: 'fr' })
  assert.equal(matched(french, {}, ['us', 'fr']).match, true)
  assert.deepEqual(matched(french, {}, ['us']), { match: false, reason: 'storefront' })
})

test("a Google review gets the first tracked storefront of its language, in the contract's order", () => {
  const english = reviewOccurrence({ store: 'google', appId: 'org.example.app', market: 'en' })
  assert.deepEqual(matched(english, {}, ['in', 'ie', 'gb', 'de']), {
    match: true,
    country: 'gb',
    trigger: null,
  })
  assert.deepEqual(matched(english, { storefronts: ['in'] }), { match: true, country: 'in', trigger: null })
  assert.deepEqual(matched(english, {}, ['de', 'fr']), { match: false, reason: 'storefront' })
})

test('a Google rating belongs to its storefront, not to its language', () => {
  const german = ratingOccurrence(4_500_000, 4_400_000)
  assert.equal(matched(german, {}, ['de']).match, true)
  assert.deepEqual(matched(german, {}, ['us']), { match: false, reason: 'storefront' })
})

test('4.5 to 4.4 reaches a delta of 0.1, 4.41 does not', () => {
  assert.equal(trigger(4.5, 4.4, { delta: 0.1 }), 'delta')
  assert.equal(trigger(4.5, 4.41, { delta: 0.1 }), null)
})

test('a delta of 0 fires on any decrease, but not on a rise or an equal rating', () => {
  assert.equal(trigger(4.5, 4.499999, { delta: 0 }), 'delta')
  assert.equal(trigger(4.5, 4.5, { delta: 0 }), null)
  assert.equal(trigger(4.5, 4.6, { delta: 0 }), null)
})

test('a threshold fires when the rating falls below it', () => {
  assert.equal(trigger(4, 3.999999, { threshold: 4 }), 'threshold')
  assert.equal(trigger(4.2, 4, { threshold: 4 }), null, 'the threshold itself is not below it')
  assert.equal(trigger(3.9, 3.8, { threshold: 4 }), null, 'it was below before')
})

test('when both rules fire the trigger is the threshold, otherwise the rule that fired', () => {
  assert.equal(trigger(4.1, 3.9, { delta: 0.1, threshold: 4 }), 'threshold')
  assert.equal(trigger(4.5, 4.3, { delta: 0.1, threshold: 4 }), 'delta')
  assert.equal(trigger(4.01, 3.99, { delta: 0.1, threshold: 4 }), 'threshold')
  assert.deepEqual(matched(ratingOccurrence(4_500_000, 4_450_000), { deltaMicros: 100_000 }, ['de']), {
    match: false,
    reason: 'rating_rule',
  })
})

test('a delta fires exactly when the decrease reaches it', () => {
  const hundredths = fc.integer({ min: 0, max: 500 })
  fc.assert(
    fc.property(hundredths, hundredths, fc.integer({ min: 0, max: 400 }), (previous, current, delta) => {
      const fires = trigger(previous / 100, current / 100, { delta: delta / 100 }) === 'delta'
      assert.equal(fires, current < previous && previous - current >= delta)
    }),
    { numRuns: 1000 },
  )
})

test('a watch with a window compares with the highest rating of the window, and its threshold with the last one', () => {
  const drop = ratingOccurrence(4_310_000, 4_300_000, {
    highs: [
      { micros: 4_500_000, ageMs: 25 * 3_600_000 },
      { micros: 4_400_000, ageMs: 3_600_000 },
      { micros: 4_310_000, ageMs: 0 },
    ],
  })
  const slide = (deltaMicros: number, deltaWindowHours: number, thresholdMicros: number | null = null) =>
    matched(drop, { deltaMicros, deltaWindowHours, thresholdMicros }, ['de'])
  assert.deepEqual(slide(200_000, 24), { match: false, reason: 'rating_rule' })
  assert.partialDeepStrictEqual(slide(200_000, 26), { trigger: 'delta', slideFrom: 4_500_000 })
  assert.partialDeepStrictEqual(slide(100_000, 24), { trigger: 'delta', slideFrom: 4_400_000 })
  assert.partialDeepStrictEqual(slide(100_000, 24, 4_305_000), { trigger: 'threshold', slideFrom: 4_400_000 })
  assert.deepEqual(slide(200_000, 24, 4_305_000), { match: true, country: 'de', trigger: 'threshold' })
  // The window of a new watch begins at its creation.
  const late = { deltaMicros: 200_000, deltaWindowHours: 720, createdAt: drop.occurredAt }
  assert.deepEqual(matched(drop, late, ['de']), { match: false, reason: 'rating_rule' })
})

test('rules filter reviews, and other rules than those of the text require an enrichment', () => {
  const unenriched = reviewOccurrence({ review: { enrichment: null } })
  assert.deepEqual(matched(unenriched, { rules: { isBugReport: true } }), { match: false, reason: 'rules' })
  assert.equal(matched(unenriched, { rules: {} }).match, true)
  assert.equal(matched(unenriched, { rules: { keywords: ['crash'] } }).match, true)
})

test('a watch of several storefronts matches each of them', () => {
  const french = reviewOccurrence({ market: 'fr' })
  assert.deepEqual(matched(french, { storefronts: ['fr', 'de'] }), {
    match: true,
    country: 'fr',
    trigger: null,
  })
  assert.deepEqual(matched(reviewOccurrence(), { storefronts: ['fr', 'de'] }), {
    match: false,
    reason: 'storefront',
  })
})

test('a hook that takes late reviews gets one from before its watch only if a poll after the watch did not show it', () => {
  const review = reviewOccurrence()
  const hoursLater = (hours: number) => new Date(review.occurredAt.getTime() + hours * 3_600_000)
  const isMatch = (lateHours: number, unseenAt: Date | null) =>
    matched({ ...review, unseenAt }, { createdAt: hoursLater(24) }, ['us'], lateHours).match
  assert.deepEqual(
    [0, 23, 24, 72].map((hours) => isMatch(hours, hoursLater(25))),
    [false, false, true, true],
  )
  assert.deepEqual(
    [null, hoursLater(23), hoursLater(24)].map((at) => isMatch(72, at)),
    [false, false, true],
  )
})
