import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stemsOf } from './stems.ts'
import { learnWords, segmentExample } from './words.ts'

const SLUGS = ['timer', 'dark-mode']

const { toFeatures, toWishes } = learnWords(
  'en',
  SLUGS,
  [
    { slug: 'timer', text: 'I fall asleep to it. Please add a timer.' },
    { slug: 'timer', text: 'Please add something for when I am asleep.' },
    { slug: 'dark-mode', text: 'Too bright at night. Please add black.' },
  ],
  [
    { slug: 'nothing', text: 'Crashes when I add a photo of the lasagne.' },
    { slug: 'nothing', text: 'Crashes when I add anything. I am angry.' },
    { slug: 'nothing', text: 'Thanks, it is lovely.' },
  ],
)
const stems = (text: string) =>
  segmentExample({ slug: '', text }, 'en').flatMap(({ tokens }) => stemsOf(tokens))

test('words are like the wishes for the feature that they were met in', () => {
  const [timer = 0, dark = 0] = toFeatures(stems('asleep'))
  assert.ok(timer > dark)
})

test('a sentence is like wishes by the words of wishes, unlike them by words of what asks for nothing', () => {
  assert.ok(toWishes(stems('please')) > 0)
  assert.ok(toWishes(stems('add')) < toWishes(stems('please')))
  assert.ok(toWishes(stems('please add')) > 0)
})

test('what hardly any wish holds tells nothing: a fault about lasagne makes no wish about lasagne one', () => {
  assert.equal(toWishes(stems('lasagne')), 0)
  assert.equal(toWishes(stems('bright')), 0)
  assert.equal(toWishes(stems('please lasagne')), toWishes(stems('please')))
})
