import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { type Clock, systemClock } from '../../src/runtime/clock.ts'
import { later } from '../../src/runtime/instant.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { openPostgres } from '../../src/storage/postgres/open.ts'
import { openSqlite } from '../../src/storage/sqlite/open.ts'
import { startOwnPostgres } from '../support/postgres.ts'
import { cacheAnswers } from './cached-answers.ts'

export type EngineName = 'sqlite' | 'postgres'

/** The database server or folder for simulated installations. */
export type Engine = AsyncDisposable & {
  readonly name: EngineName
  /** A new, empty installation; `clock` has the true time. */
  readonly createInstallation: (clock: Clock) => Promise<Installation>
}

export type Installation = AsyncDisposable & {
  /** Without faults, for checks. */
  readonly storage: Storage
  /** Opens the storage for a process whose machine has the clock `clock`. The caller closes it. */
  readonly open: (clock: Clock) => Promise<Storage>
  /** Sets how far the clock of the database server is ahead. Not on SQLite, which uses that of its process. */
  readonly setClockOffset: (ms: number) => void
  /** Runs statements directly in the database, for deliberate defects. */
  readonly execute: (sql: string) => Promise<void>
  /** The rows of a query, for checks. */
  readonly rows: (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>
  /** The database file; null on PostgreSQL. */
  readonly file: string | null
}

export async function openEngine(name: EngineName): Promise<Engine> {
  return name === 'sqlite' ? sqliteEngine() : postgresEngine()
}

/** Keeps files in memory if the system allows it, so that commits do not wait for a disk. */
async function sqliteEngine(): Promise<Engine> {
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'radar-simulation-'))
  // Creating the schema takes long for a short run, so every run starts with a copy of an empty database.
  const empty = join(folder, 'empty.db')
  await (await openSqlite({ file: empty }))[Symbol.asyncDispose]()
  let runs = 0
  return {
    name: 'sqlite',
    async createInstallation(clock) {
      runs += 1
      const file = join(folder, `${runs}.db`)
      copyFileSync(empty, file)
      const storage = await openSqlite({ file, clock })
      return {
        storage,
        file,
        setClockOffset: () => {},
        open: (ofProcess) => openSqlite({ file, clock: ofProcess }),
        async execute(sql) {
          using db = new DatabaseSync(file)
          db.exec(sql)
        },
        async rows(sql) {
          using db = new DatabaseSync(file, { readOnly: true })
          return db.prepare(sql).all()
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

/** Deleted rows slow down the runs after them. */
const RUNS_PER_VACUUM = 25

/** One server and one database, emptied between runs, which is faster than a new one. */
async function postgresEngine(): Promise<Engine> {
  const server = await startOwnPostgres({ fast: true })
  const url = await server.newMigratedDatabase()
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  let clock: Clock = systemClock
  let offsetMs = 0
  const now = () => later(clock.now(), offsetMs)
  const opened = await openPostgres({ url, clock: { ...systemClock, now }, databaseNow: now })
  const { rows } = await client.query<{ tablename: string }>(
    `select tablename from pg_tables where schemaname = current_schema and tablename <> 'schema_migrations'`,
  )
  const { rows: sequences } = await client.query<{ sequencename: string }>(
    'select sequencename from pg_sequences where schemaname = current_schema',
  )
  // `truncate` would make new files and invalidate every cached plan, which takes half of a short run.
  const empty = [
    'begin',
    // Without foreign keys the order of the tables does not matter.
    'set local session_replication_role = replica',
    ...rows.map(({ tablename }) => `delete from ${tablename}`),
    ...sequences.map(({ sequencename }) => `select setval('${sequencename}', 1, false)`),
    'commit',
  ].join(';')
  let runs = 0
  const storage: Storage = { ...opened, [Symbol.asyncDispose]: async () => {} }
  return {
    name: 'postgres',
    async createInstallation(ofRun) {
      clock = ofRun
      offsetMs = 0
      await client.query(empty)
      runs += 1
      if (runs % RUNS_PER_VACUUM === 0) await client.query('vacuum')
      const fresh = cacheAnswers(storage)
      return {
        storage: fresh,
        open: async () => fresh,
        setClockOffset: (ms) => {
          offsetMs = ms
        },
        execute: async (sql) => {
          await client.query(sql)
        },
        rows: async (sql) => (await client.query<Record<string, unknown>>(sql)).rows,
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
