import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSpacing } from './spacing.ts'

test('requests of one key are spaced after a burst, and those of another key are not', async () => {
  let nowMs = 1_000
  const clock = {
    monotonicMs: () => nowMs,
    sleep: async (ms: number) => {
      nowMs += ms
    },
  }
  const spacing = createSpacing(clock, { burst: 5, intervalMs: 250 })
  const { signal } = new AbortController()
  for (let index = 0; index < 5; index += 1) assert.equal(await spacing.wait('a', signal), true)
  assert.equal(nowMs, 1_000)
  for (let index = 0; index < 240; index += 1) await spacing.wait('a', signal)
  assert.equal(nowMs, 61_000)
  await spacing.wait('b', signal)
  assert.equal(nowMs, 61_000)
  assert.equal(await spacing.wait('a', AbortSignal.abort()), false)
})
