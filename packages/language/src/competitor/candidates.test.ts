import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GRAMMAR, type TableName } from '../language/grammar.ts'
import { loadTables } from '../tables.ts'
import { markJapaneseWords } from '../text/japanese-words.ts'
import { normalize } from '../text/normalize.ts'
import { segment } from '../text/segments.ts'
import { competitorCandidates } from './candidates.ts'

const { byName } = loadTables()
function candidates(body: string, name: TableName, own: readonly string[] = []) {
  const { apostropheSplits, capitalizesNouns } = GRAMMAR[name]
  const { segments } = segment(normalize(body), apostropheSplits)
  const table = byName.get(name)
  if (table === undefined) throw new Error(`no table ${name}`)
  const read = name === 'ja' ? markJapaneseWords(segments) : segments
  return competitorCandidates(read, own, { ...table, capitalizesNouns })
}

test('a product in no list is named by what is done with it, in Japanese', () => {
  for (const [body, name] of [
    ['タスクマスターから乗り換えました', 'タスクマスター'],
    ['Kakeiboxから移行しました', 'Kakeibox'],
    ['フォトリンクより使いやすい', 'フォトリンク'],
  ] as const)
    assert.deepEqual(candidates(body, 'ja').names, [name], body)
})

test('a product in no list is named by what is done with it, in Korean', () => {
  for (const [body, name] of [
    ['머니트리에서 갈아탔어요', '머니트리'],
    ['하루노트로 갈아탑니다', '하루노트'],
    ['플랜비 쓰다가 넘어왔는데 좋아요', '플랜비'],
  ] as const)
    assert.deepEqual(candidates(body, 'ko').names, [name], body)
})

test('a device, a version or a kind of app is no product', () => {
  for (const body of [
    '古いバージョンより使いやすい',
    'パソコンの方が見やすい',
    'ノートアプリから乗り換えた',
    'ダークモードの方が見やすい',
  ])
    assert.deepEqual(candidates(body, 'ja').names, [], body)
  for (const body of ['예전 버전으로 돌아가고 싶어요', '오래 쓰다가 갈아탔어요'])
    assert.deepEqual(candidates(body, 'ko').names, [], body)
})

test('the app and its developer are no candidates, by any word of their names', () => {
  const body = 'Way better than Spotify and Deezer'
  assert.deepEqual(candidates(body, 'en').names, ['Spotify', 'Deezer'])
  assert.deepEqual(candidates(body, 'en', ['Spotify: Music and Podcasts', 'Spotify AB']).names, ['Deezer'])
})

test('an ordinary word is a product only with a capital letter inside a sentence', () => {
  assert.deepEqual(candidates('prima app, betaling gaat snel en subito', 'it').names, [])
  assert.deepEqual(candidates('Rapido y sencillo', 'es').names, [])
  assert.deepEqual(candidates('mejor que Rapido', 'es').names, ['Rapido'])
})

test('a known product counts as compared only in a sentence that compares', () => {
  assert.equal(candidates('Spotify is better than this', 'en').isCompared, true)
  assert.equal(candidates('I log in with Facebook', 'en').isCompared, false)
})
