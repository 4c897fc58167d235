import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Storefront } from '../../../../model/vocabulary.ts'
import { createOfflineEngine } from '../engine.ts'

const engine = createOfflineEngine()
const sentimentOf = (body: string, rating: number | null, storefront: Storefront = 'us') =>
  engine({ title: null, body, rating, storefront }).sentiment

test('two sides with a "but" between them are mixed, with two or four stars too', () => {
  const body = 'The recipes are delicious, but it crashes every day'
  for (const rating of [null, 2, 3, 4]) assert.equal(sentimentOf(body, rating), 'mixed', `${rating} stars`)
  assert.equal(sentimentOf(body, 1), 'negative')
})

test('thanks beside a fault, without a "but" and without a thing that is praised, are jest or courtesy', () => {
  assert.equal(sentimentOf('Thanks a bunch, the alarm never rang', null), 'negative')
  assert.equal(sentimentOf('Love the workouts. The ads are terrible', null), 'mixed')
})

test('who tells how somebody helped is pleased, whatever was the matter', () => {
  const read = engine({
    title: null,
    body: 'Had a problem on Sunday. Support solved it within minutes, lovely team',
    rating: null,
    storefront: 'us',
  })
  assert.equal(read.sentiment, 'positive')
  assert.equal(read.is_bug_report, false)
  assert.equal(sentimentOf('Locked out on holiday. Support solved it within minutes', null), 'positive')
})

test('what is missed is complained of, what is wished for is not', () => {
  assert.equal(sentimentOf('Es fehlt ein dunkler Modus', 3, 'de'), 'negative')
  assert.equal(sentimentOf('Ein dunkler Modus wäre schön', 3, 'de'), 'neutral')
})

test('without stars a story in which nothing is heard is a mishap, a few words are nothing', () => {
  assert.equal(sentimentOf('Three of us stood in the rain until the gate shut', null), 'negative')
  assert.equal(sentimentOf('Monday morning', null), 'neutral')
  assert.equal(sentimentOf('', null), 'neutral')
})

test('who asks for a repair is not pleased, whatever the stars', () => {
  assert.equal(sentimentOf('please fix', 5), 'negative')
})
