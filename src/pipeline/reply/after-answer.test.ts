import assert from 'node:assert/strict'
import { test } from 'node:test'
import { afterQuota } from './after-answer.ts'

test('an answer above the quota is tried again after an hour, and does not count as sent', () => {
  const now = new Date('2026-03-01T12:00:00Z')
  assert.deepEqual(afterQuota({ state: 'pending', shownText: 'Before' }, 2_000, now), {
    state: 'pending',
    shownText: 'Before',
    problem: 'The store allows 2000 answers a day for an app. This one is sent later.',
    nextAt: new Date('2026-03-01T13:00:00Z'),
    isUnsent: true,
  })
})
