import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayAndTime, expectedTime, relativeTime } from './time.ts'

const NOW = new Date('2026-11-22T12:00:00Z')
const at = (seconds: number) => relativeTime(new Date(NOW.getTime() + 1_000 * seconds), NOW)

test('a time within a week is relative, in full words', () => {
  assert.deepEqual([0, -30, 300, -7_200, -86_400].map(at), [
    'now',
    '30 seconds ago',
    'in 5 minutes',
    '2 hours ago',
    'yesterday',
  ])
})

test('a time more than a week away is a date', () => {
  assert.match(at(-10 * 86_400), /2026/)
})

test('a time of today has no day, one of another year has its year', () => {
  const on = (day: string) => dayAndTime(new Date(`${day}T09:30:00`), new Date('2026-11-22T12:00:00'))
  assert.doesNotMatch(on('2026-11-22'), /Nov/)
  assert.match(on('2026-11-21'), /21/)
  assert.doesNotMatch(on('2026-11-21'), /2026/)
  assert.match(on('2025-11-22'), /2025/)
})

test('an expected time is about a full hour of today, tomorrow or a day', () => {
  const now = new Date('2026-11-22T12:00:00')
  const on = (time: string) => expectedTime(new Date(time), now)
  assert.match(on('2026-11-22T13:10:00'), /^today about (14:00|0?2:00)/)
  assert.match(on('2026-11-23T00:00:00'), /^tomorrow about/)
  assert.match(on('2026-11-22T23:01:00'), /^tomorrow about/)
  assert.match(on('2026-11-24T09:30:00'), /24.* about/)
})
