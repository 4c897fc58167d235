import assert from 'node:assert/strict'
import { test } from 'node:test'
import { segment } from '../text/segments.ts'
import { createMatcher, dropCovered } from './matcher.ts'
import { PhraseSyntaxError } from './pattern.ts'
import { parseTable } from './table.ts'

/** The sections of `table` that match in `text`. */
function matchedSections(table: string, text: string, apostropheSplits = false): string[] {
  const match = createMatcher(parseTable(table, 'test.txt', apostropheSplits), 3)
  return segment(text, apostropheSplits).flatMap(({ tokens }) =>
    dropCovered(match(tokens)).map(({ name }) => name),
  )
}

test('a star matches any ending or beginning of a word', () => {
  assert.deepEqual(matchedSections('[a] crash*', 'It CRASHED'), ['a'])
  assert.deepEqual(matchedSections('[a] *absturz*', 'Dauerlauf'), [])
  assert.deepEqual(matchedSections('[a] *absturz*', 'Programmabsturzes'), ['a'])
  assert.deepEqual(matchedSections('[a] crash', 'crashed'), [])
})

test('accents and apostrophes are optional in the phrase and in the text', () => {
  assert.deepEqual(matchedSections("[a] doesn't work", 'doesnt work'), ['a'])
  assert.deepEqual(matchedSections('[a] não abre', 'nao abre'), ['a'])
  assert.deepEqual(matchedSections("[a] l'appli", "L'appli", true), ['a'])
})

test('three dots skip a few words but never a comma', () => {
  assert.deepEqual(matchedSections('[a] stürzt ... ab', 'stürzt immer wieder ab'), ['a'])
  assert.deepEqual(matchedSections('[a] stürzt ... ab', 'stürzt eins zwei drei vier ab'), [])
  assert.deepEqual(matchedSections('[a] stürzt ... ab', 'stürzt nie, ab und zu'), [])
})

test('brackets list alternatives, a question mark makes a part optional, a list is referenced by its name', () => {
  const table = '@cant = cannot / not able to\n[a] @cant (log in/sign in) (today)?'
  for (const text of ['cannot log in', 'not able to sign in today'])
    assert.deepEqual(matchedSections(table, text), ['a'])
  assert.deepEqual(matchedSections(table, 'able to sign in'), [])
})

test('a question mark after the name of a list makes the list optional', () => {
  const table = '@not = never / not (once/ever)\n[a] it @not? failed'
  for (const text of ['it failed', 'it never failed', 'it not once failed'])
    assert.deepEqual(matchedSections(table, text), ['a'], text)
  assert.deepEqual(matchedSections(table, 'it surely failed'), [])
})

test('Japanese is matched character by character anywhere in the text', () => {
  assert.deepEqual(matchedSections('[a] 落ち(る/ます)', 'すぐに落ちます'), ['a'])
})

test('a longer phrase hides a shorter one inside it, but not one in its gap', () => {
  assert.deepEqual(matchedSections('[good] great\n[ask] would be great', 'would be great'), ['ask'])
  assert.deepEqual(matchedSections('[good] great\n[ask] would ... nice', 'would great nice').sort(), [
    'ask',
    'good',
  ])
})

test('all version numbers match the same pattern', () => {
  assert.deepEqual(matchedSections('[a] since 0.0', 'Slow since 7.12'), ['a'])
})

test('an error in a table names its file and line', () => {
  for (const table of [
    '[a]\n(open',
    '[a]\nopen)',
    'phrase before a section',
    '[a]\n@unknown word',
    '[a]\n...',
    '[a]\nword?',
    '[a]\n(word) ?',
  ])
    assert.throws(
      () => parseTable(table, 'xx.txt', false),
      (error: unknown) => {
        assert.ok(error instanceof PhraseSyntaxError)
        assert.match(error.message, /^xx\.txt:\d+: /)
        return true
      },
    )
})
