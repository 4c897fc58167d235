import assert from 'node:assert/strict'
import { test } from 'node:test'
import { choiceOf, scheduleOf } from './schedule.ts'

const NONE = {
  timeZone: 'UTC',
  everyMinutes: null,
  dailyAt: null,
  weekday: null,
  quietFrom: null,
  quietUntil: null,
}

test('a stored schedule becomes the same schedule again', () => {
  for (const schedule of [
    null,
    { ...NONE, everyMinutes: 30 },
    { ...NONE, dailyAt: '08:15', timeZone: 'Europe/Berlin' },
    { ...NONE, dailyAt: '08:15', weekday: 5 },
    { ...NONE, quietFrom: '20:00', quietUntil: '06:00' },
    { ...NONE, everyMinutes: 5, quietFrom: '20:00', quietUntil: '06:00' },
  ])
    assert.deepEqual(scheduleOf(choiceOf(schedule, 'UTC')), schedule)
})

test('a new schedule begins with the time zone of the browser', () => {
  const choice = choiceOf(null, 'Asia/Tokyo')
  assert.equal(scheduleOf({ ...choice, mode: 'daily' })?.timeZone, 'Asia/Tokyo')
})
