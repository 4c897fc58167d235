import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { loadTables } from '../phrases/load.ts'
import { CONCEPT_PARTS, CONCEPT_WEIGHTS, type Concept, conceptSlug } from './wish-slug.ts'

const concept = (name: string, part: Concept['part'], weight: Concept['weight']): [string, Concept] => [
  name,
  { name, part, weight },
]
const concepts = new Map([
  concept('split', 'action', 'plain'),
  concept('bill', 'thing', 'plain'),
  concept('friend', 'thing', 'plain'),
  concept('weekly', 'quality', 'plain'),
  concept('show', 'action', 'light'),
  concept('tide', 'thing', 'telling'),
])

test('the order of the words in the wish does not matter', () => {
  assert.equal(conceptSlug(['bill', 'split'], concepts)?.slug, 'split-bill')
  assert.equal(conceptSlug(['split', 'bill'], concepts)?.slug, 'split-bill')
  assert.equal(conceptSlug(['bill', 'weekly'], concepts)?.slug, 'weekly-bill')
})

test('at most two concepts are kept, what is to be done before what with', () => {
  assert.equal(conceptSlug(['friend', 'bill', 'split'], concepts)?.slug, 'split-bill')
})

test('lighter concepts are left out', () => {
  assert.equal(conceptSlug(['show', 'tide', 'bill'], concepts)?.slug, 'tide')
  assert.equal(conceptSlug(['show', 'bill'], concepts)?.slug, 'bill')
  assert.equal(conceptSlug(['show'], concepts)?.slug, 'show')
})

test('no concept, no slug', () => {
  assert.equal(conceptSlug([], concepts), null)
  assert.equal(conceptSlug(['unheard-of'], concepts), null)
})

test('any concepts of the tables give a valid slug, the same in any order', () => {
  const known = loadTables().concepts
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...known.keys()), { minLength: 1, maxLength: 12 }), (names) => {
      const slug = conceptSlug(names, known)?.slug ?? ''
      assert.match(slug, /^[a-z0-9]+(-[a-z0-9]+)*$/)
      assert.ok(slug.length >= 2 && slug.length <= 40, slug)
      assert.equal(conceptSlug(names.toReversed(), known)?.slug, slug)
    }),
  )
})

test('every part and weight is in use', () => {
  const known = [...loadTables().concepts.values()]
  for (const part of CONCEPT_PARTS) assert.ok(known.some((one) => one.part === part))
  for (const weight of CONCEPT_WEIGHTS) assert.ok(known.some((one) => one.weight === weight))
})
