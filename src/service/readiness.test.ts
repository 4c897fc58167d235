import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readinessOf } from './readiness.ts'

const answers = { ping: async () => true }
const well = { name: 'send', ok: true, detail: null }

test('a node is ready while storage answers and every part does its work', async () => {
  assert.deepEqual(await readinessOf(answers, [well], false), { ready: true, reasons: [] })
})

test('a part that does not do its work is named with why', async () => {
  const sick = { name: 'poll.apple.reviews', ok: false, detail: 'Its passes fail since noon.' }
  assert.deepEqual(await readinessOf(answers, [well, sick], false), {
    ready: false,
    reasons: ['poll.apple.reviews: Its passes fail since noon.'],
  })
})

test('a node that is stopping, or whose storage does not answer, is not ready', async () => {
  assert.deepEqual((await readinessOf(answers, [well], true)).reasons, ['The service is stopping.'])
  const silent = { ping: async () => false }
  assert.deepEqual((await readinessOf(silent, [well], false)).reasons, ['The database does not answer.'])
})
