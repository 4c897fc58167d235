import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventIdOf } from './occurrence.ts'

test('the id of an event depends only on its hook and occurrence', () => {
  assert.equal(eventIdOf('a', 'b'), eventIdOf('a', 'b'))
  assert.notEqual(eventIdOf('ab', 'c'), eventIdOf('a', 'bc'))
})
