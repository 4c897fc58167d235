import assert from 'node:assert/strict'
import { test } from 'node:test'
import { segment } from '../text/segments.ts'
import { stemsOf } from './stems.ts'

const stems = (text: string) => segment(text, false).segments.flatMap(({ tokens }) => stemsOf(tokens))

test('words are compared by their first letters, whatever their endings, case and accents', () => {
  assert.deepEqual(stems('Größere Buchstaben'), stems('grösser BUCHSTABE'))
  assert.deepEqual(stems('my widgets'), ['my', 'widge'])
})

test('Japanese and Korean are compared by signs and by two that stand together, in one word or not', () => {
  assert.deepEqual(stems('暗い色'), ['暗', 'い', '暗い', '色', 'い色'])
  assert.deepEqual(stems('잠 금'), ['잠', '금', '잠금'])
})

test('signs on both sides of a word in Latin letters stand not together', () => {
  assert.deepEqual(stems('車CarPlay車'), ['車', 'carpl', '車'])
})
