import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { unescaped } from './unescaped.ts'

test('undoes the escapes of JSON and of URLs, and leaves others', () => {
  assert.equal(unescaped(String.raw`\u0041\/\"\n%C3%A9 %ff \x`)?.text, 'A/"\né %ff \\x')
  assert.equal(unescaped('plain \\x %'), null)
})

test('knows where each character was', () => {
  const anyText = fc.string({ unit: 'binary' })
  fc.assert(
    fc.property(anyText, anyText, anyText, (before, word, after) => {
      for (const form of [
        (text: string) => JSON.stringify(text).slice(1, -1),
        (text: string) => encodeURIComponent(text.toWellFormed()),
      ]) {
        const given = form(before) + form(word) + form(after)
        const plain = unescaped(given)
        if (plain === null) return
        const from = unescaped(form(before))?.text.length ?? form(before).length
        const length = unescaped(form(word))?.text.length ?? form(word).length
        const place = plain.placeOf({ from, to: from + length })
        assert.equal(given.slice(place.from, place.to), form(word))
      }
    }),
  )
})
