import assert from 'node:assert/strict'
import { test } from 'node:test'
import { titleOf } from './title.ts'

const near = Int8Array.from([100, 10])
const between = Int8Array.from([100, 0])
const far = Int8Array.from([0, 100])

test('a problem is named by the review that is most like the others', () => {
  const told = [
    { vector: far, summary: 'The map is upside down.', language: 'en' },
    { vector: near, summary: 'The code never arrives.', language: 'en' },
    { vector: between, summary: 'No code by message.', language: 'en' },
  ]
  assert.equal(titleOf(told), 'The code never arrives.')
})

test('the words of an English review come before a summary of labels', () => {
  const told = [
    { vector: between, summary: 'Reports a bug with login.', language: 'de' },
    { vector: near, summary: 'Reports a bug with login.', language: 'fr' },
    { vector: far, summary: 'Log-in ends with an error.', language: 'en' },
  ]
  assert.equal(titleOf(told), 'Log-in ends with an error.')
})

test('a summary that names a mood is the last choice', () => {
  const told = [
    { vector: near, summary: 'Dissatisfied.', language: 'de' },
    { vector: between, summary: 'Dissatisfied; mentions doctors.', language: 'en' },
    { vector: far, summary: 'Login or account problem.', language: 'de' },
  ]
  assert.equal(titleOf(told), 'Login or account problem.')
  assert.equal(titleOf(told.slice(0, 1)), 'Dissatisfied.')
})

test('a review that was not read names no problem', () => {
  const summary = 'A review in Danish, whose text was not read.'
  assert.equal(titleOf([{ vector: near, summary, language: 'da' }]), null)
  assert.equal(titleOf([]), null)
})
