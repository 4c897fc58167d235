import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { instantOf } from '../../runtime/instant.ts'
import { enqueue } from '../conformance/queue/queue-samples.ts'
import { addPeople, subscribe } from '../conformance/samples.ts'
import { openSqlite } from './open.ts'

function temporaryFolder(t: { after: (done: () => void) => void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'radar-backup-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

describe('a backup of a SQLite file', () => {
  it('a backup of a SQLite file is a consistent snapshot, even while others write', async (t) => {
    const folder = temporaryFolder(t)
    await using storage = await openSqlite({ file: join(folder, 'radar.db') })
    await using other = await openSqlite({ file: join(folder, 'radar.db') })
    await addPeople(storage)
    const { hook } = await subscribe(storage)
    await enqueue(storage, [hook], { count: 5_000 })
    let copied = false
    const copying = storage.maintenance.backup(join(folder, 'copy.db')).finally(() => {
      copied = true
    })
    let written = 0
    while (!copied) {
      await enqueue(other, [hook], { count: 3 })
      written += 1
      await new Promise(setImmediate)
    }
    await copying
    assert.ok(written > 0)

    await using copy = await openSqlite({ file: join(folder, 'copy.db') })
    const { pending } = await copy.maintenance.depths(instantOf(0))
    assert.ok(pending >= 5_000 && pending <= 5_000 + 3 * written, `${pending}`)
    assert.equal((pending - 5_000) % 3, 0)
    assert.equal((await copy.hooks.get('alice', hook.id))?.id, hook.id)
  })

  it('a backup of a SQLite file never overwrites a file', async (t) => {
    const folder = temporaryFolder(t)
    await using storage = await openSqlite({ file: join(folder, 'radar.db') })
    const existing = join(folder, 'existing.txt')
    writeFileSync(existing, 'text')
    await assert.rejects(storage.maintenance.backup(existing), /The file .*existing\.txt already exists/)
    assert.equal(readFileSync(existing, 'utf8'), 'text')
  })
})
