import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Checksum, type Comparable } from './checksum.ts'
import { readBack, type SourceValue, writtenAs } from './values.ts'

const TIMESTAMP = 'timestamp with time zone'

test('a value of any column is read back unchanged', () => {
  const bytes = Buffer.from('00ff10', 'hex')
  const key = Buffer.alloc(16, 0xab)
  const cases: [SourceValue, string, unknown][] = [
    [null, 'text', null],
    ['a', 'text', 'a'],
    ['9e107d9d-372b-46c4-9f5b-0242ac120002', 'text', '9e107d9d-372b-46c4-9f5b-0242ac120002'],
    ['a\0b', 'text', 'a\u{FFFD}b'],
    [7, 'bigint', 7],
    [0.1, 'double precision', 0.1],
    [bytes, 'bytea', bytes],
    [key, 'uuid', 'abababab-abab-abab-abab-abababababab'],
    [1, 'boolean', true],
    [0, 'boolean', false],
    ['2026-03-01T12:00:00.123Z', TIMESTAMP, new Date('2026-03-01T12:00:00.123Z')],
    [1_772_366_400_000, TIMESTAMP, new Date(1_772_366_400_000)],
  ]
  for (const [value, type, read] of cases) {
    assert.equal(writtenAs(value, type).compared, readBack(read, type), `${String(value)} as ${type}`)
  }
})

test('a value that does not fit its column is refused', () => {
  const cases: [SourceValue, string][] = [
    ['a', 'bigint'],
    [1, 'text'],
    [2, 'boolean'],
    ['soon', TIMESTAMP],
    [Buffer.alloc(15), 'uuid'],
    [Buffer.alloc(15), 'text'],
    ['true', 'boolean'],
  ]
  for (const [value, type] of cases) {
    assert.throws(
      () => writtenAs(value, type),
      /does not fit a column of the type/,
      `${String(value)} as ${type}`,
    )
  }
})

test('a checksum depends on every value and the number of rows, not on their order', () => {
  const of = (...rows: Comparable[][]) => {
    const checksum = new Checksum()
    for (const row of rows) checksum.add(row)
    return checksum
  }
  const sum = of([1, 'a'], [2, null], [2, null])
  assert.ok(sum.equals(of([2, null], [1, 'a'], [2, null])))
  for (const other of [
    of([1, 'a'], [2, null]),
    of([1, 'a'], [2, null], [2, '']),
    of([1, 'a'], [2, null], [1, 'a']),
    of(['1', 'a'], [2, null], [2, null]),
    of(['a', 1], [2, null], [2, null]),
  ]) {
    assert.ok(!sum.equals(other))
  }
})
