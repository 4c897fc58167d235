import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeFolder } from './make-folder.ts'

test('a folder is created with its parents and the given mode, and may already exist', () => {
  const top = mkdtempSync(join(tmpdir(), 'radar-folder-'))
  try {
    const folder = join(top, 'a', 'b')
    makeFolder(folder, 0o700)
    makeFolder(folder)
    assert.deepEqual(
      [folder, join(top, 'a')].map((each) => statSync(each).mode & 0o777),
      [0o700, 0o700],
    )
  } finally {
    rmSync(top, { recursive: true })
  }
})

test('a folder that cannot be created is an error, not an endless loop', { timeout: 60_000 }, () => {
  assert.throws(() => makeFolder('/dev/null/radar/data'), /ENOTDIR|ENOENT/)
  if (process.platform === 'linux') assert.throws(() => makeFolder('/proc/radar/data'), /ENOENT|EACCES|EPERM/)
})
