import assert from 'node:assert/strict'
import { test } from 'node:test'
import { diskLevelOf, diskSentence } from './disk-space.ts'

const MIB = 1024 ** 2
const levelOf = (freeMib: number, totalMib: number) =>
  diskLevelOf({ freeBytes: freeMib * MIB, totalBytes: totalMib * MIB })

test('the level of a disk depends on its free bytes, and on their share if the disk is small', () => {
  assert.deepEqual(
    [1_000, 511, 63].map((free) => levelOf(free, 100_000)),
    ['ok', 'low', 'full'],
  )
  assert.deepEqual(
    [1.1, 0.9, 0.1].map((free) => levelOf(free, 10)),
    ['ok', 'low', 'full'],
  )
})

test('the sentence about a full disk says what stops and when it resumes', () => {
  assert.equal(diskSentence('ok', null), null)
  assert.equal(
    diskSentence('full', { freeBytes: 0.5 * MIB, totalBytes: 2_048 * MIB }),
    'The disk of the database is full: 0.5 MiB of 2,048 MiB are free. Checks and deliveries have stopped. They resume once there is space.',
  )
  assert.match(diskSentence('low', null) ?? '', /^The disk of the database is nearly full\. Free space/)
})
