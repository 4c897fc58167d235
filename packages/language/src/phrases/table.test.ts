import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PhraseSyntaxError } from './pattern.ts'
import { parseTable, wordsIn } from './table.ts'

const read = (text: string) => parseTable(text, 'xx.txt', false)

/** The line number in the error about `text`. */
function errorLine(text: string): number {
  let line = 0
  assert.throws(
    () => read(text),
    (error: unknown) => {
      assert.ok(error instanceof PhraseSyntaxError)
      line = Number(/^xx\.txt:(\d+): ./.exec(error.message)?.[1])
      return true
    },
  )
  return line
}

test('a comma and the end of a line both end a phrase', () => {
  assert.deepEqual(read('[a]\none two, three\nfour、five'), read('[a] one two\n[a] three, four,\n\nfive,'))
})

test('a line that ends inside a bracket continues on the next line', () => {
  assert.deepEqual(
    read('[a]\n(log/sign/\n  tune) in (to\n\n  the app/now)?, next # why\n(x # a remark\n/y) z'),
    read('[a] (log/sign/tune) in (to the app/now)?, next, (x/y) z'),
  )
})

test('a "/" at the end of a line continues a list', () => {
  assert.deepEqual(
    read('@not = not / (do/does) not /\n  never\n@very = very\n[a] @not good, @very bad'),
    read('@not = not / (do/does) not / never\n@very = very\n[a] @not good, @very bad'),
  )
})

test('sections with the same name are merged', () => {
  assert.deepEqual(read('[a] one\n[b] two\n[a] three'), read('[a] one, three\n[b] two'))
})

test('a syntax error names its line', () => {
  assert.equal(errorLine('[a]\nfine, (one/\ntwo), three?'), 3)
  assert.equal(errorLine('# remark\n\nphrase before a section'), 3)
  assert.equal(errorLine('[a]\nfine\n[No Name]'), 3)
  assert.equal(errorLine('[a]\n@ = nothing'), 2)
  assert.equal(errorLine('[a]\n@list = one, two'), 2)
  assert.equal(errorLine('[a]\n@list = one /\ntwo, three'), 2)
})

test('an unclosed bracket is reported with the line that opens it', () => {
  assert.equal(errorLine('[a]\nfine\n(one/two)\n(three/\nfour\nfive'), 4)
  assert.equal(errorLine('[a]\n(one/\ntwo) (three/\nfour\n[b]\nfive'), 3)
  assert.equal(errorLine('[a]\n(one/\ntwo, three)'), 2)
  assert.equal(errorLine('@list = one / (two /\nthree\n@other = four'), 1)
})

test('a word list accepts single words only and normalises them like review text', () => {
  const words = (text: string) => [...wordsIn(read(text), 'words', 'xx.txt')]
  assert.deepEqual(words("[words] über, don't\n[a] other\n[words] und"), ['uber', 'dont', 'und'])
  for (const odd of ['the app', 'the*', '(the/a)', 'アプリ'])
    assert.throws(() => words(`[words] ${odd}`), /^Error: xx\.txt: \[words\] /, odd)
})
