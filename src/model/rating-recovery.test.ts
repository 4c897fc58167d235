import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { recoveriesOf, recoveryOf } from './rating-recovery.ts'
import { firedDrops, type RatingAt, type RatingRule } from './rating-rule.ts'

const HOUR = 3_600_000
const START = Date.parse('2026-03-01T00:00:00Z')
const RULE: RatingRule = {
  deltaMicros: 10,
  deltaWindowHours: null,
  thresholdMicros: null,
  createdAt: new Date(0),
}

/** One rating an hour, in hundredths of a star. */
const points = (hundredths: readonly number[]): RatingAt[] =>
  hundredths.map((micros, hour) => ({ micros, count: hour + 1, observedAtMs: START + hour * HOUR }))

/** The hours of the recoveries with the rating before the drop and the lowest one. */
function recoveries(hundredths: readonly number[], rule: Partial<RatingRule> = {}): number[][] {
  return hundredths.flatMap((_, hour) => {
    const recovery = recoveryOf({ ...RULE, ...rule }, points(hundredths.slice(0, hour + 1)))
    return recovery === null ? [] : [[hour, recovery.drop.fromMicros, recovery.lowestMicros]]
  })
}

test('a rating that is again what it was before a drop has recovered, once', () => {
  assert.deepEqual(recoveries([450, 430, 440, 449, 450, 451, 450]), [[4, 450, 430]])
})

test('a rise without a drop of the rule is no recovery', () => {
  assert.deepEqual(recoveries([450, 441, 450]), [])
  assert.deepEqual(recoveries([450, 440, 450]), [[2, 450, 440]])
  assert.deepEqual(recoveries([450, 430]), [])
})

test('a threshold recovers at the rating before the drop, not at the threshold', () => {
  const rule = { deltaMicros: null, thresholdMicros: 440 }
  assert.deepEqual(recoveries([450, 439, 440, 449, 450], rule), [[4, 450, 439]])
})

test('a slow slide recovers at the highest rating of its window', () => {
  const slide = [450, 447, 444, 441, 438, 445, 449, 450]
  assert.deepEqual(recoveries(slide), [])
  assert.deepEqual(recoveries(slide, { deltaWindowHours: 24 }), [[7, 450, 438]])
})

test('each of two drops recovers once, and a rise above both recovers the first', () => {
  assert.deepEqual(recoveries([450, 430, 410, 430, 450]), [
    [3, 430, 410],
    [4, 450, 410],
  ])
  assert.deepEqual(recoveries([450, 430, 410, 460]), [[3, 450, 410]])
})

test('a drop from before the watch has no recovery', () => {
  const createdAt = new Date(START + 2 * HOUR)
  assert.deepEqual(recoveries([450, 430, 450], { createdAt }), [])
  assert.deepEqual(recoveries([450, 450, 430, 450], { createdAt }), [[3, 450, 430]])
})

const histories = fc.array(fc.integer({ min: 400, max: 450 }), { minLength: 2, maxLength: 30 })
const rules = fc.record({
  deltaMicros: fc.option(fc.integer({ min: 1, max: 30 })),
  deltaWindowHours: fc.option(fc.integer({ min: 1, max: 20 })),
  thresholdMicros: fc.option(fc.integer({ min: 400, max: 450 })),
})

test('any ratings: each drop recovers at most once, and exactly when its rating is reached', () => {
  fc.assert(
    fc.property(histories, rules, (hundredths, rule) => {
      const drops = firedDrops({ ...RULE, ...rule }, points(hundredths))
      const reached = new Set<number>()
      for (const [index, drop] of drops.entries()) {
        if (drop === null) continue
        const hour = hundredths.findIndex((value, at) => at > index + 1 && value >= drop.fromMicros)
        if (hour >= 0) reached.add(hour)
      }
      const found = recoveries(hundredths, rule)
      assert.deepEqual(
        found.map(([hour]) => hour),
        [...reached].sort((a, b) => a - b),
      )
      const droppedAt = found.map(
        ([hour = 0]) =>
          recoveryOf({ ...RULE, ...rule }, points(hundredths.slice(0, hour + 1)))?.drop.to.observedAtMs,
      )
      assert.equal(new Set(droppedAt).size, droppedAt.length)
    }),
  )
})

test('any ratings: the recoveries of a history are those that each of its ratings completed', () => {
  fc.assert(
    fc.property(histories, rules, (hundredths, rule) => {
      const all = points(hundredths)
      const one = all.slice(1).map((_, index) => recoveryOf({ ...RULE, ...rule }, all.slice(0, index + 2)))
      assert.deepEqual(recoveriesOf({ ...RULE, ...rule }, all), one)
    }),
  )
})
