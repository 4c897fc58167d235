import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { createLineWriter } from './line-writer.ts'

function written() {
  const writes: string[] = []
  const writer = createLineWriter({ write: (text) => void writes.push(text) })
  return { writer, writes }
}

test('the lines of each turn are written together at its end', async () => {
  const { writer, writes } = written()
  writer.write('a\n')
  writer.write('b\n')
  assert.deepEqual(writes, [])
  await turn()
  assert.deepEqual(writes, ['a\nb\n'])
  writer.write('c\n')
  await turn()
  assert.deepEqual(writes, ['a\nb\n', 'c\n'])
})

test('flushed lines are written immediately and only once', async () => {
  const { writer, writes } = written()
  writer.write('a\n')
  writer.flush()
  writer.flush()
  await turn()
  assert.deepEqual(writes, ['a\n'])
})

test('a long turn does not buffer all of its lines', () => {
  const { writer, writes } = written()
  for (let index = 0; index < 100; index += 1) writer.write(`${'x'.repeat(1_000)}\n`)
  assert.equal(writes.length, 1)
})
