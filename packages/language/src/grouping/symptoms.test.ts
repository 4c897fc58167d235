import assert from 'node:assert/strict'
import { test } from 'node:test'
import { foldLetters, loadSymptoms } from './symptoms.ts'

const symptomsIn = loadSymptoms()

test('the same symptom has the same names in every language', () => {
  for (const text of [
    'The SMS with the code never arrives',
    'Die SMS kommt nie an',
    'El SMS no llega',
    'SMSが届かない',
    'Får aldrig något SMS, det kommer inte',
  ]) {
    const { things, faults } = symptomsIn(text)
    assert.ok(things.includes('code-by-message'), text)
    assert.ok(faults.includes('not-arrive'), text)
  }
})

test('a word is found where it starts, not inside another word', () => {
  assert.ok(!symptomsIn('a topical tale').things.includes('pin'))
  assert.ok(!symptomsIn('readable').things.includes('ads'))
})

test('a bare verdict names no part of the app', () => {
  for (const text of ['Totaler Schrott', 'Nulle', 'Worst ever', '最悪'])
    assert.deepEqual(symptomsIn(text).things, [], text)
})

test('folding drops the accents of Latin letters and keeps those of other scripts', () => {
  assert.equal(foldLetters('Übersetzung À jour'), 'ubersetzung a jour')
  assert.equal(foldLetters('バッテリー'), 'バッテリー')
})
