import { describe } from 'node:test'
import { sqliteEngine, type TestSqlite } from '../../../test/support/engines.ts'
import { systemClock } from '../../runtime/clock.ts'
import { ratingsSuite } from '../conformance/feeds/ratings.ts'
import { migrationsSuite, type RawDatabase } from '../conformance/maintenance/migrations.ts'
import { sqliteStructure } from '../conformance/maintenance/structure.ts'
import { feedSuites } from '../conformance/suites.ts'
import { Connection } from './connect.ts'
import { migrateSqlite, sqliteSchema } from './migrate.ts'

describe('SQLite', () => {
  const engine = sqliteEngine()

  migrationsSuite({ schema: sqliteSchema(), engine: 'sqlite', openRaw: () => openRaw(engine) })
  feedSuites(engine)
  ratingsSuite(engine, () => ratingHistory(engine.file()))
})

async function openRaw(engine: TestSqlite): Promise<RawDatabase> {
  const db = new Connection(engine.newFile())
  return {
    migrate: (schema) => migrateSqlite(db, systemClock, 'test', schema),
    exec: async (sql) => db.exec(sql),
    rows: async (sql) => db.all(sql),
    tables: async () =>
      db
        .all<{ name: string }>("select name from sqlite_schema where type = 'table' order by name")
        .map(({ name }) => name),
    structure: () => sqliteStructure(async (sql) => db.all(sql)),
    [Symbol.asyncDispose]: async () => db[Symbol.dispose](),
  }
}

async function ratingHistory(file: string): Promise<number[]> {
  using db = new Connection(file)
  return db.all<{ count: number }>('select count from ratings order by observed_at').map(({ count }) => count)
}
