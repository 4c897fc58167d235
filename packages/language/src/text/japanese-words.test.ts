import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createMatcher } from '../phrases/matcher.ts'
import { parseTable } from '../phrases/table.ts'
import { hiraganaWords, markJapaneseWords } from './japanese-words.ts'
import { segment } from './segments.ts'

/** The phrases of `table` heard in a Japanese `text`, as written there. */
function heard(table: string, text: string): string[] {
  const match = createMatcher(parseTable(table, 'test.txt', false), 9)
  return markJapaneseWords(segment(text, false).segments).flatMap(({ tokens }) =>
    match(tokens).map(({ start, end }) =>
      tokens
        .slice(start, end)
        .map(({ surface }) => surface)
        .join(''),
    ),
  )
}

test('a Japanese phrase does not begin inside a word', () => {
  for (const [phrase, text] of [
    ['ラグ', 'フラグを立てる'],
    ['ラグ', 'プラグインが豊富'],
    ['かな', 'なかなか良い'],
    ['でも', 'なんでもできる'],
    ['車の中', '電車の中で使う'],
  ] as const)
    assert.deepEqual(heard(`[a] ${phrase}`, text), [], text)
})

test('a Japanese phrase of two kana or one kanji is not the beginning of a longer word', () => {
  for (const [phrase, text] of [
    ['いつ', 'いつも使う'],
    ['かな', 'かなり使える'],
    ['カス', 'カスタマイズできる'],
    ['曲', '曲がり角で案内する'],
  ] as const)
    assert.deepEqual(heard(`[a] ${phrase}`, text), [], text)
})

test('what stands at the beginning of a word is heard, after a blank and in a compound too', () => {
  for (const [phrase, text] of [
    ['ラグ', 'ラグがひどい'],
    ['ラグ', 'とにかく ラグ ラグ'],
    ['重い', '激重い'],
    ['使いにく', '超使いにくい'],
    ['いつ', 'いつ対応しますか'],
    ['落ち(る/ます)', 'すぐ落ちます'],
  ] as const)
    assert.ok(heard(`[a] ${phrase}`, text).length > 0, text)
})

test('after a gap a phrase goes on at the beginning of a word', () => {
  assert.deepEqual(heard('[a] 対応...雑', '対応が雑'), ['対応が雑'])
  assert.deepEqual(heard('[a] 画面...ラグ', '画面のプラグイン'), [])
})

test('words in hiragana alone name nothing', () => {
  const [marked] = markJapaneseWords(segment('忍者の衣装を選べる', false).segments)
  const tokens = marked?.tokens ?? []
  const spare = hiraganaWords(tokens)
  const kept = tokens.filter((_, index) => !spare.has(index)).map(({ surface }) => surface)
  assert.equal(kept.slice(0, 4).join(''), '忍者衣装')
  assert.equal(hiraganaWords(segment('please add a unicorn', false).segments[0]?.tokens ?? []).size, 0)
})

test('marking words changes nothing else of any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      const { segments } = segment(text, false)
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
