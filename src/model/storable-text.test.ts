import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { storableText } from './storable-text.ts'

test('NUL and lone surrogates become U+FFFD, everything else is unchanged', () => {
  assert.equal(storableText('a\u0000b'), 'a\uFFFDb')
  assert.equal(storableText('\uD83D and \uDE00'), '\uFFFD and \uFFFD')
  assert.equal(storableText('😀 \u0001\u007F\uFFFE\uFEFF\u2028\n'), '😀 \u0001\u007F\uFFFE\uFEFF\u2028\n')
})

test('storable text is unchanged by UTF-8 encoding and has no NUL', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const stored = storableText(text)
      assert.equal(Buffer.from(stored).toString('utf8'), stored)
      assert.ok(!stored.includes('\u0000'))
      assert.equal(storableText(stored), stored)
    }),
  )
})
