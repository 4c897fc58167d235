import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createMatcher } from '../phrases/matcher.ts'
import { parseTable } from '../phrases/table.ts'
import { markJapaneseWords } from './japanese-words.ts'
import { segment } from './segments.ts'

/** The phrases of `table` found in a Japanese `text`, as written there. */
function found(table: string, text: string): string[] {
  const match = createMatcher(parseTable(table, 'test.txt', false), 9)
  return markJapaneseWords(segment(text, false)).flatMap(({ tokens }) =>
    match(tokens).map(({ start, end }) =>
      tokens
        .slice(start, end)
        .map(({ surface }) => surface)
        .join(''),
    ),
  )
}

test('a Japanese phrase does not match inside a word', () => {
  for (const [phrase, text] of [
    ['ラグ', 'フラグを立てる'],
    ['ラグ', 'プラグインが豊富'],
    ['かな', 'なかなか良い'],
    ['でも', 'なんでもできる'],
    ['車の中', '電車の中で使う'],
  ] as const)
    assert.deepEqual(found(`[a] ${phrase}`, text), [], text)
})

test('two kana or one kanji do not match at the start of a longer word', () => {
  for (const [phrase, text] of [
    ['いつ', 'いつも使う'],
    ['かな', 'かなり使える'],
    ['カス', 'カスタマイズできる'],
    ['曲', '曲がり角で案内する'],
  ] as const)
    assert.deepEqual(found(`[a] ${phrase}`, text), [], text)
})

test('a Japanese phrase matches at the start of a word, after a space and in a compound', () => {
  for (const [phrase, text] of [
    ['ラグ', 'ラグがひどい'],
    ['ラグ', 'とにかく ラグ ラグ'],
    ['重い', '激重い'],
    ['使いにく', '超使いにくい'],
    ['いつ', 'いつ対応しますか'],
    ['落ち(る/ます)', 'すぐ落ちます'],
  ] as const)
    assert.ok(found(`[a] ${phrase}`, text).length > 0, text)
})

test('a Japanese phrase resumes after a gap at the start of a word', () => {
  assert.deepEqual(found('[a] 対応...雑', '対応が雑'), ['対応が雑'])
  assert.deepEqual(found('[a] 画面...ラグ', '画面のプラグイン'), [])
})

test('marking Japanese words changes only the word marks of any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      const segments = segment(text, false)
      const marked = markJapaneseWords(segments)
      const unmarked = marked.map((one) => ({
        ...one,
        tokens: one.tokens.map((token) => ({ ...token, insideWord: false })),
      }))
      assert.deepEqual(unmarked, segments)
      for (const { tokens } of marked) assert.equal(tokens[0]?.insideWord, false)
    }),
  )
})
