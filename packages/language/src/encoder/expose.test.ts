import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withOutput } from './expose.ts'

test('an output is added to a model behind its bytes', () => {
  const model = Uint8Array.from([1, 2, 3])
  const name = [...Buffer.from('x')]
  assert.deepEqual([...withOutput(model, 'x')], [1, 2, 3, 0x3a, 5, 0x62, 3, 0x0a, 1, ...name])
})

test('a name that does not fit is refused', () => {
  assert.throws(() => withOutput(new Uint8Array(), 'x'.repeat(130)), /too long/)
})
