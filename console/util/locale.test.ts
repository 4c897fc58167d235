import assert from 'node:assert/strict'
import { test } from 'node:test'
import { zoneOf } from './locale.ts'

test('a time zone that the browser cannot name is UTC', () => {
  assert.deepEqual(['Asia/Calcutta', 'Etc/Unknown', '', undefined].map(zoneOf), [
    'Asia/Calcutta',
    'UTC',
    'UTC',
    'UTC',
  ])
})
