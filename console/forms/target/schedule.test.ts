import assert from 'node:assert/strict'
import { test } from 'node:test'
import { choiceOf, scheduleOf } from './schedule.ts'

const NONE = {
  time_zone: 'UTC',
  every_minutes: null,
  daily_at: null,
  weekday: null,
  quiet_from: null,
  quiet_until: null,
}

test('a stored schedule becomes the same schedule again', () => {
  for (const schedule of [
    null,
    { ...NONE, every_minutes: 30 },
    { ...NONE, daily_at: '08:15', time_zone: 'Europe/Berlin' },
    { ...NONE, daily_at: '08:15', weekday: 5 },
    { ...NONE, quiet_from: '20:00', quiet_until: '06:00' },
    { ...NONE, every_minutes: 5, quiet_from: '20:00', quiet_until: '06:00' },
  ])
    assert.deepEqual(scheduleOf(choiceOf(schedule, 'UTC')), schedule)
})

test('a new schedule begins with the time zone of the browser', () => {
  const choice = choiceOf(null, 'Asia/Tokyo')
  assert.equal(scheduleOf({ ...choice, mode: 'daily' })?.time_zone, 'Asia/Tokyo')
})
