import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fuzz } from './run.ts'

test('no route answers hostile values with an internal error or a closed connection', async () => {
  const { failures, statuses } = await fuzz(2_000, 1)
  assert.deepEqual(failures, [])
  // Enough of them are valid but for one value.
  assert.ok((statuses['200'] ?? 0) > 200 && (statuses['400'] ?? 0) > 200, JSON.stringify(statuses))
})
