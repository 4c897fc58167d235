import pg from 'pg'
import type { Clock } from '../../src/runtime/clock.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import type { Storage } from '../../src/storage/port.ts'
import { openPostgres } from '../../src/storage/postgres/open.ts'
import { openSqlite } from '../../src/storage/sqlite/open.ts'
import { startPostgres } from '../support/postgres.ts'

export type EngineName = 'sqlite' | 'postgres'

/** Where simulated installations keep their data: a new, empty one for each run. */
export type Engine = AsyncDisposable & {
  readonly name: EngineName
  readonly fresh: (clock: Clock) => Promise<Storage>
}

export async function openEngine(name: EngineName): Promise<Engine> {
  return name === 'sqlite' ? sqliteEngine() : postgresEngine()
}

function sqliteEngine(): Engine {
  return {
    name: 'sqlite',
    fresh: (clock) => openSqlite({ file: ':memory:', clock }),
    [Symbol.asyncDispose]: async () => {},
  }
}

/** One server and one schema, emptied between runs: migrations take longer than a run. */
async function postgresEngine(): Promise<Engine> {
  const server = await startPostgres()
  const url = await server.newSchema()
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  let clock: Clock = systemClock
  const storage = await openPostgres({
    url,
    clock: { ...systemClock, now: () => clock.now() },
  })
  const { rows } = await client.query<{ tablename: string }>(
    `select tablename from pg_tables where schemaname = current_schema and tablename <> 'schema_migrations'`,
  )
  const tables = rows.map(({ tablename }) => tablename).join(', ')
  return {
    name: 'postgres',
    async fresh(ofRun) {
      clock = ofRun
      await client.query(`truncate ${tables} restart identity cascade`)
      return { ...storage, [Symbol.asyncDispose]: async () => {} }
    },
    async [Symbol.asyncDispose]() {
      await client.end()
      await storage[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}
