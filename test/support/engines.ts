import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import pg from 'pg'
import type { Engine } from '../../src/storage/conformance/harness.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { openPostgres } from '../../src/storage/postgres/open.ts'
import { openSqlite } from '../../src/storage/sqlite/open.ts'
import { copyMigratedFile } from './migrated-file.ts'
import { startPostgres, type TestPostgres } from './postgres.ts'

/** Engines for the conformance suites. Call them in the file or `describe` of the tests. */

export type TestSqlite = Engine & {
  /** The file of the last `open` or `newFile`. */
  readonly file: () => string
  /** The path of a file that does not exist yet. */
  readonly newFile: () => string
}

export type TestPostgresEngine = Engine & {
  readonly server: () => TestPostgres
  /** The URL of the last opened database. */
  readonly url: () => string
}

/** Each `open` copies a migrated file. */
export function sqliteEngine(): TestSqlite {
  const folder = mkdtempSync(join(tmpdir(), 'radar-sqlite-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  let files = 0
  const file = () => join(folder, `${files}.db`)
  const newFile = () => {
    files += 1
    return file()
  }
  const openAgain = () => openSqlite({ file: file() })
  return {
    file,
    newFile,
    openAgain,
    open: async () => {
      await copyMigratedFile(newFile())
      return openAgain()
    },
  }
}

/**
 * Each `open` empties the database and returns the same storage, which stays open: new connections, with empty caches in the server, take
 * three times as long as a test. `openAgain` opens connections of its own.
 */
export function postgresEngine(): TestPostgresEngine {
  let server: TestPostgres
  let url = ''
  let emptying: pg.Client
  let emptyTables = ''
  let storage: Storage
  before(async () => {
    server = await startPostgres()
    url = await server.newMigratedDatabase()
    emptyTables = await statementsToEmpty(server, url)
    emptying = new pg.Client({ connectionString: url })
    await emptying.connect()
    storage = await openPostgres({ url })
  })
  after(async () => {
    await storage[Symbol.asyncDispose]()
    await emptying.end()
    await server[Symbol.asyncDispose]()
  })
  return {
    server: () => server,
    url: () => url,
    openAgain: () => openPostgres({ url }),
    open: async () => {
      await emptying.query(emptyTables)
      return { ...storage, [Symbol.asyncDispose]: async () => {} }
    },
  }
}

/** Uses `delete`, because `truncate` is slower: it creates new files for every table and index. */
async function statementsToEmpty(server: TestPostgres, url: string): Promise<string> {
  const tables = await server.query(
    "select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'schema_migrations'",
    url,
  )
  const sequences = await server.query(
    "select sequencename as name from pg_sequences where schemaname = 'public'",
    url,
  )
  return [
    'begin',
    // Without foreign key checks, the order of the tables does not matter.
    'set local session_replication_role = replica',
    ...tables.map(({ name }) => `delete from "${name}"`),
    ...sequences.map(({ name }) => `select setval('"${name}"', 1, false)`),
    'commit',
  ].join(';')
}
