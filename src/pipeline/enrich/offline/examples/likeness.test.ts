import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { createLikeness, tallyExamples, tallyMeetings } from './likeness.ts'

const SLUGS = ['timer', 'dark-mode', 'unheard']

/** The score of each feature but the last, which has no examples. */
function taught(examples: readonly (readonly [slug: string, text: string])[], lent = 10) {
  const tally = tallyExamples(
    examples.map(([slug, text]) => ({ slug, text })),
    SLUGS,
    ({ text }) => text.split(' '),
  )
  const likeness = createLikeness(tally, SLUGS.length, lent)
  return (text: string) => [...likeness(text.split(' '))]
}

const EXAMPLES = [
  ['timer', 'please stop when asleep'],
  ['timer', 'asleep please'],
  ['dark-mode', 'please black at night'],
  ['dark-mode', 'night please'],
] as const

test('a text is most like the feature whose examples have its words', () => {
  const scores = taught(EXAMPLES)
  const [timer = 0, dark = 0] = scores('asleep again')
  assert.ok(timer > 0 && dark < 0, `${timer} ${dark}`)
  const [asleep = 0, black = 0] = scores('black stop night')
  assert.ok(black > asleep)
})

test('a word that is as frequent everywhere, or in no example, tells nothing', () => {
  const scores = taught(EXAMPLES)
  const [timer = 0, dark = 0] = scores('please')
  assert.ok(Math.abs(timer - dark) < 0.1, `${timer} ${dark}`)
  assert.deepEqual(scores('unicorn'), [0, 0, 0])
  assert.deepEqual(scores('asleep unicorn'), scores('asleep'))
})

test('a word of one feature tells more than one of several', () => {
  const scores = taught(EXAMPLES)
  assert.ok((scores('asleep')[0] ?? 0) > (scores('please')[0] ?? 0))
})

test('a feature with many examples is not favoured over one with few', () => {
  const many = Array.from({ length: 50 }, (_, at) => ['timer', `stop w${at} v${at}`] as const)
  const [timer = 0, dark = 0] = taught([...many, ['dark-mode', 'black']])('black stop')
  assert.ok(dark > timer, `${timer} ${dark}`)
})

test('saying a word twice counts once, in a text as in an example', () => {
  const scores = taught(EXAMPLES)
  assert.deepEqual(scores('night night'), scores('night'))
  assert.deepEqual(
    taught([['timer', 'stop stop'], EXAMPLES[2]])('stop'),
    taught([['timer', 'stop'], EXAMPLES[2]])('stop'),
  )
})

test('a feature without examples is like nothing in particular, and an unknown one is left out', () => {
  assert.equal(taught(EXAMPLES)('asleep black please')[2], 0)
  assert.deepEqual(taught([...EXAMPLES, ['gone', 'asleep night']])('asleep'), taught(EXAMPLES)('asleep'))
})

const anyExamples = fc.array(
  fc.tuple(
    fc.constantFrom(...SLUGS, 'gone'),
    fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 5 }),
  ),
  { maxLength: 12 },
)

test('the order of the examples changes no score', () => {
  fc.assert(
    fc.property(anyExamples, anyExamples, (one, other) => {
      const texts = (rows: typeof one) => rows.map(([slug, words]) => [slug, words.join(' ')] as const)
      const forth = taught(texts([...one, ...other]))
      const back = taught(texts([...one, ...other].reverse()))
      assert.deepEqual(forth('a b c'), back('a b c'))
    }),
  )
})

test('meetings are added up by sign and place, from the lowest', () => {
  const tally = tallyMeetings(
    [
      { sign: 'b', place: 2, count: 1 },
      { sign: 'a', place: 0, count: 2 },
      { sign: 'b', place: 0, count: 3 },
      { sign: 'b', place: 2, count: 4 },
    ],
    3,
  )
  assert.deepEqual(tally.signs, ['b', 'a'])
  assert.deepEqual([...tally.pairs], [0, 2, 3])
  assert.deepEqual([...tally.counts], [3, 5, 2])
})
