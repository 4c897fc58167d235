import assert from 'node:assert/strict'
import { test } from 'node:test'
import { likeliestFeature } from './likely-feature.ts'

/** What a wish asks for by its likeness to `timer`, `dark-mode` and `zoom`, told in words and by what was heard. */
function asked(ruled: string | undefined, heard: readonly number[], words: readonly number[] = [0, 0, 0]) {
  const deps = {
    slugs: ['timer', 'dark-mode', 'zoom'],
    heardLikeness: () => Float64Array.from(heard),
    wordsLikeness: () => () => Float64Array.from(words),
  }
  return likeliestFeature({ heard: [], stems: [] }, ruled, deps)
}

test('what rules found stays unless another feature is clearly likelier', () => {
  assert.equal(asked('timer', [0, 0, 0]), 'timer')
  assert.equal(asked('timer', [0, 3, 0]), 'timer')
  assert.equal(asked('timer', [0, 12, 0]), 'dark-mode')
  assert.equal(asked('timer', [10, 12, 0]), 'timer')
})

test('words and what is heard in them tell together', () => {
  assert.equal(asked('timer', [0, 3, 0], [0, 3, 0]), 'dark-mode')
  assert.equal(asked('timer', [0, 6, 0], [0, -6, 0]), 'timer')
})

test('where rules found nothing a feature must be likely', () => {
  assert.equal(asked(undefined, [0, 12, 0]), 'dark-mode')
  assert.equal(asked(undefined, [0, 2, 0]), undefined)
})
