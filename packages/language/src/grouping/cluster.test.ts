import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clustersOf } from './cluster.ts'

/** Likeness by pair, such as `{ '01': 3 }`. */
function matrix(count: number, likeness: Readonly<Record<string, number>>): Float64Array[] {
  return Array.from({ length: count }, (_, a) =>
    Float64Array.from({ length: count }, (_, b) => likeness[`${Math.min(a, b)}${Math.max(a, b)}`] ?? 0),
  )
}

test('items that are alike form a group, and the others stay alone', () => {
  assert.deepEqual(clustersOf(matrix(4, { '02': 3, '13': 0.5 }), 2), [0, 1, 0, 2])
})

test('a chain of likeness does not join its ends', () => {
  assert.deepEqual(clustersOf(matrix(3, { '01': 3, '12': 2.9 }), 2), [0, 0, 1])
})

test('pinned items stay together, and two pins never join', () => {
  const alike = matrix(4, { '01': 9, '02': 9, '03': 9, '12': 9, '13': 9, '23': 9 })
  assert.deepEqual(clustersOf(alike, 2, ['a', 'b', 'a', null]), [0, 1, 0, 0])
  assert.deepEqual(clustersOf(matrix(2, {}), 2, ['a', 'a']), [0, 0])
})

test('no item makes no group', () => {
  assert.deepEqual(clustersOf([], 2), [])
})
