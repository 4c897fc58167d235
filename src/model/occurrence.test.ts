import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventIdOf } from './occurrence.ts'

test('an event’s id depends only on its hook and occurrence', () => {
  assert.equal(eventIdOf('a', 'b'), eventIdOf('a', 'b'))
  assert.notEqual(eventIdOf('ab', 'c'), eventIdOf('a', 'bc'))
})
