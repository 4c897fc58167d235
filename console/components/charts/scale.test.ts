import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countTop, linear, timeTicks, valueTicks } from './scale.ts'

const at = (text: string) => new Date(text).getTime()

test('distances on the axis are in proportion to time', () => {
  const x = linear(at('2026-03-01T00:00'), at('2026-03-11T00:00'), 0, 1_000)
  assert.deepEqual(
    [at('2026-03-01T00:00'), at('2026-03-02T00:00'), at('2026-03-11T00:00')].map(x),
    [0, 100, 1_000],
  )
})

test('values on the axis are round', () => {
  assert.deepEqual(valueTicks(3.9, 4.5, 4), [4, 4.2, 4.4])
  assert.deepEqual(valueTicks(0, 40, 4), [0, 10, 20, 30, 40])
  assert.deepEqual([0, 1, 3, 7, 42, 180].map(countTop), [1, 1, 3, 8, 60, 200])
})

test('ticks of the time axis are whole hours, days or months, as many as fit', () => {
  const day = timeTicks(at('2026-03-01T22:00'), at('2026-03-02T22:00'), 8)
  assert.deepEqual(
    day.map(({ atMs }) => new Date(atMs).getHours()),
    [0, 3, 6, 9, 12, 15, 18, 21],
  )
  const month = timeTicks(at('2026-03-01T00:00'), at('2026-03-31T00:00'), 6)
  assert.deepEqual(
    month.map(({ atMs }) => new Date(atMs).getDate()),
    [1, 8, 15, 22, 29],
  )
  const year = timeTicks(at('2026-03-15T00:00'), at('2027-03-15T00:00'), 12)
  assert.equal(year.length, 12)
  assert.ok(year.every(({ atMs }) => new Date(atMs).getDate() === 1))
  assert.deepEqual(timeTicks(at('2026-03-01T00:00'), at('2026-03-01T00:20'), 3).length, 1)
})
