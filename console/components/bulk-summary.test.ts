import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bulkSummary } from './bulk-summary.ts'

test('a summary counts what was done, unchanged and refused, with each reason once', () => {
  const failed = [
    { id: 'a', reason: 'It is gone.' },
    { id: 'b', reason: 'It is gone.' },
  ]
  assert.equal(bulkSummary({ changed: 12, failed: [] }, 12, 'paused'), '12 paused.')
  assert.equal(
    bulkSummary({ changed: 12, failed }, 15, 'paused'),
    '12 paused, 1 unchanged, 2 could not be paused: It is gone.',
  )
})
