import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GRAMMAR, type TableName } from '../language/grammar.ts'
import { loadTables } from '../tables.ts'
import { segment } from '../text/segments.ts'
import { unknownRequest } from './request.ts'

const tables = loadTables()

function requestIn(telling: string, rest = '', name: TableName = 'en') {
  const table = tables.byName.get(name)
  assert.ok(table)
  const segments = (text: string) => segment(text, GRAMMAR[name].apostropheSplits)
  return unknownRequest(segments(telling), segments(`${telling}\n${rest}`), { ...tables, ...table })
}

test('a request outside the catalogue is keyed by the terms of apps in its sentence', () => {
  assert.deepEqual(requestIn('It took half an hour until I was allowed to pay the bill by hand'), {
    slug: 'pay-bill',
    phrase: 'pay bill',
    theme: null,
    english: null,
  })
})

test('a request is keyed by its own words only when they are few enough to be a name', () => {
  assert.equal(requestIn('Uhr anmelden?', '', 'de')?.slug, 'uhr-anmelden')
  assert.equal(requestIn('took half hour find first thing there'), null)
  assert.equal(requestIn('もっと簡単に出来るようにしてくれると嬉しい', '', 'ja'), null)
})

test('the terms of a request come from the rest of the review when its sentence has none', () => {
  assert.equal(requestIn('took half hour find first thing there', 'My coupons are gone.')?.slug, 'coupon')
})

test('words that every request has make no key', () => {
  assert.equal(requestIn('please show and choose and change everything much sooner there'), null)
})
