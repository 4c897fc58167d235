import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePageReviews } from './apple/app-page.ts'
import { parseFeedJson } from './apple/feed-json.ts'
import { parseFeedXml } from './apple/feed-xml.ts'
import { jsonParser } from './bounded-json.ts'
import { readRpcAnswer } from './google/batchexecute.ts'
import { blocksOf } from './google/page-data.ts'

test('an answer of JSON with long texts of any characters is parsed', () => {
  const value = { reviews: Array.from({ length: 200 }, () => ({ text: ',[{"\\'.repeat(500) })) }
  assert.deepEqual(jsonParser()(JSON.stringify(value)), value)
  assert.equal(jsonParser()('"text"'), 'text')
  assert.throws(() => jsonParser()('{'), SyntaxError)
})

test('refuses JSON with too many values, also in several pieces', () => {
  for (const text of ['['.repeat(300_000), `[${'1,'.repeat(300_000)}1]`, `[${'{},'.repeat(150_000)}{}]`])
    assert.throws(() => jsonParser()(text), /the answer has more than 250000 values/)
  const parse = jsonParser()
  const piece = `[${'1,'.repeat(100_000)}1]`
  parse(piece)
  parse(piece)
  assert.throws(() => parse(piece), /more than 250000 values/)
})

test('refuses answers of stores with more values, rows or frames than any real one', () => {
  const many = `[${'1,'.repeat(300_000)}1]`
  const rows = Array.from({ length: 1_001 }, () => ({}))
  assert.deepEqual(parsePageReviews(many), { kind: 'changed', detail: 'serialized-server-data is not JSON' })
  assert.deepEqual(parseFeedJson({ feed: { entry: rows } }), {
    kind: 'changed',
    detail: 'the page has more than 1000 reviews',
  })
  assert.deepEqual(parseFeedXml(`<feed>${'<entry>'.repeat(1_001)}`), {
    kind: 'changed',
    detail: 'the page has more than 1000 reviews',
  })
  assert.equal(readRpcAnswer(`)]}'\n${many}`, 'a').kind, 'unreadable')
  assert.equal(readRpcAnswer(`)]}'\n${'3\n[1]\n'.repeat(1_001)}`, 'a').kind, 'unreadable')
  const block = (key: number, data: string) =>
    `<script>AF_initDataCallback({key: 'ds:${key}', data:${data}})</script>`
  assert.deepEqual(
    [...blocksOf(block(1, '[1]') + block(2, many))],
    [
      ['ds:1', [1]],
      ['ds:2', undefined],
    ],
  )
})
