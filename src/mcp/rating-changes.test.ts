import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesOf } from './rating-changes.ts'

const row = (country: string, rating: number) => ({ country, observed_at: '', rating, rating_count: 1 })

test('each rating has the change since the previous one of its storefront', () => {
  const rows = [row('us', 4.1), row('de', 3), row('us', 4.32), row('us', 4.3), row('de', 2.5)]
  assert.deepEqual(
    changesOf(rows).map(({ change }) => change),
    [-0.22, 0.5, 0.02, null, null],
  )
})
