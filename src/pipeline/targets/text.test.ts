import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { HOSTILE_TEXTS } from '../../../test/support/chat/hostile-texts.ts'
import { cleanLine, cleanText, isolated, truncated, truncatedToBytes } from './text.ts'

const anyText = fc.oneof(
  fc.constantFrom(...HOSTILE_TEXTS),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
)

test('text cleaning removes characters that hide or reorder text, and keeps those of scripts and emoji', () => {
  assert.equal(cleanText('\u202Egnp.exe\u202C z\u200Be\u200Bro \u0000nul'), 'gnp.exe zero nul')
  assert.equal(cleanText('👩‍👩‍👧‍👦 می‌خواهم'), '👩‍👩‍👧‍👦 می‌خواهم')
  assert.equal(cleanText('a\uD800b'), 'a\uFFFDb')
})

test('text cleaning keeps paragraphs, but no more than one empty line', () => {
  assert.equal(cleanText(' one  \r\n\r\n\r\n\r\ntwo\u2028three '), 'one\n\ntwo\nthree')
  assert.equal(cleanLine('one\n\n two'), 'one two')
})

test('the marks on a letter are limited', () => {
  assert.equal(cleanText(`Z${'\u0335'.repeat(50)}algo`), `Z${'\u0335'.repeat(4)}algo`)
})

test('only right-to-left text is isolated', () => {
  assert.equal(isolated('مرحبا'), '\u2068مرحبا\u2069')
  assert.equal(isolated('hello'), 'hello')
})

test('a line is truncated after a whole word', () => {
  assert.equal(truncated('one two three four', 12), 'one two…')
  assert.equal(truncated('one two', 7), 'one two')
  assert.equal(truncated('x'.repeat(100), 10), `${'x'.repeat(9)}…`)
})

test('a text without spaces is truncated after a whole character', () => {
  assert.equal(truncated('👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 15), '👩‍👩‍👧‍👦…')
  assert.equal(truncated('e\u0301'.repeat(10), 8), `${'e\u0301'.repeat(3)}…`)
})

test('a long last word does not take most of the text', () => {
  assert.equal(truncated(`a ${'x'.repeat(100)}`, 20), `a ${'x'.repeat(17)}…`)
  assert.equal(truncated(`a ${'👩‍👩‍👧‍👦'.repeat(9)}`, 41), `a ${'👩‍👩‍👧‍👦'.repeat(3)}…`)
})

test('a truncated text is well formed, within the limit, and a beginning of the text', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 0, max: 300 }), (text, charsMax) => {
      const clean = cleanText(text)
      const short = truncated(clean, charsMax)
      assert.ok(short.length <= charsMax || short === clean)
      assert.ok(short.isWellFormed())
      if (short !== clean) assert.ok(clean.startsWith(short.replace(/…$/, '')))
    }),
  )
})

test('cleaning twice changes nothing', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      assert.equal(cleanText(cleanText(text)), cleanText(text))
      assert.ok(!/[\u202A-\u202E\u2066-\u2069\u200B]/.test(cleanText(text)))
    }),
  )
})

test('a text is truncated to bytes of UTF-8', () => {
  assert.equal(truncatedToBytes('äöü', 6), 'äöü')
  assert.equal(truncatedToBytes('ä'.repeat(100), 11), 'ääää…')
  fc.assert(
    fc.property(anyText, fc.integer({ min: 0, max: 300 }), (text, bytesMax) => {
      const clean = cleanText(text)
      const short = truncatedToBytes(clean, bytesMax)
      assert.ok(Buffer.byteLength(short) <= bytesMax, `${Buffer.byteLength(short)} bytes`)
    }),
  )
})
