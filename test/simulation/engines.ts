import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { type Clock, systemClock } from '../../src/runtime/clock.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { openPostgres } from '../../src/storage/postgres/open.ts'
import { openSqlite } from '../../src/storage/sqlite/open.ts'
import { startOwnPostgres } from '../support/postgres.ts'
import { rememberAnswers } from './remember.ts'

export type EngineName = 'sqlite' | 'postgres'

/** Where simulated installations keep their data. */
export type Engine = AsyncDisposable & {
  readonly name: EngineName
  /** A new, empty installation; `clock` tells the true time. */
  readonly begin: (clock: Clock) => Promise<Installation>
}

export type Installation = AsyncDisposable & {
  /** Nobody's, and undisturbed: for checks. */
  readonly storage: Storage
  /** As a process opens it whose machine has the clock `clock`; closed when the process ends. */
  readonly open: (clock: Clock) => Promise<Storage>
  /** Runs statements past storage, for defects. */
  readonly execute: (sql: string) => Promise<void>
  /** The database file; null on PostgreSQL. */
  readonly file: string | null
}

export async function openEngine(name: EngineName): Promise<Engine> {
  return name === 'sqlite' ? sqliteEngine() : postgresEngine()
}

/** Files in memory, where the system has a place for them: commits wait for no disk. */
async function sqliteEngine(): Promise<Engine> {
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'radar-simulation-'))
  // Migrations take a sixth of a run: every run begins with a copy of an empty database.
  const empty = join(folder, 'empty.db')
  await (await openSqlite({ file: empty }))[Symbol.asyncDispose]()
  let begun = 0
  return {
    name: 'sqlite',
    async begin(clock) {
      begun += 1
      const file = join(folder, `${begun}.db`)
      copyFileSync(empty, file)
      const storage = await openSqlite({ file, clock })
      return {
        storage,
        file,
        // SQLite has no clock but that of its process.
        open: (ofProcess) => openSqlite({ file, clock: ofProcess }),
        async execute(sql) {
          using db = new DatabaseSync(file)
          db.exec(sql)
        },
        async [Symbol.asyncDispose]() {
          await storage[Symbol.asyncDispose]()
          for (const suffix of ['', '-wal', '-shm', '-lock']) rmSync(`${file}${suffix}`, { force: true })
        },
      }
    },
    [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** One server and one database, emptied between runs: migrations take longer than a run. */
async function postgresEngine(): Promise<Engine> {
  const server = await startOwnPostgres({ fast: true })
  const url = await server.newMigratedDatabase()
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  let clock: Clock = systemClock
  const now = () => clock.now()
  const opened = await openPostgres({ url, clock: { ...systemClock, now }, databaseNow: now })
  const { rows } = await client.query<{ tablename: string }>(
    `select tablename from pg_tables where schemaname = current_schema and tablename <> 'schema_migrations'`,
  )
  const tables = rows.map(({ tablename }) => tablename).join(', ')
  const storage: Storage = { ...opened, [Symbol.asyncDispose]: async () => {} }
  return {
    name: 'postgres',
    async begin(ofRun) {
      clock = ofRun
      await client.query(`truncate ${tables} restart identity cascade`)
      const fresh = rememberAnswers(storage)
      return {
        storage: fresh,
        open: async () => fresh,
        execute: async (sql) => {
          await client.query(sql)
        },
        file: null,
        [Symbol.asyncDispose]: async () => {},
      }
    },
    async [Symbol.asyncDispose]() {
      await client.end()
      await opened[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}
