import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DiskSpace } from '../model/disk-space.ts'
import type { Log } from '../runtime/log.ts'
import { DiskFull } from '../storage/port/errors.ts'
import { createDiskWatch } from './disk-watch.ts'

const GIB = 1024 ** 3
const ROOMY: DiskSpace = { freeBytes: 50 * GIB, totalBytes: 100 * GIB }
const FULL: DiskSpace = { freeBytes: 0, totalBytes: 100 * GIB }

function watched() {
  let space: DiskSpace | Error | null = ROOMY
  let nowMs = 0
  const logged: string[] = []
  const write = (event: string) => void logged.push(event)
  const watch = createDiskWatch({
    maintenance: {
      diskSpace: async () => {
        if (space instanceof Error) throw space
        return space
      },
    },
    clock: { monotonicMs: () => nowMs, sleep: async () => {} },
    log: { debug: write, info: write, warn: write, error: write } satisfies Log,
  })
  return {
    watch,
    logged,
    level: () => watch.state().level,
    after: async (ms: number, shown: DiskSpace | Error | null) => {
      nowMs += ms
      space = shown
      await watch.check()
    },
  }
}

test('a write that fails for a quota stops the work for a minute, although the disk has space', async () => {
  const { watch, logged, level, after } = watched()
  await after(0, ROOMY)
  watch.failed(new DiskFull('quota'))
  await after(5_000, ROOMY)
  assert.equal(level(), 'full')
  await after(56_000, ROOMY)
  assert.equal(level(), 'ok')
  assert.deepEqual(logged, ['disk.full', 'disk.recovered'])
})

test('work resumes at once when a full disk shows space again', async () => {
  const { watch, level, after } = watched()
  await after(0, FULL)
  watch.failed(new DiskFull('full'))
  await after(5_000, ROOMY)
  assert.equal(level(), 'ok')
})

test('a full disk whose free space cannot be read stays full, and the failure is logged once', async () => {
  const { logged, level, after } = watched()
  await after(0, FULL)
  for (let check = 0; check < 3; check += 1) await after(5_000, new Error('EIO'))
  assert.equal(level(), 'full')
  assert.deepEqual(logged, ['disk.full', 'disk.unreadable'])
})
