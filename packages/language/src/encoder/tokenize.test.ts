import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadPieces } from './pieces.ts'
import { tokenize } from './tokenize.ts'

const pieces = loadPieces(new URL('../../model/pieces.tsv', import.meta.url))
const written = new Map([...pieces.ids].map(([piece, id]) => [id, piece]))
const split = (text: string) => tokenize(text, pieces).map((id) => written.get(id) ?? '<unk>')

test('words are cut into their most probable pieces, each beginning marked', () => {
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

test('Japanese is cut without blanks', () => {
  assert.deepEqual(split('アプリが落ちる'), ['▁', 'アプリ', 'が', '落ち', 'る'])
})

test('blanks of any kind and number are one, and full-width letters are plain ones', () => {
  assert.deepEqual(split('ok \t\n  ｏｋ'), split('ok ok'))
})

test('a character outside the vocabulary is one unknown piece', () => {
  assert.deepEqual(split('ꙮ'), ['▁', '<unk>'])
})

test('an empty text has no pieces but the blank before it', () => {
  assert.deepEqual(split(''), ['▁'])
})
