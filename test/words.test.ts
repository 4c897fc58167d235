import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textsIn } from './support/console-texts.ts'
import { readSourceTree } from './support/source-tree.ts'

/**
 * One word for one intention, in what people read (docs/decisions.md, One word for one intention). Commands and the API keep `recover` and
 * `reply`.
 */
const OTHER_WORDS: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\b(re-?send|sen(d|t|ds) (\S+ ){0,3}again|re-?deliver\w*)\b/i, 'Replay, or Ask again for a confirmation'],
  [/\brecover(s|ed|y)?\b/i, 'Replay'],
  [/\brepl(y|ies|ied)\b/i, 'Answer'],
]

/** The same words with another meaning. */
const OTHER_MEANINGS = [
  /rating recover|recovery of a rating|recovered rating/i,
  /recovery codes?/i,
  /fails or recovers/,
  // The Play Console's name of the permission.
  /permission to view app information and to reply to reviews/,
]

/** Before each text. */
const PLACE = /^\S+:\d+ /

function otherWords(text: string): string[] {
  if (OTHER_MEANINGS.some((meaning) => meaning.test(text))) return []
  return OTHER_WORDS.filter(([word]) => word.test(text.replace(PLACE, ''))).map(
    ([, instead]) => `${text} (use: ${instead})`,
  )
}

test('the console says Retry, Replay and Answer, each for one intention', () => {
  const files = [...readSourceTree(['console/messages']), ...readSourceTree(['src/contract/console'])]
  const texts = files.filter(({ path }) => !path.endsWith('.test.ts')).flatMap(textsIn)
  assert.ok(texts.length > 500, `${texts.length} texts`)
  assert.deepEqual(texts.flatMap(otherWords), [])
})

test('another word for the same intention is found', () => {
  assert.equal(otherWords('Send again').length, 1)
  assert.equal(otherWords('Recovery started.').length, 1)
  assert.equal(otherWords('Write a reply').length, 1)
  assert.equal(otherWords('Replay all 12').length, 0)
})
