import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ratePresetOf } from './hook-rate.ts'
import { burstOf, takeSlots } from './pace.ts'

const start = Date.parse('2026-03-01T12:00:00Z')
const at = (ms: number) => new Date(start + ms)

test('a quiet hook may send a burst, then one request each slot', () => {
  const first = takeSlots(null, 10, at(0), 100)
  assert.equal(first.taken, burstOf(10))
  assert.deepEqual(first.nextAt, at(100))
  assert.equal(takeSlots(first.paceMs, 10, at(99), 1).taken, 0)
  const second = takeSlots(first.paceMs, 10, at(100), 1)
  assert.equal(second.taken, 1)
  assert.equal(second.nextAt, null)
  assert.equal(takeSlots(second.paceMs, 10, at(100), 1).taken, 0)
})

test('a rate below one a second waits its seconds out', () => {
  const first = takeSlots(null, 0.1, at(0), 3)
  assert.equal(first.taken, 1)
  assert.deepEqual(first.nextAt, at(10_000))
})

test('in no second does a hook get more than its rate and one burst', () => {
  const call = fc.record({ waitMs: fc.nat({ max: 1500 }), wanted: fc.nat({ max: 40 }) })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), fc.array(call, { maxLength: 200 }), (rate, calls) => {
      const given: { ms: number; taken: number }[] = []
      let pace: number | null = null
      let ms = 0
      for (const { waitMs, wanted } of calls) {
        ms += waitMs
        const slots = takeSlots(pace, rate, at(ms), wanted)
        assert.ok(slots.taken >= 0 && slots.taken <= wanted)
        if (slots.nextAt) {
          assert.ok(slots.nextAt.getTime() > at(ms).getTime())
          assert.ok(takeSlots(slots.paceMs, rate, slots.nextAt, 1).taken === 1)
        }
        pace = slots.paceMs
        given.push({ ms, taken: slots.taken })
      }
      for (const from of given) {
        const inSecond = given.filter(({ ms }) => ms >= from.ms && ms < from.ms + 1000)
        const sum = inSecond.reduce((total, { taken }) => total + taken, 0)
        assert.ok(sum <= rate + burstOf(rate), `${sum} in a second at ${rate}/s`)
      }
    }),
  )
})

test('who asks often gets the whole rate', () => {
  let pace: number | null = null
  let taken = 0
  for (let ms = 0; ms < 60_000; ms += 100) {
    const slots = takeSlots(pace, 25, at(ms), 8)
    pace = slots.paceMs
    taken += slots.taken
  }
  assert.ok(taken >= 60 * 25 && taken <= 60 * 25 + burstOf(25), String(taken))
})

test('a clock that was set back, or a limit that was raised, holds a hook back for a slot at most', () => {
  // A caller that gets nothing keeps what it had.
  const paceMs = at(400 * 24 * 3_600_000).getTime()
  assert.equal(takeSlots(paceMs, 10, at(100), 1).taken, 1)
  const slow = takeSlots(null, 0.1, at(0), 1)
  assert.equal(takeSlots(slow.paceMs, 10, at(100), 1).taken, 1)
})

test('Zapier has a limit of its own that leaves room below what it refuses', () => {
  const rate = ratePresetOf('https://hooks.zapier.com/hooks/standard/1/2/')
  assert.equal(rate, 25)
  assert.ok(rate + burstOf(rate) <= 30)
  assert.equal(ratePresetOf('https://HOOKS.zapier.com/x'), 25)
  for (const url of ['https://zapier.com/', 'https://hooks.zapier.com.example.com/', 'not a url']) {
    assert.equal(ratePresetOf(url), null)
  }
})
