import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createHighs, ratingHighs, SLIDE_MS_MAX, slideFrom } from './rating-slide.ts'

const HOUR = 3_600_000
const START = Date.parse('2026-03-01T00:00:00Z')

/** A rating, in hundredths of a star, that was observed at an hour. */
type Observation = readonly [hour: number, hundredths: number]
type Rule = { readonly delta: number; readonly window: number; readonly from?: number }

const at = (hour: number) => new Date(START + hour * HOUR)

/** The hours of the events and the rating that each was compared with. */
function events(
  observations: readonly Observation[],
  { delta, window, from = 0 }: Rule,
): (readonly [hour: number, previous: number])[] {
  const fired: (readonly [number, number])[] = []
  let firedAt: Date | null = null
  for (const [index, [hour, hundredths]] of observations.entries()) {
    const last = observations[index - 1]
    if (last === undefined || hundredths >= last[1] || hour < from) continue
    const history = observations.slice(0, index + 1).map(([h, micros]) => ({ observedAtMs: +at(h), micros }))
    const drop = {
      at: at(hour),
      current: { micros: hundredths, count: 1 },
      highs: ratingHighs(history, { micros: last[1], count: 1 }, +at(hour)),
    }
    const rule = { deltaMicros: delta, windowHours: window, from: at(from) }
    const highest = slideFrom(rule, drop, firedAt)
    if (highest === null) continue
    firedAt = at(hour)
    fired.push([hour, highest])
  }
  return fired
}

const SLIDE: Observation[] = [
  [0, 450],
  [24, 445],
  [48, 440],
  [72, 435],
  [96, 430],
]

test('a slow slide fires once, compared with the highest rating of the window', () => {
  assert.deepEqual(events(SLIDE, { delta: 15, window: 168 }), [[72, 450]])
  assert.deepEqual(events(SLIDE, { delta: 20, window: 168 }), [[96, 450]])
  assert.deepEqual(events(SLIDE, { delta: 21, window: 168 }), [])
})

test('a slide counts only its window, with the rating at the start of it', () => {
  assert.deepEqual(events(SLIDE, { delta: 15, window: 24 }), [])
  assert.deepEqual(events(SLIDE, { delta: 15, window: 49 }), [[72, 450]])
  // 4.5 was shown until hour 24, which is exactly where the window of 48 hours starts.
  assert.deepEqual(events(SLIDE, { delta: 15, window: 48 }), [])
  const long: Observation[] = [
    [0, 450],
    [1_000, 430],
  ]
  assert.deepEqual(events(long, { delta: 20, window: 1 }), [[1_000, 450]])
})

test('a slide that continues fires again after another delta', () => {
  const more: Observation[] = [...SLIDE, [120, 425], [144, 420], [168, 415]]
  assert.deepEqual(events(more, { delta: 15, window: 720 }), [
    [72, 450],
    [144, 435],
  ])
})

test('a rating that moves up and down after an event fires only after it recovered by the delta', () => {
  const noise: Observation[] = [...SLIDE, [97, 431], [98, 430], [99, 432], [100, 429]]
  assert.deepEqual(events(noise, { delta: 20, window: 168 }), [[96, 450]])
  const recovered: Observation[] = [...SLIDE, [120, 445], [144, 425]]
  assert.deepEqual(events(recovered, { delta: 20, window: 168 }), [
    [96, 450],
    [144, 445],
  ])
})

test('a fall before the watch does not count', () => {
  assert.deepEqual(events(SLIDE, { delta: 15, window: 720, from: 50 }), [])
  assert.deepEqual(events(SLIDE, { delta: 10, window: 720, from: 50 }), [[96, 440]])
})

test('a drop that is handled after a later one of the same slide does not fire', () => {
  const rule = { deltaMicros: 5, windowHours: 24, from: at(0) }
  const drop = { at: at(10), current: { micros: 440, count: 1 }, highs: [{ micros: 450, ageMs: 0 }] }
  assert.equal(slideFrom(rule, drop, null), 450)
  assert.equal(slideFrom(rule, drop, at(11)), null)
  assert.equal(slideFrom(rule, drop, at(10)), null)
})

test('the ratings before a drop are only those that may be the highest', () => {
  const history = [430, 450, 440, 445, 445, 420].map((micros, hour) => ({ observedAtMs: +at(hour), micros }))
  assert.deepEqual(ratingHighs(history, { micros: 420, count: 1 }, +at(6)), [
    { micros: 450, ageMs: 4 * HOUR },
    { micros: 445, ageMs: HOUR },
    { micros: 420, ageMs: 0 },
  ])
  assert.deepEqual(ratingHighs([], { micros: 420, count: 1 }, +at(6)), [{ micros: 420, ageMs: 0 }])
})

const observations = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 400, max: 420 })), { maxLength: 40 })
  .map((steps) => {
    let hour = 0
    return steps.map(([hours, rating]): Observation => {
      hour += hours
      return [hour, rating]
    })
  })
const rules = fc.record({
  delta: fc.integer({ min: 0, max: 15 }),
  window: fc.integer({ min: 1, max: 720 }),
  from: fc.integer({ min: 0, max: 300 }),
})

test('it fires exactly when an observation is a delta below the highest rating since its last event', () => {
  fc.assert(
    fc.property(observations, rules, (observed, rule) => {
      // The same rule over all observations, hour by hour, instead of over the drops.
      const expected: (readonly [number, number])[] = []
      let start = rule.from
      for (const [index, [hour, rating]] of observed.entries()) {
        const from = Math.max(start, hour - rule.window)
        const shown = observed
          .slice(0, index)
          .filter((_, each) => (observed[each + 1]?.[0] ?? hour) > from || each === index - 1)
        const highest = Math.max(0, ...shown.map(([, each]) => each))
        if (hour < rule.from || highest <= rating || highest - rating < rule.delta) continue
        expected.push([hour, highest])
        start = hour
      }
      assert.deepEqual(events(observed, rule), expected)
    }),
    { numRuns: 1_000 },
  )
})

test('it fires whenever the rule without a window does, unless the same slide was reported', () => {
  fc.assert(
    fc.property(observations, rules, (observed, rule) => {
      const fired = new Set(events(observed, rule).map(([hour]) => hour))
      for (const [index, [hour, rating]] of observed.entries()) {
        const fall = (observed[index - 1]?.[1] ?? rating) - rating
        if (hour >= rule.from && fall > 0 && fall >= rule.delta) assert.ok(fired.has(hour))
      }
    }),
    { numRuns: 1_000 },
  )
})

test('any ratings: the highs of a growing history are the ratings above all later ones, within the longest window', () => {
  const waits = fc.array(fc.tuple(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 400, max: 450 })))
  fc.assert(
    fc.property(waits, (observations) => {
      const highs = createHighs()
      let nowMs = START
      const shown: { readonly micros: number; readonly fromMs: number }[] = []
      for (const [hours, micros] of observations) {
        nowMs += hours * HOUR
        const expected = shown.flatMap((each, index) => {
          const ageMs = nowMs - (shown[index + 1]?.fromMs ?? nowMs)
          const isHigh = shown.slice(index + 1).every((later) => later.micros < each.micros)
          return isHigh && ageMs < SLIDE_MS_MAX ? [{ micros: each.micros, ageMs }] : []
        })
        assert.deepEqual(highs.before(nowMs), expected)
        highs.add(micros, nowMs)
        shown.push({ micros, fromMs: nowMs })
      }
    }),
  )
})
