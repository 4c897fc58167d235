import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { systemClock } from '../../../runtime/clock.ts'
import { StorageUnavailable } from '../../port/errors.ts'
import { openSqlite } from '../open.ts'
import { restoreSqlite } from './restore.ts'

/** A folder with a database, and a backup of it. */
async function withBackup() {
  const folder = mkdtempSync(join(tmpdir(), 'radar-restore-'))
  const file = join(folder, 'radar.db')
  const backup = join(folder, 'backup.db')
  await using storage = await openSqlite({ file, clock: systemClock })
  await storage.maintenance.backup(backup)
  const restore = (from = backup) =>
    restoreSqlite({ file, backup: from, serviceVersion: '1.0.0', now: new Date('2026-03-01T12:00:00Z') })
  return { folder, file, backup, restore, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
}

test('a backup that cannot be copied ends a restore with a sentence, and the database stays', async () => {
  using given = await withBackup()
  const folder = join(given.folder, 'folder')
  mkdirSync(folder)
  await assert.rejects(given.restore(folder), (error) => {
    assert.ok(error instanceof StorageUnavailable)
    assert.match(error.message, /^The database was not restored: .*E\w+/)
    return true
  })
  assert.ok(existsSync(given.file))
  assert.deepEqual(
    readdirSync(given.folder).filter((name) => /restoring|before/.test(name)),
    [],
  )
})

test('a restore leaves no log and no journal of the former database beside the new one, and keeps both', async () => {
  using given = await withBackup()
  for (const suffix of ['-wal', '-journal']) writeFileSync(given.file + suffix, suffix)
  const kept = (await given.restore()) ?? ''
  for (const suffix of ['-wal', '-journal']) {
    assert.equal(existsSync(given.file + suffix), false, suffix)
    assert.equal(existsSync(kept + suffix), true, suffix)
  }
})

test('a service does not start on a file that a restore replaced meanwhile', async () => {
  using given = await withBackup()
  await using storage = await openSqlite({ file: given.file, clock: systemClock })
  renameSync(given.backup, given.file)
  await assert.rejects(storage.maintenance.joinServices(), /was replaced while the service started/)
})
