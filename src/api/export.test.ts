import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { csvOf } from './export.ts'

/** Parses a line of RFC 4180. */
function cellsOf(line: string): string[] {
  const cells: string[] = []
  const rest = line.replace(/\r\n$/, '')
  const cell = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/y
  for (let more = true; more; ) {
    const match = cell.exec(rest)
    if (match === null) throw new Error(`not a line of CSV: ${line}`)
    cells.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '')
    more = match[3] === ','
  }
  return cells
}

/** The rule of the implementation, by code points instead of a regular expression. */
function isDefused(cell: string): boolean {
  const [first = 'a'] = cell
  return '=+-@＝＋－＠'.includes(first) || /^[\p{White_Space}\p{Cc}\p{Cf}]$/u.test(first)
}

describe('a CSV export', () => {
  it('a CSV export quotes cells with commas, quotes and line breaks', () => {
    assert.equal(csvOf([['a', 'b c', null, 4.5, true]]), 'a,b c,,4.5,true\r\n')
    assert.equal(csvOf([['a,b', 'say "hi"', 'two\nlines']]), '"a,b","say ""hi""","two\nlines"\r\n')
  })

  it('a CSV export escapes every cell that a spreadsheet would evaluate as a formula', () => {
    for (const cell of [
      '=1+1',
      '+1',
      '-1',
      '@x',
      '\t=1',
      '\r=1',
      '=HYPERLINK("http://evil","x")',
      '\n=1',
      ' =1',
      '\u{A0}=1',
      '\u{3000}=1',
      '\u{FEFF}=1',
      '\u{200B}=1',
      '\u{2060}=1',
      '\u{200E}=1',
      '\u{AD}=1',
      '\0=1',
      '＝1+1',
      '＋1',
      '－1',
      '＠x',
    ]) {
      assert.match(cellsOf(csvOf([[cell]]))[0] ?? '', /^'/, cell)
    }
    assert.equal(csvOf([[-1]]), '-1\r\n')
    assert.equal(csvOf([['a=1']]), 'a=1\r\n')
  })

  it('a CSV export parses to the same cells, except for the apostrophe of escaped ones', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }), (cells) => {
        const read = cellsOf(csvOf([cells])).map((cell, index) =>
          isDefused(cells[index] ?? '') ? cell.slice(1) : cell,
        )
        assert.deepEqual(read, cells)
      }),
    )
  })
})
