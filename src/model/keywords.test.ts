import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { folded, foldedParts, keywordMatcher } from './keywords.ts'

function finds(keyword: string, text: string): boolean {
  return keywordMatcher([keyword])(foldedParts([text]))
}

test('a keyword matches the beginning of a word, ignoring case', () => {
  assert.equal(finds('crash', 'It CRASHES at start'), true)
  assert.equal(finds('crash', 'gatecrash'), false)
  assert.equal(finds('crash', 'app-crash'), true)
  assert.equal(finds('Login', '(login) fails'), true)
  assert.equal(finds('5', 'Version 15'), false)
  assert.equal(finds('5', 'Version 5.1'), true)
})

test('a phrase matches across white space and lines, but not across title and body', () => {
  assert.equal(finds('cannot  log in', 'I cannot\nlog\u00a0in.'), true)
  const matches = keywordMatcher(['cannot log in'])
  assert.equal(matches(foldedParts(['I cannot', 'log in'])), false)
  assert.equal(matches(foldedParts([null, undefined, 'I cannot log in'])), true)
})

test('scripts without spaces between words match inside a text', () => {
  assert.equal(finds('クラッシュ', '起動時にクラッシュします'), true)
  assert.equal(finds('闪退', '更新后一直闪退'), true)
  assert.equal(finds('เด้ง', 'แอพเด้งออก'), true)
  // A Latin word next to Japanese begins a word.
  assert.equal(finds('app', 'このappは'), true)
  assert.equal(finds('★', 'nope★'), true)
})

test('Korean matches from the beginning of a word, with any particle behind it', () => {
  assert.equal(finds('로그인', '로그인이 안 돼요'), true)
  assert.equal(finds('그인', '로그인이 안 돼요'), false)
})

test('folding ignores width, composition, final sigma, dotted I, sharp s, apostrophes and invisible characters', () => {
  for (const [keyword, text] of [
    ['login', 'ＬＯＧＩＮ'],
    ['café', 'cafe\u0301'],
    ['ΛΟΓΟΣ', 'λόγος'.normalize('NFD').replaceAll('\u0301', '')],
    ['iptal', 'İPTAL'],
    ['strasse', 'Straße'],
    ["can't open", 'Can’t open it'],
    ['password', 'pass\u00adword'],
    ['ffi', 'ﬃ'],
    ['アプリ', 'ｱﾌﾟﾘ'],
  ] as const) {
    assert.equal(finds(keyword, text), true, `${keyword} in ${text}`)
  }
})

test('folding twice changes nothing, for each character', () => {
  // All scripts with case are in the first planes; syllables and ideographs have none.
  for (let code = 0; code < 0x20000; code += 1) {
    if (code >= 0x3400 && code < 0xe000) continue
    const once = folded(String.fromCodePoint(code))
    assert.equal(folded(once), once, `U+${code.toString(16)}`)
  }
})

test('the matcher finds the same as a search for each keyword', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'ab', ' ', 'あ', '😀'), maxLength: 6 })
  fc.assert(
    fc.property(fc.array(word, { maxLength: 6 }), fc.array(word, { maxLength: 12 }), (keywords, parts) => {
      const text = folded(parts.join(''))
      const expected = keywords.map(folded).some((keyword) => keyword !== '' && isFound(keyword, text))
      assert.equal(keywordMatcher(keywords)(text), expected)
    }),
    { numRuns: 2000 },
  )
})

function isFound(keyword: string, text: string): boolean {
  for (let at = text.indexOf(keyword); at !== -1; at = text.indexOf(keyword, at + 1)) {
    if (!/^[ab]/.test(keyword) || !/[ab]$/.test(text.slice(0, at))) return true
  }
  return false
}

test('a keyword with repetitions is found in a text of repetitions', () => {
  const text = 'ab'.repeat(50_000)
  assert.equal(finds(`${'ab'.repeat(40)}c`, text), false)
  assert.equal(finds(`${'ab'.repeat(40)}c`, `${text}c`), false, 'it does not begin a word')
  assert.equal(finds(`${'ab'.repeat(40)}c`, `${text} ${'ab'.repeat(40)}c`), true)
})
