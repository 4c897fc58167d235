import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { redact, TEXT_CHARS_MAX } from './redact.ts'

test('personal data is replaced by its kind', () => {
  const text =
    'Mail me at ann.lee+apps@mail.example.org or +44 20 7946 0958, card 4000 0000 0000 0002, IBAN DE89370400440532013000, order 100-2003004, see https://help.example/x?y=1'
  assert.equal(
    redact(text),
    'Mail me at [email] or [number], card [number], IBAN [account], order [number], see [link]',
  )
})

test('versions, years, prices and stars are kept', () => {
  const text = 'Since 5.12.1 (2026) it costs 9.99 a month, 10/10 would not, 5 stars'
  assert.equal(redact(text), text)
})

test('any text is returned well formed and within the limit', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 5_000 }), (text) => {
      const out = redact(text)
      assert.ok(out.isWellFormed())
      assert.ok(out.length <= TEXT_CHARS_MAX * 3)
      assert.equal(redact(text), out)
    }),
  )
})

test('a long sequence of digits or letters takes linear time', () => {
  for (const text of [
    '1'.repeat(100_000),
    `${'a'.repeat(100_000)}@`,
    'a.'.repeat(50_000),
    'AB12 '.repeat(20_000),
  ]) {
    assert.ok(redact(text).length <= TEXT_CHARS_MAX * 3)
  }
})
