import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changedSchedule, type ScheduleInput } from './message-schedule.ts'

const NOW = new Date('2026-03-01T12:00:00Z')
const SLACK = { targetType: 'slack', messageSchedule: null } as const

test('a change of a schedule keeps the start of an equal schedule, and sets that of another one', () => {
  const input = { dailyAt: '09:00', timeZone: 'Europe/Berlin' }
  const stored = changedSchedule(SLACK, input, NOW)
  assert.deepEqual(stored, {
    timeZone: 'Europe/Berlin',
    everyMinutes: null,
    dailyAt: '09:00',
    weekday: null,
    quiet: null,
    sinceMs: NOW.getTime(),
  })
  const later = new Date(NOW.getTime() + 1)
  const hook = { ...SLACK, messageSchedule: stored ?? null }
  assert.equal(changedSchedule(hook, input, later), undefined)
  assert.equal(changedSchedule(hook, undefined, later), undefined)
  assert.equal(changedSchedule(hook, null, later), null)
  assert.equal(changedSchedule(hook, { ...input, weekday: 1 }, later)?.sinceMs, later.getTime())
})

test('a change of a schedule keeps the name of a time zone as it was given', () => {
  for (const timeZone of ['Asia/Kolkata', 'Etc/UTC', '+02:00']) {
    const messageSchedule = changedSchedule(SLACK, { dailyAt: '09:00', timeZone }, NOW) ?? null
    assert.equal(messageSchedule?.timeZone, timeZone)
    const hook = { ...SLACK, messageSchedule }
    assert.equal(changedSchedule(hook, { dailyAt: '09:00', timeZone }, NOW), undefined)
  }
})

test('a hook that becomes a webhook loses its schedule', () => {
  const messageSchedule = changedSchedule(SLACK, { everyMinutes: 10 }, NOW) ?? null
  assert.equal(changedSchedule({ targetType: 'webhook', messageSchedule }, undefined, NOW), null)
  assert.throws(() => changedSchedule({ targetType: 'webhook', messageSchedule }, { everyMinutes: 1 }, NOW), {
    field: 'messageSchedule',
  })
})

test('a wrong value of a schedule is rejected with the name of its field', () => {
  const bad: readonly [ScheduleInput, string][] = [
    [{}, 'messageSchedule'],
    [{ timeZone: 'UTC' }, 'messageSchedule'],
    [{ everyMinutes: 0 }, 'messageSchedule.everyMinutes'],
    [{ everyMinutes: 1.5 }, 'messageSchedule.everyMinutes'],
    [{ everyMinutes: 10, dailyAt: '09:00' }, 'messageSchedule.everyMinutes'],
    [{ dailyAt: '24:00' }, 'messageSchedule.dailyAt'],
    [{ dailyAt: '9:00' }, 'messageSchedule.dailyAt'],
    [{ weekday: 1 }, 'messageSchedule.dailyAt'],
    [{ dailyAt: '09:00', weekday: 8 }, 'messageSchedule.weekday'],
    [{ quietFrom: '22:00' }, 'messageSchedule.quietUntil'],
    [{ quietFrom: '22:00', quietUntil: '22:00' }, 'messageSchedule.quietUntil'],
    [{ everyMinutes: 10, timeZone: 'Mars/Base' }, 'messageSchedule.timeZone'],
  ]
  for (const [input, field] of bad) {
    assert.throws(
      () => changedSchedule(SLACK, input, NOW),
      { name: 'OperationError', field },
      JSON.stringify(input),
    )
  }
})
