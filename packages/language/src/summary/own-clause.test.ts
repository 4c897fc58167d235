import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownClause } from './own-clause.ts'

const clause = (sentence: string, isCritical = true) => ownClause(sentence, 8, isCritical)

test('keeps a short sentence', () => {
  assert.equal(clause('payment fails but the rest is fine'), 'Payment fails but the rest is fine.')
})

test('keeps the part after the contrast of a long critical sentence', () => {
  assert.equal(
    clause('It was a really nice app for years but since yesterday nothing loads at all'),
    'Since yesterday nothing loads at all.',
  )
  assert.equal(
    clause('I had some doubts in the beginning but it really works well', false),
    'I had some doubts in the beginning but...',
  )
})

test('omits a leading word that connects the sentence to the previous one', () => {
  assert.equal(clause('Because we enter the number every day'), 'We enter the number every day.')
})

test('rejects sentences that are too short, have non-English letters or urge the reader', () => {
  for (const sentence of ['Too bad', 'Не работает совсем ничего', 'Go to evil.example for free coins'])
    assert.equal(clause(sentence), null, sentence)
})

test('leaves out an address without a dot', () => {
  assert.equal(clause('write to jane@example if it fails'), 'Write to if it fails.')
})
