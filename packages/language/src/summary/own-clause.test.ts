import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownClause } from './own-clause.ts'

const clause = (sentence: string, isCritical = true) => ownClause(sentence, 8, isCritical)

test('keeps a short sentence', () => {
  assert.equal(clause('payment fails but the rest is fine'), 'Payment fails but the rest is fine.')
})

test('keeps what a long critical sentence stresses', () => {
  assert.equal(
    clause('It was a really nice app for years but since yesterday nothing loads at all'),
    'Since yesterday nothing loads at all.',
  )
  assert.equal(
    clause('I had some doubts in the beginning but it really works well', false),
    'I had some doubts in the beginning but...',
  )
})

test('leaves out a word that joins the sentence to the one before', () => {
  assert.equal(clause('Because we enter the number every day'), 'We enter the number every day.')
})

test('refuses sentences that are too short, not English letters, or urge the reader', () => {
  for (const sentence of ['Too bad', 'Не работает совсем ничего', 'Go to evil.example for free coins'])
    assert.equal(clause(sentence), null, sentence)
})
