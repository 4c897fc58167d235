import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { longestFirst, readDurations, writeDurations } from './durations.ts'
import { createTestQueue, openTestQueue } from './queue.ts'

const folder = mkdtempSync(join(tmpdir(), 'radar-queue-'))
after(() => rmSync(folder, { recursive: true, force: true }))

test('each file is taken once, in order, by whichever process asks', () => {
  const path = join(folder, 'queue')
  const [first, second] = [
    createTestQueue(path, ['/a.test.ts', '/b/c.test.ts', '/d.test.ts']),
    openTestQueue(path),
  ]
  assert.deepEqual([first.take(), second.take(), first.take()], ['/a.test.ts', '/b/c.test.ts', '/d.test.ts'])
  assert.deepEqual([first.take(), second.take()], [null, null])
})

test('a file has a duration only after its tests have ended', () => {
  const queue = createTestQueue(join(folder, 'durations'), ['/a/b.test.ts'])
  assert.equal(queue.take(), '/a/b.test.ts')
  assert.equal(queue.msOf('/a/b.test.ts'), null)
  queue.end('/a/b.test.ts', 12.5)
  assert.equal(queue.msOf('/a/b.test.ts'), 12.5)
})

test('unknown files come first, then the longest', () => {
  const path = join(folder, 'cache', 'durations.json')
  assert.deepEqual(longestFirst(['b', 'a'], readDurations(path)), ['b', 'a'])
  writeDurations(
    path,
    new Map([
      ['short', 1],
      ['long', 2],
    ]),
  )
  assert.deepEqual(longestFirst(['short', 'new', 'long', 'newer'], readDurations(path)), [
    'new',
    'newer',
    'long',
    'short',
  ])
})
