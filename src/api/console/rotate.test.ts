import assert from 'node:assert/strict'
import { it } from 'node:test'
import { rotated } from './rotate.ts'

const NOON = new Date('2026-03-01T12:00:00Z')
const after = (ms: number) => new Date(NOON.getTime() + ms)

it('lets the replaced secret sign along for the overlap, and those before it until their end', () => {
  const once = rotated([{ sealed: 'a', expiresAt: null }], 'b', 1_000, NOON)
  assert.deepEqual(once, [
    { sealed: 'b', expiresAt: null },
    { sealed: 'a', expiresAt: after(1_000) },
  ])
  const twice = rotated(once, 'c', 5_000, after(500))
  assert.deepEqual(twice, [
    { sealed: 'c', expiresAt: null },
    { sealed: 'b', expiresAt: after(5_500) },
    { sealed: 'a', expiresAt: after(1_000) },
  ])
  assert.deepEqual(
    rotated(twice, 'd', 1_000, after(2_000)).map(({ sealed }) => sealed),
    ['d', 'c', 'b'],
  )
  assert.equal(rotated(twice, 'd', 1_000, after(600)).length, 3)
})

it('revokes every old secret at once without an overlap', () => {
  const two = rotated([{ sealed: 'a', expiresAt: null }], 'b', 1_000, NOON)
  assert.deepEqual(rotated(two, 'c', 0, NOON), [{ sealed: 'c', expiresAt: null }])
})
