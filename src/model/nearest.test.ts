import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nearest } from './nearest.ts'

test('a mistyped word gets the most similar known word, and an unknown word gets none', () => {
  const known = ['serve', 'demo', 'doctor', 'token', 'dead', 'hooks']
  for (const [word, meant] of [
    ['serv', 'serve'],
    ['srvee', 'serve'],
    ['tokne', 'token'],
    ['hook', 'hooks'],
    ['doktor', 'doctor'],
    ['launch', null],
    ['x', null],
  ] as const) {
    assert.equal(nearest(word, known), meant, word)
  }
})
