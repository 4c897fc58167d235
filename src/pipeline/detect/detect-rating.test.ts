import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ratingMicros } from '../../model/decimal.ts'
import { type Rating, transitionIdOf } from '../../model/rating.ts'
import { recoveryIdOf } from '../../model/rating-recovery.ts'
import { detectRating } from './detect-rating.ts'

const rating = (stars: number, count: number): Rating => ({ micros: ratingMicros(stars) ?? 0, count })
const detect = (observed: Rating | null, baseline: Rating | null) =>
  detectRating('apple', '389801252', observed, baseline)

test('the first observation sets the baseline and is not a drop', () => {
  assert.deepEqual(detect(rating(4.5, 100), null), { baseline: rating(4.5, 100), drop: null, rise: null })
})

test('an unchanged aggregate changes nothing', () => {
  assert.deepEqual(detect(rating(4.5, 100), rating(4.5, 100)), { baseline: null, drop: null, rise: null })
})

test('a rise or a changed count only updates the baseline', () => {
  assert.equal(detect(rating(4.6, 101), rating(4.5, 100)).drop, null)
  assert.deepEqual(detect(rating(4.6, 101), rating(4.5, 100)).baseline, rating(4.6, 101))
  assert.deepEqual(detect(rating(4.5, 90), rating(4.5, 100)), {
    baseline: rating(4.5, 90),
    drop: null,
    rise: null,
  })
})

test('any decrease from the last observed rating is a drop', () => {
  const current = rating(4.499999, 101)
  assert.deepEqual(detect(current, rating(4.5, 100)), {
    baseline: current,
    drop: {
      occurrenceId: transitionIdOf('apple', '389801252', current),
      previous: rating(4.5, 100),
      current,
    },
    rise: null,
  })
})

test('a rise may be a recovery, with an id of its own', () => {
  const [previous, current] = [rating(4.5, 100), rating(4.6, 101)]
  const { rise } = detect(current, previous)
  assert.deepEqual(rise, {
    occurrenceId: recoveryIdOf('apple', '389801252', current),
    previous,
    current,
  })
  assert.notEqual(rise?.occurrenceId, transitionIdOf('apple', '389801252', current))
})

test('an app without ratings keeps the baseline', () => {
  assert.deepEqual(detect(null, rating(4.5, 100)), { baseline: null, drop: null, rise: null })
  assert.deepEqual(detect(null, null), { baseline: null, drop: null, rise: null })
})

const anyRating = fc.record({ micros: fc.integer({ min: 0, max: 5_000_000 }), count: fc.integer({ min: 1 }) })

test('every decrease is one drop, and repeated observations add none', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(anyRating, fc.integer({ min: 1, max: 3 }))), (observations) => {
      let baseline: Rating | null = null
      let drops = 0
      let decreases = 0
      let last: Rating | null = null
      for (const [observed, times] of observations) {
        if (last !== null && observed.micros < last.micros) decreases += 1
        last = observed
        for (let time = 0; time < times; time += 1) {
          const changes = detect(observed, baseline)
          baseline = changes.baseline ?? baseline
          if (changes.drop !== null) drops += 1
        }
      }
      assert.equal(drops, decreases)
      assert.deepEqual(baseline, last, 'the baseline is always the last observed aggregate')
    }),
  )
})
