import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareSearch, searchOf } from './compare-address.ts'
import { columnSearches } from './compare-search.ts'
import { parseSearch, stringifySearch } from './search.ts'

const ADDRESS =
  '?app1=apple%2F1,google%2Fcom.example&country1=de&release1=5.2.0&app2=all&period2=30d-before&since3=2026-01-01T00:00:00Z'

test('an address has the fields of each column, and none of a column without an app', () => {
  const search = searchOf(columnSearches(compareSearch(parseSearch(ADDRESS))))
  assert.deepEqual(search, {
    app1: 'apple/1,google/com.example',
    country1: 'de',
    release1: '5.2.0',
    app2: 'all',
    period2: '30d-before',
  })
  assert.deepEqual(compareSearch(parseSearch(stringifySearch(search))), search)
})

test('a column that was removed from the address leaves no gap', () => {
  assert.deepEqual(searchOf(columnSearches({ app2: 'all', app4: 'apple/1', version4: '2.0' })), {
    app1: 'all',
    app2: 'apple/1',
    version2: '2.0',
  })
})

test('unknown values of a column are dropped and its known ones stay', () => {
  const [column] = columnSearches({
    app1: 'all',
    country1: 'zz',
    period1: '31d',
    since1: 'May',
    version1: '',
  })
  assert.deepEqual(
    Object.entries(column ?? {}).filter(([, value]) => value !== undefined),
    [['app', 'all']],
  )
  assert.deepEqual(columnSearches({ app1: 'amazon/1' }), [])
})

test('a version is at most as long as the statistics take it', () => {
  const search = (chars: number) => ({
    app1: 'all',
    version1: 'v'.repeat(chars),
    release1: 'v'.repeat(chars),
  })
  assert.equal(columnSearches(search(100))[0]?.version?.length, 100)
  assert.equal(columnSearches(search(101))[0]?.version, undefined)
  assert.equal(columnSearches(search(101))[0]?.release, undefined)
})

test('an address has no other parameters than those of columns', () => {
  assert.deepEqual(compareSearch({ app1: 'all', app5: 'all', app: 'all', store1: 'apple' }), { app1: 'all' })
})
