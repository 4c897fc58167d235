import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { estimateReviewsPerDay, REVIEWS_PER_DAY_MAX, REVIEWS_PER_DAY_MIN } from './arrival-rate.ts'

const HOUR_MS = 3_600_000
const now = new Date('2026-03-01T12:00:00Z')
const ago = (hours: number) => new Date(now.getTime() - hours * HOUR_MS)
const estimate = (agesHours: readonly number[]) => estimateReviewsPerDay(agesHours.map(ago), now)
/** How late the store shows a review. */
const DELAY_HOURS = 28
const every = (hours: number, count: number, delayHours = DELAY_HOURS) =>
  Array.from({ length: count }, (_, index) => delayHours + (index + 0.5) * hours)

test('reviews at a steady rate give that rate, within half an octave', () => {
  for (const perDay of [0.25, 1, 4, 16, 64, 1024]) {
    const estimated = estimate(every(24 / perDay, 50))
    assert.ok(Math.abs(Math.log2(estimated / perDay)) <= 0.5, `${estimated} instead of ${perDay}`)
  }
})

test('reviews that are shown at once or a day late give their rate, within half an octave', () => {
  for (const delayHours of [0, 24, 27])
    for (const perDay of [4, 16, 64, 1024]) {
      const estimated = estimate(every(24 / perDay, 50, delayHours))
      assert.ok(Math.abs(Math.log2(estimated / perDay)) <= 0.5, `${estimated} instead of ${perDay}`)
    }
})

test('a feed without reviews has a low rate, and so has one whose reviews are old', () => {
  assert.ok(estimate([]) <= 0.01)
  assert.ok(estimate(every(24, 50).map((age) => age + 90 * 24)) < 0.05)
})

test('a burst raises the rate within hours, and its end lowers it within days', () => {
  const quiet = every(48, 30).map((age) => age + 3)
  const before = estimate(quiet)
  assert.ok(estimate([...every(0.25, 8), ...quiet]) >= 8 * before)
  const threeDaysLater = [...every(0.25, 8), ...quiet].map((age) => age + 72)
  assert.ok(estimate(threeDaysLater) < 2 * before)
})

test('the rate does not depend on the order, and dates after now count as now', () => {
  const ages = [1, 5, 9, 30, 31, 400]
  assert.equal(estimate(ages.toReversed()), estimate(ages))
  assert.equal(estimate([-3, 5]), estimate([0, 5]))
})

test('any dates give a rate within the limits', () => {
  const anyDates = fc.array(fc.date({ noInvalidDate: true }), { maxLength: 60 })
  fc.assert(
    fc.property(anyDates, (dates) => {
      const perDay = estimateReviewsPerDay(dates, now)
      assert.ok(perDay >= REVIEWS_PER_DAY_MIN && perDay <= REVIEWS_PER_DAY_MAX, String(perDay))
    }),
  )
})
