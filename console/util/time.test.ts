import assert from 'node:assert/strict'
import { test } from 'node:test'
import { relativeTime } from './time.ts'

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
