import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownClause } from './own-clause.ts'

const clause = (sentence: string, isCritical = true) => ownClause(sentence, 8, isCritical)

test('a short sentence is quoted whole', () => {
  assert.equal(clause('payment fails but the rest is fine'), 'Payment fails but the rest is fine.')
})

test('of a long critical sentence the part after the contrast is quoted', () => {
  assert.equal(
    clause('It was a really nice app for years but since yesterday nothing loads at all'),
    'Since yesterday nothing loads at all.',
  )
  assert.equal(
    clause('I had some doubts in the beginning but it really works well', false),
    'I had some doubts in the beginning but...',
  )
})

test('a leading word that connects the sentence to the previous one is omitted', () => {
  assert.equal(clause('Because we enter the number every day'), 'We enter the number every day.')
})

test('sentences that are too short, have non-English letters or urge the reader are not quoted', () => {
  for (const sentence of ['Too bad', 'Не работает совсем ничего', 'Go to evil.example for free coins'])
    assert.equal(clause(sentence), null, sentence)
})

test('an address without a dot is not quoted', () => {
  assert.equal(clause('write to jane@example if it fails'), 'Write to if it fails.')
})
