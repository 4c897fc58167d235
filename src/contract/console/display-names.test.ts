import assert from 'node:assert/strict'
import { test } from 'node:test'
import { displayName, inSentence, REASON_NAMES, THEME_NAMES } from './display-names.ts'

test('a known code has the name of its table', () => {
  assert.equal(displayName(THEME_NAMES, 'stability_crash'), 'Crashes')
})

test('an unknown code is shown as words', () => {
  assert.equal(displayName(THEME_NAMES, 'dark_mode'), 'Dark mode')
  assert.equal(displayName(THEME_NAMES, 'constructor'), 'Constructor')
})

test('a name starts with a lower-case letter inside a sentence, unless it starts with an abbreviation', () => {
  assert.equal(inSentence(THEME_NAMES.data_loss), 'data loss')
  assert.equal(inSentence(REASON_NAMES.tls), 'TLS error')
})
