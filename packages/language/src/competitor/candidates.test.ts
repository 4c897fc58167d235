import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GRAMMAR, type TableName } from '../language/grammar.ts'
import { loadTables } from '../tables.ts'
import { markJapaneseWords } from '../text/japanese-words.ts'
import { normalize } from '../text/normalize.ts'
import { segment } from '../text/segments.ts'
import { competitorCandidates } from './candidates.ts'
import { ownApp } from './products.ts'

const { byName, products } = loadTables()
function candidates(body: string, name: TableName, own: readonly string[] = []) {
  const { apostropheSplits, capitalizesNouns } = GRAMMAR[name]
  const segments = segment(normalize(body), apostropheSplits)
  const table = byName.get(name)
  if (table === undefined) throw new Error(`no table ${name}`)
  const read = name === 'ja' ? markJapaneseWords(segments) : segments
  return competitorCandidates(read, ownApp(own, products), { ...table, products, capitalizesNouns })
}

test('competitor detection finds an unlisted product by the verb next to it, in Japanese', () => {
  for (const [body, name] of [
    ['タスクマスターから乗り換えました', 'タスクマスター'],
    ['Kakeiboxから移行しました', 'Kakeibox'],
    ['フォトリンクより使いやすい', 'フォトリンク'],
  ] as const)
    assert.deepEqual(candidates(body, 'ja').names, [name], body)
})

test('competitor detection finds an unlisted product by the verb next to it, in Korean', () => {
  for (const [body, name] of [
    ['머니트리에서 갈아탔어요', '머니트리'],
    ['하루노트로 갈아탑니다', '하루노트'],
    ['플랜비 쓰다가 넘어왔는데 좋아요', '플랜비'],
  ] as const)
    assert.deepEqual(candidates(body, 'ko').names, [name], body)
})

test('competitor detection does not mistake a device, a version or a kind of app for a product', () => {
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

test('competitor detection ignores the app itself and its developer', () => {
  const body = 'Way better than Spotify and Deezer'
  assert.deepEqual(candidates(body, 'en').names, ['Spotify', 'Deezer'])
  assert.deepEqual(candidates(body, 'en', ['Spotify: Music and Podcasts', 'Spotify AB']).names, ['Deezer'])
})

test('competitor detection treats an ordinary word as a product only when it is capitalised inside a sentence', () => {
  assert.deepEqual(candidates('prima app, betaling gaat snel en subito', 'it').names, [])
  assert.deepEqual(candidates('Rapido y sencillo', 'es').names, [])
  assert.deepEqual(candidates('mejor que Rapido', 'es').names, ['Rapido'])
})

test('competitor detection marks a known product as compared only in a sentence that compares', () => {
  assert.equal(candidates('Spotify is better than this', 'en').isCompared, true)
  assert.equal(candidates('I log in with Facebook', 'en').isCompared, false)
})

test('competitor detection recognises short names and other spellings of the app and its developer', () => {
  for (const [body, name, own] of [
    ['배민보다 빠르고 싸요', 'ko', ['배달의민족']],
    ['쿠팡 어플은 직관적인데', 'ko', ['쿠팡이츠']],
    ['भीम सबसे अच्छा है', 'hi', ['BHIM']],
    ['Better than Spotify used to be', 'en', ['Music', 'Spotify AB']],
  ] as const)
    assert.deepEqual(candidates(body, name, own).names, [], body)
})

test('competitor detection distinguishes a product of the same kind of app from a partner', () => {
  assert.ok(candidates('I pay with phonepe since it works', 'en', ['BHIM']).isSameKind)
  assert.ok(candidates('O mercado livre entrega antes', 'pt', ['Shopee: Compras']).isSameKind)
  assert.ok(!candidates('I share the list on WhatsApp', 'en', ['Shopee: Compras']).isSameKind)
  assert.ok(!candidates('I pay with phonepe since it works', 'en').isSameKind)
})

test('competitor detection finds unnamed other apps, also with the kind of app between the words', () => {
  for (const [body, name] of [
    ['다른 배달앱에 비해 깔끔해요', 'ko'],
    ['他のキーボードアプリに比べて種類が多い', 'ja'],
    ['interest is good compare to others banks', 'en'],
    ['De andra är vassare', 'sv'],
    ['Já desinstalei os outros apps de compras', 'pt'],
  ] as const)
    assert.equal(candidates(body, name).mentionsOthers, true, body)
  assert.equal(candidates('다른 메뉴도 있으면 좋겠어요', 'ko').mentionsOthers, false)
  assert.equal(candidates('The other day it crashed', 'en').mentionsOthers, false)
})

test('competitor detection does not mistake an ordinary word for a product with the same spelling', () => {
  for (const [body, name] of [
    ['Komme über die Anmeldung nicht hinaus', 'de'],
    ['Não temos um canal para tirar dúvidas', 'pt'],
    ['I wish it had a menu', 'en'],
  ] as const)
    assert.deepEqual(candidates(body, name).names, [], body)
})
