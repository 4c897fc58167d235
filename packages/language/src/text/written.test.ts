import assert from 'node:assert/strict'
import { test } from 'node:test'
import { segment } from './segments.ts'
import { written } from './written.ts'

const tokensOf = (text: string) => segment(text, false).flatMap(({ tokens }) => tokens)

test('a written part keeps the spaces of a text and adds none', () => {
  assert.equal(written(tokensOf(' Apple Music '), 60), 'Apple Music')
  assert.equal(written(tokensOf('LINEの 天気'), 60), 'LINEの 天気')
  assert.equal(written(tokensOf('家計簿'), 60, true), '家 計 簿')
})

test('a written part truncates long text, but never inside a character', () => {
  assert.equal(written(tokensOf('abcdef'), 3), 'abc')
  assert.equal(written(tokensOf('a𐐨𐐨𐐨'), 4), 'a𐐨')
})
