import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type MessageSchedule, minutesOf, nextMessageMs } from './message-schedule.ts'

const NONE: MessageSchedule = {
  timeZone: 'Europe/Berlin',
  everyMinutes: null,
  dailyAt: null,
  weekday: null,
  quiet: null,
  sinceMs: 0,
}
const at = (text: string) => Date.parse(text)
const next = (schedule: Partial<MessageSchedule>, last: string | null, now: string) => {
  const nextMs = nextMessageMs({ ...NONE, ...schedule }, last === null ? null : at(last), at(now))
  return new Date(nextMs).toISOString()
}

test('a schedule allows at most one message in ten minutes', () => {
  const schedule = { everyMinutes: 10 }
  assert.equal(next(schedule, null, '2026-03-01T12:00:00Z'), '2026-03-01T12:00:00.000Z')
  assert.equal(next(schedule, '2026-03-01T12:00:00Z', '2026-03-01T12:03:00Z'), '2026-03-01T12:10:00.000Z')
  assert.equal(next(schedule, '2026-03-01T12:00:00Z', '2026-03-01T12:11:00Z'), '2026-03-01T12:11:00.000Z')
})

test('one message a day at nine in Berlin, also across the change of the clocks', () => {
  const schedule = { dailyAt: '09:00', sinceMs: at('2026-03-27T10:00:00Z') }
  assert.equal(next(schedule, null, '2026-03-27T10:05:00Z'), '2026-03-28T08:00:00.000Z')
  assert.equal(next(schedule, '2026-03-28T08:00:00Z', '2026-03-28T08:00:01Z'), '2026-03-29T07:00:00.000Z')
  const late = '2026-03-30T11:00:00.000Z'
  assert.equal(
    next(schedule, '2026-03-28T08:00:00Z', late),
    late,
    'an event after the time of a day without a message',
  )
})

test('one message a week, on Monday', () => {
  const schedule = { dailyAt: '08:30', weekday: 1, sinceMs: at('2026-03-03T12:00:00Z') }
  assert.equal(next(schedule, null, '2026-03-04T12:00:00Z'), '2026-03-09T07:30:00.000Z')
})

test('no message in quiet hours over midnight', () => {
  const schedule = { quiet: { from: '22:00', until: '07:00' } }
  assert.equal(next(schedule, null, '2026-03-01T22:30:00Z'), '2026-03-02T06:00:00.000Z')
  assert.equal(next(schedule, null, '2026-03-02T05:59:00Z'), '2026-03-02T06:00:00.000Z')
  assert.equal(next(schedule, null, '2026-03-02T06:00:00Z'), '2026-03-02T06:00:00.000Z')
  assert.equal(next(schedule, null, '2026-03-02T12:00:00Z'), '2026-03-02T12:00:00.000Z')
})

test('a time that the clocks skip is later, and one that they repeat is the first', () => {
  const skipped = { dailyAt: '02:30', sinceMs: at('2026-03-28T12:00:00Z') }
  assert.equal(next(skipped, null, '2026-03-28T13:00:00Z'), '2026-03-29T01:30:00.000Z')
  const repeated = { dailyAt: '02:30', sinceMs: at('2026-10-24T12:00:00Z') }
  assert.equal(next(repeated, null, '2026-10-24T13:00:00Z'), '2026-10-25T00:30:00.000Z')
})

test('quiet hours that end in a repeated hour end once more', () => {
  const schedule = { quiet: { from: '22:00', until: '02:30' } }
  assert.equal(next(schedule, null, '2026-10-25T00:10:00Z'), '2026-10-25T00:30:00.000Z')
  assert.equal(next(schedule, null, '2026-10-25T01:10:00Z'), '2026-10-25T01:30:00.000Z')
})

const time = fc
  .tuple(fc.nat(23), fc.nat(59))
  .map(([h, m]) => `${String(h).padStart(2, '0')}:${String(m).padStart(2, '0')}`)
const instant = fc.integer({ min: at('2024-01-01T00:00:00Z'), max: at('2028-01-01T00:00:00Z') })
const anySchedule = fc.record({
  timeZone: fc.constantFrom(
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'Asia/Kolkata',
    'Pacific/Chatham',
    'Australia/Lord_Howe',
  ),
  everyMinutes: fc.option(fc.integer({ min: 1, max: 1440 })),
  dailyAt: fc.option(time),
  weekday: fc.option(fc.integer({ min: 1, max: 7 })),
  quiet: fc.option(fc.record({ from: time, until: time }).filter(({ from, until }) => from !== until)),
  sinceMs: instant,
})

test('the next message is never in the past, never in quiet hours and at most nine days away', () => {
  fc.assert(
    fc.property(anySchedule, fc.option(instant), instant, (schedule, lastMs, nowMs) => {
      const nextMs = nextMessageMs(schedule, lastMs, nowMs)
      assert.ok(nextMs >= nowMs && nextMs <= nowMs + 9 * 24 * 3_600_000)
      assert.ok(
        schedule.everyMinutes === null ||
          schedule.dailyAt !== null ||
          lastMs === null ||
          lastMs > nowMs ||
          nextMs >= lastMs + schedule.everyMinutes * 60_000,
      )
      // Asked again at that time, it may be sent: a lane that waits for it does not wait twice.
      const hasRightClock = schedule.sinceMs <= nowMs && (lastMs ?? 0) <= nowMs
      if (hasRightClock) assert.equal(nextMessageMs(schedule, lastMs, nextMs), nextMs)
      if (schedule.quiet === null) return
      const parts = new Intl.DateTimeFormat('en-GB', {
        timeZone: schedule.timeZone,
        hour: '2-digit',
        minute: '2-digit',
      }).format(nextMs)
      const local = minutesOf(parts)
      const from = minutesOf(schedule.quiet.from)
      const until = minutesOf(schedule.quiet.until)
      assert.ok(!(from < until ? local >= from && local < until : local >= from || local < until), parts)
    }),
    { numRuns: 1_000 },
  )
})
