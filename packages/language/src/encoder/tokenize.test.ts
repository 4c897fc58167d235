import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadPieces, readPieces } from './pieces.ts'
import { tokenize } from './tokenize.ts'

const file = new URL('../../model/pieces.tsv', import.meta.url)
const pieces = loadPieces(file)
const written = readPieces(file).map(({ piece }) => piece)
const split = (text: string) => tokenize(text, pieces).map((id) => written[id])

test('the tokenizer splits words into their most probable pieces and marks word starts', () => {
  assert.deepEqual(split('Crasht ständig seit dem Update!'), [
    '▁Cras',
    'ht',
    '▁ständig',
    '▁seit',
    '▁dem',
    '▁Update',
    '!',
  ])
})

test('the tokenizer splits Japanese without spaces', () => {
  assert.deepEqual(split('アプリが落ちる'), ['▁', 'アプリ', 'が', '落ち', 'る'])
})

test('the tokenizer treats any white space as one space, and full-width letters as plain ones', () => {
  assert.deepEqual(split('ok \t\n  ｏｋ'), split('ok ok'))
})

test('the tokenizer maps a character outside the vocabulary to the unknown piece', () => {
  assert.deepEqual(split('ꙮ'), ['▁', '<unk>'])
})

test('the tokenizer treats the names of special pieces in a review as text', () => {
  assert.ok(!tokenize('<s> </s> <unk>', pieces).some((id) => [pieces.begin, pieces.end].includes(id)))
})

test('the tokenizer never splits a surrogate pair', () => {
  assert.deepEqual(split('\u{1faf6}\u{1fadc}'), ['▁', '<unk>', '<unk>'])
})

test('the tokenizer splits a Japanese text into the same pieces whole and sentence by sentence', () => {
  const parts = ['アプリが落ちる。', '直してください']
  const each = parts.flatMap((part, at) => tokenize(part, pieces, at === 0))
  assert.deepEqual(each, tokenize(parts.join(''), pieces))
})

test('the tokenizer splits an empty text into the leading space only', () => {
  assert.deepEqual(split(''), ['▁'])
})
