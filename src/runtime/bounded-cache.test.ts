import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBoundedCache } from './bounded-cache.ts'

test('a full cache drops the entry that was not used for longest', () => {
  const cache = createBoundedCache<string, number>(2)
  cache.set('a', 1)
  cache.set('b', 2)
  assert.equal(cache.get('a'), 1)
  cache.set('c', 3)
  assert.deepEqual([...cache.keys()].sort(), ['a', 'c'])
  cache.set('a', 4)
  assert.deepEqual([cache.get('a'), cache.size], [4, 2])
})

test('an entry that counts for several leaves less room', () => {
  const cache = createBoundedCache<string, number>(3, (value) => value)
  cache.set('a', 1)
  cache.set('b', 1)
  cache.set('c', 2)
  assert.deepEqual([...cache.keys()].sort(), ['b', 'c'])
})
