import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { joined, spanFinder } from './aho-corasick.ts'

const shortText = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 12 })

test('a search finds every place of every word, also inside each other', () => {
  const spans = spanFinder(['he', 'she', 'hers', ''])('ushers, he')
  assert.deepEqual(spans, [
    { from: 1, to: 6 },
    { from: 8, to: 10 },
  ])
  assert.deepEqual(spanFinder([])('text'), [])
})

test('a search for all words finds the same characters as a search for each', () => {
  fc.assert(
    fc.property(
      fc.array(shortText, { maxLength: 8 }),
      fc.string({ unit: fc.constantFrom('a', 'b', 'c') }),
      (words, text) => {
        const covered = Array.from(text, () => false)
        for (const word of words.filter(({ length }) => length > 0))
          for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
            covered.fill(true, at, at + word.length)
        const found = Array.from(text, () => false)
        for (const { from, to } of spanFinder(words)(text)) found.fill(true, from, to)
        assert.deepEqual(found, covered)
      },
    ),
  )
})

test('joins spans of several lists', () => {
  assert.deepEqual(
    joined(
      [{ from: 4, to: 6 }],
      [
        { from: 0, to: 2 },
        { from: 5, to: 9 },
      ],
    ),
    [
      { from: 0, to: 2 },
      { from: 4, to: 9 },
    ],
  )
})
