import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryDedupe, processOnce } from './dedupe.ts'

test('an event is processed once', async () => {
  const dedupe = memoryDedupe()
  let processed = 0
  const process = async () => {
    processed += 1
  }
  assert.equal(await processOnce(dedupe, 'a', process), 'processed')
  assert.equal(await processOnce(dedupe, 'a', process), 'done')
  assert.equal(await processOnce(dedupe, 'b', process), 'processed')
  assert.equal(processed, 2)
})

test('a failed event is processed again, and its error is rethrown', async () => {
  const dedupe = memoryDedupe()
  const failing = () => Promise.reject(new Error('no disk'))
  await assert.rejects(processOnce(dedupe, 'a', failing), /no disk/)
  assert.equal(await processOnce(dedupe, 'a', () => {}), 'processed')
})

test('a second request for an event in progress gets busy', async () => {
  const dedupe = memoryDedupe()
  const first = Promise.withResolvers<void>()
  const running = processOnce(dedupe, 'a', () => first.promise)
  assert.equal(await processOnce(dedupe, 'a', assert.fail), 'busy')
  first.resolve()
  assert.equal(await running, 'processed')
  assert.equal(await processOnce(dedupe, 'a', assert.fail), 'done')
})

test('memoryDedupe keeps the newest IDs', async () => {
  const dedupe = memoryDedupe({ max: 2 })
  for (const id of ['a', 'b', 'c']) await processOnce(dedupe, id, () => {})
  assert.deepEqual(
    [await dedupe.begin('b'), await dedupe.begin('c'), await dedupe.begin('a')],
    ['done', 'done', 'new'],
  )
})
