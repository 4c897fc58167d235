import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sentencesOf, spacedSentencesOf } from './sentences.ts'

test('the sentence splitter splits at sentence-final punctuation and at line ends', () => {
  assert.deepEqual(sentencesOf('It crashes. Every time! Please\nfix it soon'), [
    'It crashes.',
    'Every time!',
    'Please',
    'fix it soon',
  ])
  assert.deepEqual(sentencesOf('すぐ落ちます。直してください！'), ['すぐ落ちます。', '直してください！'])
})

test('the sentence splitter splits at Hindi sentence-final punctuation', () => {
  assert.deepEqual(sentencesOf('ऐप खुलता नहीं।पैसे वापस करो।'), ['ऐप खुलता नहीं।', 'पैसे वापस करो।'])
})

test('the sentence splitter keeps all white space between spaced sentences', () => {
  for (const text of [
    'It crashes.  Every time!\n\nPlease fix it',
    'すぐ落ちます。 直して！お願いします',
    '\n\nHello there. No.',
  ])
    assert.equal(spacedSentencesOf(text).join(''), text)
})

test('the sentence splitter does not split versions and repeated punctuation', () => {
  assert.deepEqual(sentencesOf('Version 3.5 is broken!!! Give me my money back...'), [
    'Version 3.5 is broken!!!',
    'Give me my money back...',
  ])
})

test('the sentence splitter joins a short sentence to the previous one', () => {
  assert.deepEqual(sentencesOf('It stopped working. No.'), ['It stopped working. No.'])
})

test('the sentence splitter returns no sentences for an empty text', () => {
  assert.deepEqual(sentencesOf(' '), [])
})
