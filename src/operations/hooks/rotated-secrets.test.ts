import assert from 'node:assert/strict'
import { it } from 'node:test'
import { rotatedSecrets } from './rotated-secrets.ts'

const NOON = new Date('2026-03-01T12:00:00Z')
const after = (ms: number) => new Date(NOON.getTime() + ms)

it('a rotation keeps the replaced secret for the overlap, and earlier ones until they expire', () => {
  const once = rotatedSecrets([{ sealed: 'a', expiresAt: null }], 'b', 1_000, NOON)
  assert.deepEqual(once, [
    { sealed: 'b', expiresAt: null },
    { sealed: 'a', expiresAt: after(1_000) },
  ])
  const twice = rotatedSecrets(once, 'c', 5_000, after(500))
  assert.deepEqual(twice, [
    { sealed: 'c', expiresAt: null },
    { sealed: 'b', expiresAt: after(5_500) },
    { sealed: 'a', expiresAt: after(1_000) },
  ])
  assert.deepEqual(
    rotatedSecrets(twice, 'd', 1_000, after(2_000)).map(({ sealed }) => sealed),
    ['d', 'c', 'b'],
  )
  assert.equal(rotatedSecrets(twice, 'd', 1_000, after(600)).length, 3)
})

it('a rotation revokes all old secrets when there is no overlap', () => {
  const two = rotatedSecrets([{ sealed: 'a', expiresAt: null }], 'b', 1_000, NOON)
  assert.deepEqual(rotatedSecrets(two, 'c', 0, NOON), [{ sealed: 'c', expiresAt: null }])
})
