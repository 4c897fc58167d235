import { describe } from 'node:test'
import { postgresEngine, type TestPostgresEngine } from '../../../test/support/engines.ts'
import { systemClock } from '../../runtime/clock.ts'
import { silentLog } from '../../runtime/log.ts'
import { ratingsSuite } from '../conformance/feeds/ratings.ts'
import { migrationsSuite, type RawDatabase } from '../conformance/maintenance/migrations.ts'
import { postgresStructure } from '../conformance/maintenance/structure.ts'
import { processesSuite } from '../conformance/processes.ts'
import { feedSuites } from '../conformance/suites.ts'
import { Database } from './connect.ts'
import { migratePostgres, postgresSchema } from './migrate.ts'

describe('PostgreSQL', () => {
  const engine = postgresEngine()

  migrationsSuite({ schema: postgresSchema(), engine: 'postgres', openRaw: () => openRaw(engine) })
  feedSuites(engine)
  ratingsSuite(engine, () => ratingHistory(engine.url()))
  processesSuite(engine, engine.url)
})

async function openRaw(engine: TestPostgresEngine): Promise<RawDatabase> {
  const url = await engine.server().newDatabase()
  const db = new Database({ url, log: silentLog, applicationName: 'test' })
  return {
    migrate: (schema) => migratePostgres(db, systemClock, 'test', schema),
    exec: (sql) => db.transaction((tx) => tx.exec(sql)),
    rows: (sql) => db.all(sql),
    tables: async () => {
      const rows = await db.all<{ name: string }>(
        'select tablename::text as name from pg_tables where schemaname = current_schema() order by 1',
      )
      return rows.map(({ name }) => name)
    },
    structure: () => postgresStructure((sql) => db.all(sql)),
    [Symbol.asyncDispose]: () => db[Symbol.asyncDispose](),
  }
}

async function ratingHistory(url: string): Promise<number[]> {
  await using db = new Database({ url, log: silentLog, applicationName: 'test' })
  const rows = await db.all<{ count: number }>('select count from ratings order by observed_at')
  return rows.map(({ count }) => count)
}
