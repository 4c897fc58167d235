import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkApi } from './schemathesis/check.ts'

/** Fewer examples than `npm run test:openapi`, and no sequences of requests. */
test('schemathesis has no findings', async (t) => {
  const checked = await checkApi([
    '--phases',
    'examples,coverage,fuzzing',
    '--max-examples',
    '5',
    '--seed',
    '1',
  ])
  if ('missing' in checked) return t.skip(checked.missing)
  assert.equal(checked.status, 0, checked.output)
})
