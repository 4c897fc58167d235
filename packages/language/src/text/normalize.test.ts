import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { normalize } from './normalize.ts'

/** The reference expression: exact, but too slow for long text. */
const LINKS = /https?:\/\/\S+|www\.\S+|\S+@\S+\.\S+/giu

test('normalization removes links and e-mail addresses', () => {
  assert.equal(normalize('write to me@example.com please'), 'write to   please')
  assert.equal(normalize('see (https://example.com/a?b=c) now'), 'see (  now')
  assert.equal(normalize('WWW.example.com is down'), '  is down')
  assert.equal(normalize('10 @ 5.0 and a@b and @b.c and a@.b'), '10 @ 5.0 and a@b and @b.c and a@.b')
})

test('normalization removes links and e-mail addresses exactly as the reference expression does', () => {
  const pieces = fc.constantFrom(
    '@',
    '.',
    ' ',
    'a',
    'w',
    'www.',
    'http://',
    'HTTPS://',
    'https:/',
    '\n',
    'é',
    '😀',
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 14 }), (parts) => {
      const text = parts.join('')
      assert.equal(normalize(text), text.normalize('NFKC').replace(LINKS, ' '))
    }),
    { numRuns: 3000 },
  )
})

/** The fastest of several runs: other load only slows a run down. */
function fastestMs(text: string): number {
  let fastest = Number.POSITIVE_INFINITY
  for (let run = 0; run < 5; run++) {
    const startedAt = performance.now()
    normalize(text)
    fastest = Math.min(fastest, performance.now() - startedAt)
  }
  return fastest
}

for (const piece of ['@', '@.', 'a@', '@a.', 'a@b.', 'www', 'http://', 'https:/', '<', '</review'])
  test(`four times as many '${piece}' take about four times as long`, () => {
    const of = (chars: number) => piece.repeat(chars).slice(0, chars)
    const ratio = fastestMs(of(4_000)) / Math.max(0.05, fastestMs(of(1_000)))
    assert.ok(ratio < 16, `4,000 characters took ${ratio.toFixed(1)} times as long as 1,000`)
  })
