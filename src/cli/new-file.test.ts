import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { CommandFailed } from './command.ts'
import { newFile } from './new-file.ts'

test('a new file is private to its owner, and an existing one is never overwritten', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'radar-new-file-'))
  try {
    const path = join(folder, 'letters')
    {
      await using file = await newFile(path)
      await file.write('a\n')
      await file.write('b\n')
    }
    assert.equal(readFileSync(path, 'utf8'), 'a\nb\n')
    assert.equal(statSync(path).mode & 0o777, 0o600)
    await assert.rejects(newFile(path), (error: unknown) => {
      assert.ok(error instanceof CommandFailed)
      assert.match(error.message, /letters cannot be created \(EEXIST/)
      return true
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a full disk is reported with what to do', async () => {
  // Only Linux has a device that is always full.
  if (process.platform !== 'linux') return
  await using file = await newFile('/dev/full', (path) => open(path, 'w'))
  await assert.rejects(file.write('a\n'), (error: unknown) => {
    assert.ok(error instanceof CommandFailed)
    assert.match(error.message, /\/dev\/full could not be written completely \(ENOSPC.*Free some disk space/)
    return true
  })
})
