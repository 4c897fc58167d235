import assert from 'node:assert/strict'
import { test } from 'node:test'
import { displayName, inSentence, REASON_NAMES, THEME_NAMES } from './display-names.ts'

test('a code has its name from the table', () => {
  assert.equal(displayName(THEME_NAMES, 'stability_crash'), 'Crashes')
})

test('a code without a name is shown as its words', () => {
  assert.equal(displayName(THEME_NAMES, 'dark_mode'), 'Dark mode')
  assert.equal(displayName(THEME_NAMES, 'constructor'), 'Constructor')
})

test('inside a sentence a name is in lower case unless it starts with an abbreviation', () => {
  assert.equal(inSentence(THEME_NAMES.data_loss), 'data loss')
  assert.equal(inSentence(REASON_NAMES.tls), 'TLS error')
})
