import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, dayStarts } from '../../src/model/days.ts'
import { searchOf } from '../data/compare-address.ts'
import { columnSearches } from '../data/compare-search.ts'
import {
  type Column,
  columnOf,
  columnSearchOf,
  lastPeriods,
  lastVersions,
  type Period,
  resolved,
  withNamedVersion,
} from './comparison.ts'
import { ZONE } from './locale.ts'

const APPLE = { store: 'apple', app_id: '1' } as const
const GOOGLE = { store: 'google', app_id: 'com.example' } as const
const NOW = new Date('2026-11-29T12:00:00Z')
const VERSIONS = [
  { version: '5.2.0', firstAt: '2026-11-01T08:00:00.000Z' },
  { version: '5.1.0', firstAt: '2025-01-01T08:00:00.000Z' },
]

const columnWith = (period: Period, change: Partial<Column> = {}): Column => ({
  listings: [APPLE],
  country: undefined,
  version: undefined,
  period,
  ...change,
})
const dates = (since: string | undefined, until: string | undefined) =>
  columnWith({ kind: 'dates', since, until })
const selected = (column: Column, versions: typeof VERSIONS | undefined = VERSIONS) => {
  const found = resolved(column, versions, NOW)
  assert.equal(found.kind, 'selected', JSON.stringify(found))
  return found.kind === 'selected' ? found : assert.fail()
}

test('an address keeps every column', () => {
  const columns: Column[] = [
    columnWith({ kind: 'release', version: '5.2.0' }, { listings: [APPLE, GOOGLE], country: 'de' }),
    columnWith({ kind: 'days', days: 90, before: true }, { version: '2.0, beta' }),
    columnWith({ kind: 'dates', since: '2026-01-01T00:00:00Z', until: undefined }, { listings: [] }),
  ]
  assert.deepEqual(columnSearches(searchOf(columns.map(columnSearchOf))).map(columnOf), columns)
})

test('both listings of an app are two selections with the same filters', () => {
  const { selections } = selected(
    columnWith(
      { kind: 'dates', since: '2026-10-01T00:00:00Z', until: '2026-11-01T00:00:00Z' },
      { listings: [APPLE, GOOGLE], country: 'de', version: '2.0' },
    ),
  )
  const shared = {
    country: 'de',
    app_version: '2.0',
    since: '2026-10-01T00:00:00.000Z',
    until: '2026-11-01T00:00:00.000Z',
  }
  assert.deepEqual(selections, [
    { ...APPLE, ...shared },
    { ...GOOGLE, ...shared },
  ])
})

test('the 30 days before are 30 days earlier and as long as the last 30 days, of which today is not over', () => {
  const [last, before] = lastPeriods([APPLE], 30).map((column) => selected(column))
  assert.ok(last !== undefined && before !== undefined)
  assert.equal(last.until, NOW)
  assert.equal(last.selections[0]?.until, NOW.toISOString(), 'later reviews are not of this period')
  assert.deepEqual(last.since, dayStarts(NOW, 30, ZONE)[0])
  assert.deepEqual(before.since, dayStarts(NOW, 60, ZONE)[0])
  assert.equal(before.selections[0]?.until, before.until.toISOString())
  const length = ({ since, until }: typeof last) => until.getTime() - since.getTime()
  assert.equal(length(before), length(last))
})

test('a period since a version begins with its first review, at most a year ago', () => {
  const since = (version: string) => selected(columnWith({ kind: 'release', version })).since
  assert.equal(since('5.2.0').toISOString(), '2026-11-01T08:00:00.000Z')
  const year = (NOW.getTime() - since('5.1.0').getTime()) / DAY_MS
  assert.ok(year > 363 && year < 366, `${year} days`)
})

test('a period since a version waits for the versions of the app', () => {
  const column = columnWith({ kind: 'release', version: '5.2.0' })
  assert.deepEqual(resolved(column, undefined, NOW), { kind: 'waiting' })
  assert.deepEqual(resolved({ ...column, period: { kind: 'release', version: '9' } }, VERSIONS, NOW), {
    kind: 'invalid',
    problem: 'release',
  })
})

test('dates that end before they begin, or more than 366 days later, select nothing', () => {
  for (const [since, until, problem] of [
    ['2026-02-01T00:00:00Z', '2026-01-01T00:00:00Z', 'order'],
    ['2026-12-01T00:00:00Z', undefined, 'order'],
    ['2025-01-01T00:00:00Z', '2026-01-03T00:00:00Z', 'length'],
    ['2025-01-01T00:00:00Z', undefined, 'length'],
  ] as const) {
    assert.deepEqual(resolved(dates(since, until), VERSIONS, NOW), { kind: 'invalid', problem })
  }
  selected(dates('2025-01-01T00:00:00Z', '2026-01-02T00:00:00Z'))
})

test('an end without a start means the 30 days before it', () => {
  assert.equal(
    selected(dates(undefined, '2026-05-31T00:00:00Z')).since.toISOString(),
    '2026-05-01T00:00:00.000Z',
  )
})

test('the newest version and the one before get their names once the versions are known', () => {
  const columns = lastVersions(APPLE)
  assert.deepEqual(
    columns.map((column) => withNamedVersion(column, VERSIONS)?.version),
    ['5.2.0', '5.1.0'],
  )
  assert.deepEqual(
    columns.map((column) => resolved(column, undefined, NOW).kind),
    ['waiting', 'waiting'],
  )
  const [, before] = columns
  assert.ok(before !== undefined)
  assert.deepEqual(resolved(before, VERSIONS.slice(0, 1), NOW), { kind: 'invalid', problem: 'version' })
  assert.deepEqual(resolved(before, [], NOW), { kind: 'invalid', problem: 'versions' })
})
