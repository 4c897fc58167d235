import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutRepeats } from './repeats.ts'

test('the filter of repetitions keeps at most two repetitions of a phrase in a row', () => {
  assert.equal(withoutRepeats('bekar app '.repeat(100).trim()), 'bekar app bekar app')
  assert.equal(withoutRepeats('bad bad bad bad bad and slow'), 'bad bad and slow')
})

test('the filter of repetitions leaves other texts unchanged', () => {
  for (const text of ['very very good\n app', 'It works. It works.', '', 'one two one two three'])
    assert.equal(withoutRepeats(text), text)
})
