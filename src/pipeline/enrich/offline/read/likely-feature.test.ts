import assert from 'node:assert/strict'
import { test } from 'node:test'
import { likeliestFeature, type Ruled } from './likely-feature.ts'

/** What a wish asks for by its likeness to `timer`, `dark-mode` and `zoom`, told in words and by what was heard. */
function asked(
  ruled: string | undefined,
  heard: readonly number[],
  words: readonly number[] = [0, 0, 0],
  by: Ruled['by'] = 'hint',
  hasConcept = false,
) {
  const deps = {
    slugs: ['timer', 'dark-mode', 'zoom'],
    heardLikeness: () => Float64Array.from(heard),
    wordsLikeness: () => ({ toFeatures: () => Float64Array.from(words) }),
  }
  return likeliestFeature(
    { heard: [], stems: [] },
    ruled === undefined ? undefined : { slug: ruled, by },
    hasConcept,
    deps,
  )
}

test('what rules found stays unless another feature is clearly likelier', () => {
  assert.equal(asked('timer', [0, 0, 0]), 'timer')
  assert.equal(asked('timer', [0, 3, 0]), 'timer')
  assert.equal(asked('timer', [0, 12, 0]), 'dark-mode')
  assert.equal(asked('timer', [10, 12, 0]), 'timer')
})

test('a name in the words that ask holds longer than a hint, and a hint longer than what is said aside', () => {
  const scores = [0, 10, 0]
  assert.equal(asked('timer', scores, [0, 0, 0], 'name'), 'timer')
  assert.equal(asked('timer', scores, [0, 0, 0], 'hint'), 'dark-mode')
  assert.equal(asked('timer', [0, 4, 0], [0, 0, 0], 'hint'), 'timer')
  assert.equal(asked('timer', [0, 4, 0], [0, 0, 0], 'aside'), 'dark-mode')
})

test('words and what is heard in them tell together', () => {
  assert.equal(asked('timer', [0, 5, 0], [0, 5, 0]), 'dark-mode')
  assert.equal(asked('timer', [0, 9, 0], [0, -9, 0]), 'timer')
})

test('where rules found nothing a feature must be likely', () => {
  assert.equal(asked(undefined, [0, 12, 0]), 'dark-mode')
  assert.equal(asked(undefined, [0, 2, 0]), undefined)
})

test('where a telling concept speaks for something else a feature must be very likely', () => {
  assert.equal(asked(undefined, [0, 12, 0], [0, 0, 0], 'hint', true), undefined)
  assert.equal(asked(undefined, [0, 15, 0], [0, 15, 0], 'hint', true), 'dark-mode')
})
