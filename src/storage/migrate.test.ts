import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { newestVersion, readSchema } from './migrate.ts'
import { postgresSchema } from './postgres/migrate.ts'
import { sqliteSchema } from './sqlite/migrate.ts'

it('migration files are in order from 44 on; a gap, a duplicate or another name is an error', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'radar-migrations-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'schema.sql'), '-- page')
  const base = { version: 43, name: 'base' }
  const read = () => readSchema(pathToFileURL(`${folder}/`), base)
  assert.deepEqual(read(), { base, page: '-- page', migrations: [] })
  assert.equal(newestVersion(read()), 43)

  mkdirSync(join(folder, 'migrations'))
  const add = (file: string) => writeFileSync(join(folder, 'migrations', file), `-- ${file}`)
  add('0045_hooks.sql')
  assert.throws(read, /migration 44 is missing or occurs twice/)
  add('0044_core.sql')
  assert.deepEqual(read().migrations, [
    { version: 44, name: 'core', sql: '-- 0044_core.sql' },
    { version: 45, name: 'hooks', sql: '-- 0045_hooks.sql' },
  ])
  assert.equal(newestVersion(read()), 45)
  add('0045_again.sql')
  assert.throws(read, /migration 46 is missing or occurs twice/)
  add('notes.txt')
  assert.throws(read, /not the name of a migration: notes\.txt/)
})

it('both engines have the same migrations', () => {
  const named = ({ migrations }: ReturnType<typeof sqliteSchema>) =>
    migrations.map(({ version, name }) => ({ version, name }))
  assert.deepEqual(named(sqliteSchema()), named(postgresSchema()))
})

for (const [engine, schema] of Object.entries({ SQLite: sqliteSchema(), PostgreSQL: postgresSchema() })) {
  it(`the schema page of ${engine} says what each table and index is for`, () => {
    const lines = schema.page.split('\n')
    const created = lines.filter((line) => /^create (table|(unique )?index) /.test(line))
    assert.ok(created.length > 100)
    const silent = created.filter((line) => !lines[lines.indexOf(line) - 1]?.startsWith('-- '))
    assert.deepEqual(silent, [])
  })
}
