import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayStarts, hourStarts, isTimeZone } from './days.ts'

const starts = (now: string, count: number, zone: string) =>
  dayStarts(new Date(now), count, zone).map((day) => day.toISOString().replace('.000Z', 'Z'))

test('days begin at midnight of the zone', () => {
  assert.deepEqual(starts('2026-07-02T22:30:00Z', 2, 'UTC'), ['2026-07-01T00:00:00Z', '2026-07-02T00:00:00Z'])
  assert.deepEqual(starts('2026-07-02T22:30:00Z', 2, 'Europe/Berlin'), [
    '2026-07-01T22:00:00Z',
    '2026-07-02T22:00:00Z',
  ])
  assert.deepEqual(starts('2026-07-02T03:00:00Z', 1, 'America/New_York'), ['2026-07-01T04:00:00Z'])
  assert.deepEqual(starts('2026-07-02T03:00:00Z', 1, 'Asia/Kathmandu'), ['2026-07-01T18:15:00Z'])
})

test('days with a daylight-saving change have 23 or 25 hours', () => {
  assert.deepEqual(starts('2026-03-30T12:00:00Z', 3, 'Europe/Berlin'), [
    '2026-03-27T23:00:00Z',
    '2026-03-28T23:00:00Z',
    '2026-03-29T22:00:00Z',
  ])
  assert.deepEqual(starts('2026-10-26T12:00:00Z', 3, 'Europe/Berlin'), [
    '2026-10-23T22:00:00Z',
    '2026-10-24T22:00:00Z',
    '2026-10-25T23:00:00Z',
  ])
})

test('a day without a midnight starts after the skipped time', () => {
  // Santiago moves from 24:00 on 5 September to 01:00 on the 6th.
  assert.deepEqual(starts('2026-09-06T12:00:00Z', 2, 'America/Santiago'), [
    '2026-09-05T04:00:00Z',
    '2026-09-06T04:00:00Z',
  ])
})

test('hours start on the full hour', () => {
  assert.deepEqual(
    hourStarts(new Date('2026-07-02T22:30:00Z'), 2).map((hour) => hour.toISOString()),
    ['2026-07-02T21:00:00.000Z', '2026-07-02T22:00:00.000Z'],
  )
})

test('a time zone is one of the IANA database', () => {
  assert.deepEqual(['UTC', 'Europe/Berlin', 'Mars/Olympus', ''].map(isTimeZone), [true, true, false, false])
})
