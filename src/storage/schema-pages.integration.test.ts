import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { startPostgres } from '../../test/support/postgres.ts'
import { systemClock } from '../runtime/clock.ts'
import { silentLog } from '../runtime/log.ts'
import { postgresStructure, sqliteStructure } from './conformance/maintenance/structure.ts'
import { readMigrations } from './migrate.ts'
import { Database } from './postgres/connect.ts'
import { migratePostgres, POSTGRES_MIGRATIONS } from './postgres/migrate.ts'
import { Connection } from './sqlite/connect.ts'
import { migrateSqlite, SQLITE_MIGRATIONS } from './sqlite/migrate.ts'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

it('the schema page of SQLite is what the 43 migrations lead to', async () => {
  using old = new Connection(':memory:')
  assert.equal(await migrateSqlite(old, systemClock, 'test', readMigrations(SQLITE_MIGRATIONS)), 43)
  const of = (db: Connection) => sqliteStructure(async (sql) => db.all(sql))
  const lines = await of(old)
  assert.equal(lines.length, 519)
  for (const path of ['./sqlite/schema.sql', './conformance/maintenance/schema-43/sqlite.sql']) {
    using fresh = new Connection(':memory:')
    fresh.exec(read(path))
    assert.deepEqual(await of(fresh), lines, path)
  }
})

it('the schema page of PostgreSQL is what its 42 migrations lead to', async () => {
  await using server = await startPostgres()
  const open = async () =>
    new Database({ url: await server.newDatabase(), log: silentLog, applicationName: 'test' })
  await using old = await open()
  assert.equal(await migratePostgres(old, systemClock, 'test', readMigrations(POSTGRES_MIGRATIONS)), 42)
  const of = (db: Database) => postgresStructure((sql) => db.all(sql))
  const lines = await of(old)
  assert.equal(lines.length, 734)
  for (const path of ['./postgres/schema.sql', './conformance/maintenance/schema-43/postgres.sql']) {
    await using fresh = await open()
    await fresh.transaction((tx) => tx.exec(read(path)))
    assert.deepEqual(await of(fresh), lines, path)
  }
})
