import assert from 'node:assert/strict'
import { test } from 'node:test'
import { segment } from '../text/segments.ts'
import { stemsOf } from './stems.ts'

const stems = (text: string) => segment(text, false).segments.flatMap(({ tokens }) => stemsOf(tokens))

test('words are compared by a short and a longer beginning, whatever their endings, case and accents', () => {
  assert.deepEqual(stems('Größere'), stems('GROSSEREM'))
  assert.deepEqual(stems('widgets'), ['widg', 'widgets'])
  assert.deepEqual(stems('notifications'), ['noti', 'notific'])
  assert.deepEqual(stems('app'), ['app'])
})

test('two words that stand together are compared by their beginnings, across no punctuation', () => {
  assert.deepEqual(stems('my dark'), ['my', 'dark', 'my dark'])
  assert.deepEqual(stems('my, dark'), ['my', 'dark'])
})

test('Japanese and Korean are compared by signs and by two that stand together, in one word or not', () => {
  assert.deepEqual(stems('暗い色'), ['暗', 'い', '暗い', '色', 'い色'])
  assert.deepEqual(stems('잠 금'), ['잠', '금', '잠금'])
})

test('signs on both sides of a word in Latin letters stand not together', () => {
  assert.deepEqual(stems('車CarPlay車'), ['車', 'carp', 'carplay', '車'])
})
