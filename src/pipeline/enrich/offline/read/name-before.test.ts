import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createOfflineEngine } from '../engine.ts'

const enrich = createOfflineEngine()
const competitor = (body: string, storefront: 'jp' | 'kr') =>
  enrich({ title: null, body, rating: null, storefront }).competitor_named

test('a product nobody listed is named by what is done with it, in Japanese', () => {
  for (const [body, name] of [
    ['タスクマスターから乗り換えました', 'タスクマスター'],
    ['Kakeiboxから移行しました', 'Kakeibox'],
    ['フォトリンクより使いやすい', 'フォトリンク'],
  ] as const)
    assert.equal(competitor(body, 'jp'), name, body)
})

test('a product nobody listed is named by what is done with it, in Korean', () => {
  for (const [body, name] of [
    ['머니트리에서 갈아탔어요', '머니트리'],
    ['하루노트로 갈아탑니다', '하루노트'],
    ['플랜비 쓰다가 넘어왔는데 좋아요', '플랜비'],
  ] as const)
    assert.equal(competitor(body, 'kr'), name, body)
})

test('a device, a version or a kind of app is no product', () => {
  for (const body of [
    '古いバージョンより使いやすい',
    'パソコンの方が見やすい',
    'ノートアプリから乗り換えた',
    'ダークモードの方が見やすい',
  ])
    assert.equal(competitor(body, 'jp'), null, body)
  for (const body of [
    '예전 버전으로 돌아가고 싶어요',
    '다음 화면으로 넘어갈 수 없어요',
    '오래 쓰다가 갈아탔어요',
  ])
    assert.equal(competitor(body, 'kr'), null, body)
})

test('who came from a product nobody listed is pleased, who goes to one is lost', () => {
  const came = enrich({
    title: null,
    body: 'タスクマスターから乗り換えて大満足',
    rating: null,
    storefront: 'jp',
  })
  assert.deepEqual([came.sentiment, came.severity], ['positive', 'low'])
  const gone = enrich({ title: null, body: '重いのでマネロクに乗り換えます', rating: null, storefront: 'jp' })
  assert.deepEqual([gone.sentiment, gone.severity], ['negative', 'high'])
})
