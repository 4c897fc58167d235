import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { readMigrations } from './migrate.ts'

it('migration files are in order; a gap, a duplicate or another name is an error', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'radar-migrations-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const add = (file: string) => writeFileSync(join(folder, file), `-- ${file}`)
  const read = () => readMigrations(pathToFileURL(`${folder}/`))

  add('0002_hooks.sql')
  assert.throws(read, /migration 1 is missing or occurs twice/)
  add('0001_core.sql')
  assert.deepEqual(read(), [
    { version: 1, name: 'core', sql: '-- 0001_core.sql' },
    { version: 2, name: 'hooks', sql: '-- 0002_hooks.sql' },
  ])
  add('0002_again.sql')
  assert.throws(read, /migration 3 is missing or occurs twice/)
  add('notes.txt')
  assert.throws(read, /not the name of a migration: notes\.txt/)
})
