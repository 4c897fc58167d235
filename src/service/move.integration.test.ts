import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { startPostgres, type TestPostgres } from '../../test/support/postgres.ts'
import { systemClock } from '../runtime/clock.ts'
import { instantOf } from '../runtime/instant.ts'
import { silentLog } from '../runtime/log.ts'
import { moveDatabase } from '../storage/move/move-database.ts'
import { MoveError } from '../storage/move/move-error.ts'
import { SqliteSource } from '../storage/move/sqlite-source.ts'
import { openPostgres } from '../storage/postgres/open.ts'
import { sqliteSchema } from '../storage/sqlite/migrate.ts'
import { openSqlite } from '../storage/sqlite/open.ts'
import { type Config, configOf } from './config/config.ts'
import { moveToPostgres } from './move.ts'
import { openSignIn } from './sign-in/open.ts'

const folder = mkdtempSync(join(tmpdir(), 'radar-move-'))
let server: TestPostgres
let made = 0

type Row = Record<string, unknown>

/** A database with `rows` rows of arbitrary content in every table, including the sign-in's. */
async function filled(rows = 3): Promise<{ file: string; config: Config }> {
  made += 1
  const file = join(folder, `${made}.db`)
  await (await openSqlite({ file }))[Symbol.asyncDispose]()
  const urls = () => ({ publicUrl: 'http://127.0.0.1:1', localUrl: 'http://127.0.0.1:1' })
  await using signIn = openSignIn({
    databaseUrl: `sqlite:${file}`,
    secretKey: randomBytes(32),
    urls,
    log: silentLog,
  })
  await signIn.get()
  const db = new DatabaseSync(file)
  db.exec('pragma foreign_keys = off')
  for (const table of tablesOf(db)) fill(db, table, rows)
  db.exec('pragma foreign_keys = on')
  assert.deepEqual(db.prepare('pragma foreign_key_check').all(), [])
  db.close()
  return { file, config: configOf({ RADAR_DATABASE_URL: `sqlite:${file}`, RADAR_DATA_DIR: folder }) }
}

function tablesOf(db: DatabaseSync): string[] {
  return db
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name")
    .all()
    .map(({ name }) => String(name))
    .filter((name) => !['schema_migrations', 'nodes', 'clock'].includes(name))
}

/** Values that satisfy the schema's checks and types, by column or by table and column. */
const FIT: Readonly<Record<string, (row: number) => string | number>> = {
  'feeds.store': () => 'google',
  'feeds.kind': () => 'reviews',
  status: () => 'paused',
  'deliveries.status': () => 'dead',
  'alerts.status': () => 'sent',
  'triage.status': () => 'done',
  actor_kind: () => 'user',
  'alerts.channel': () => 'email',
  state: () => 'open',
  role: () => 'owner',
  'hooks.redirect': () => 'accept',
  event_type: () => 'review.created',
  last_outcome: () => 'ok',
  frozen_reason: () => 'ratings_move',
  emailVerified: (row) => row % 2,
  twoFactorEnabled: (row) => row % 2,
  verified: (row) => row % 2,
  'atom_feeds.store': () => 'apple',
  'store_connections.kind': () => 'appstoreconnect',
  'review_histories.state': () => 'done',
  'releases.store': () => 'apple',
  'review_sources.store': () => 'apple',
  'review_sources.state': () => 'official',
  'source_health.store': () => 'apple',
  'source_health.state': () => 'off',
  fault: () => 'frozen',
  suspected: () => 'frozen',
  'replies.store': () => 'apple',
  'replies.state': () => 'draft',
}

/** Text that quoting or encoding could corrupt, with a different end for each row. */
const HARD_TEXT = `æ “ø” 🎉 \u0001\n\t' " \\ {NULL,"a"} , \${x} \u202e `

function fill(db: DatabaseSync, table: string, rows: number): void {
  const columns = db
    .prepare('select name, lower(type) as type, "notnull", pk from pragma_table_info(?)')
    .all(table)
  const parents = new Map(
    db
      .prepare('select * from pragma_foreign_key_list(?)')
      .all(table)
      .map((key) => [String(key.from), `${key.table}.${key.to}`]),
  )
  const insert = db.prepare(
    `insert into "${table}" (${columns.map(({ name }) => `"${name}"`).join(', ')}) values (${columns.map(() => '?').join(', ')})`,
  )
  db.exec('begin')
  for (let row = 1; row <= rows; row += 1) {
    insert.run(
      ...columns.map(({ name, type, notnull, pk }) => {
        const column = String(name)
        const fit = FIT[`${table}.${column}`] ?? FIT[column]
        if (fit !== undefined) return fit(row)
        // Every third row has only required values.
        if (row % 3 === 0 && notnull === 0 && pk === 0) return null
        if (type === 'date') return new Date(1_800_000_000_000 + row).toISOString()
        if (type === 'blob') return randomBytes(column === 'review_key' ? 16 : 32)
        if (type === 'real') return row / 3
        if (type === 'text') return `${parents.get(column) ?? `${table}.${column}`} ${HARD_TEXT}${row}`
        return column.endsWith('_at') ? 1_800_000_000_000 + row : row
      }),
    )
  }
  db.exec('commit')
}

/** For an index that only SQLite has. */
const SQLITE_ONLY = 'no_events_until'

/** Every row of every table in a canonical form and order, the same on both engines. */
function dumpSqlite(file: string): Record<string, string[]> {
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    return Object.fromEntries(
      tablesOf(db).map((table) => {
        const rows = db.prepare(`select * from "${table}"`).all()
        for (const row of rows) delete row[SQLITE_ONLY]
        return [table, alike(rows)]
      }),
    )
  } finally {
    db.close()
  }
}

async function dumpPostgres(url: string, tables: readonly string[]): Promise<Record<string, string[]>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const dump: Record<string, string[]> = {}
    for (const table of tables)
      dump[table] = alike((await client.query<Row>(`select * from "${table}"`)).rows)
    return dump
  } finally {
    await client.end()
  }
}

function alike(rows: readonly Row[]): string[] {
  return rows
    .map((row) =>
      JSON.stringify(
        Object.keys(row)
          .sort()
          .map((column) => {
            const value = row[column]
            if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
            if (value instanceof Date) return value.toISOString()
            if (column === 'review_key') return String(value).replaceAll('-', '')
            return value === null ? null : String(Number(value) || value)
          }),
      ).replaceAll(/"(false|true)"/g, (_, flag) => (flag === 'true' ? '"1"' : '"0"')),
    )
    .sort()
}

async function rejects(moving: Promise<unknown>, sentence: RegExp): Promise<void> {
  await assert.rejects(moving, (error) => {
    assert.ok(error instanceof Error)
    assert.match(error.message, sentence)
    return true
  })
}

describe('moving a SQLite database to PostgreSQL', () => {
  before(async () => {
    server = await startPostgres()
  })
  after(async () => {
    await server[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  it('moving a SQLite database to PostgreSQL copies every row of every table, and does not change the source', async () => {
    const { file, config } = await filled(11)
    const before = dumpSqlite(file)
    const url = await server.newDatabase()
    const moved = await moveToPostgres(config, url, () => {})
    assert.deepEqual(
      moved.map(({ table, rows }) => [table, rows]).sort(),
      Object.keys(before).map((table) => [table, 11]),
    )
    assert.deepEqual(await dumpPostgres(url, Object.keys(before)), before)
    assert.deepEqual(dumpSqlite(file), before)
  })

  it('moving a SQLite database to PostgreSQL copies more rows than fit in one statement, and reports progress', async () => {
    const { file, config } = await filled(2)
    const db = new DatabaseSync(file)
    db.exec(`with recursive n (i) as (select 1 union all select i + 1 from n where i < 12_000)
      insert into seen (feed_id, review_key) select 99, randomblob(16) from n`)
    db.close()
    const progress: number[] = []
    const url = await server.newDatabase()
    await moveToPostgres(config, url, ({ table, rows, total }) => {
      if (table === 'seen') progress.push(rows, total)
    })
    assert.deepEqual(progress, [0, 12_002, 5_000, 12_002, 10_000, 12_002, 12_002, 12_002])
    const { seen } = dumpSqlite(file)
    assert.deepEqual((await dumpPostgres(url, ['seen'])).seen, seen)
  })

  it('moving a SQLite database to PostgreSQL continues sequence numbers after those of the source, including deleted rows', async () => {
    const { file, config } = await filled(3)
    const db = new DatabaseSync(file)
    db.exec("update sqlite_sequence set seq = 41 where name = 'notices'")
    db.close()
    const url = await server.newDatabase()
    await moveToPostgres(config, url, () => {})
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const next = async (table: string, column: string) =>
      (await client.query(`select nextval(pg_get_serial_sequence('${table}', '${column}'))::integer as next`))
        .rows[0].next
    assert.deepEqual(
      [await next('notices', 'seq'), await next('events', 'seq'), await next('feeds', 'id')],
      [42, 4, 4],
    )
    await client.end()
  })

  it('moving a SQLite database to PostgreSQL rejects a target that is not empty, without changing it', async () => {
    const { config } = await filled()
    const url = await server.newDatabase()
    await using storage = await openPostgres({ url })
    await storage.accounts.create({ id: 'acc_1', name: 'Alice', createdAt: instantOf(Date.now()) })
    await rejects(
      moveToPostgres(config, url, () => {}),
      /is not empty: its table accounts holds rows\. Name an empty one/,
    )
    assert.equal((await storage.accounts.list()).length, 1)
    assert.equal((await dumpPostgres(url, ['tokens'])).tokens?.length, 0)
  })

  it('moving a SQLite database to PostgreSQL rejects a source with a running service, and after a kill until the heartbeat has expired', async () => {
    const { file, config } = await filled()
    const db = new DatabaseSync(file)
    const beat = (agoMs: number) =>
      db
        .prepare("insert or replace into nodes values ('node_1', '1', 'all', 0, ?, null)")
        .run(Date.now() - agoMs)
    beat(20_000)
    const url = await server.newDatabase()
    await rejects(
      moveToPostgres(config, url, () => {}),
      /A service runs on .*, or was killed less than 30 s ago \(node_1\): .* Stop it, then move\./,
    )
    beat(31_000)
    db.close()
    assert.ok((await moveToPostgres(config, url, () => {})).length > 20)
  })

  it('moving a SQLite database to PostgreSQL prevents writes to the source while it copies', async () => {
    const { file, config } = await filled()
    const db = new DatabaseSync(file, { timeout: 0 })
    let refused = 0
    await moveToPostgres(config, await server.newDatabase(), ({ table }) => {
      if (table !== 'hooks') return
      assert.throws(() => db.exec('delete from hooks'), /database is locked/)
      refused += 1
    })
    assert.ok(refused > 0)
    db.exec('delete from marks')
    db.close()
  })

  it('moving a SQLite database to PostgreSQL rolls back when the copy differs from the source', async () => {
    const { file } = await filled()
    const url = await server.newDatabase()
    const spoil = async () => {
      await (await openPostgres({ url }))[Symbol.asyncDispose]()
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      await client.query(`create function spoil() returns trigger language plpgsql
          as $$ begin new.name = replace(new.name, '2', '3'); return new; end $$;
        create trigger spoil before insert on accounts for each row execute function spoil()`)
      await client.end()
    }
    const db = new DatabaseSync(file)
    for (const table of tablesOf(db)) if (table.startsWith('auth_')) db.exec(`drop table "${table}"`)
    db.close()
    const moving = moveDatabase({
      file,
      url,
      clock: systemClock,
      log: silentLog,
      serviceVersion: 'test',
      silentMs: 0,
      prepare: spoil,
      onProgress: () => {},
    })
    await rejects(
      moving,
      /^The copy of the table accounts is not equal to the original \(3 rows written, 3 read back\)/,
    )
    assert.equal((await dumpPostgres(url, ['accounts'])).accounts?.length, 0)
  })

  it('moving a SQLite database to PostgreSQL rejects sources that are missing, older, newer, or not a database of the service', async () => {
    const url = await server.newDatabase()
    const from = (file: string) =>
      moveToPostgres(
        configOf({ RADAR_DATABASE_URL: `sqlite:${file}`, RADAR_DATA_DIR: folder }),
        url,
        () => {},
      )
    const { file } = await filled()
    await rejects(from(join(folder, 'missing.db')), /^There is no database .*missing\.db to move/)
    const change = (sql: string) => {
      const db = new DatabaseSync(file)
      db.exec(sql)
      db.close()
    }
    {
      using source = new SqliteSource(file)
      const schema = sqliteSchema()
      const later = {
        ...schema,
        migrations: [...schema.migrations, { version: 999, name: 'later', sql: '' }],
      }
      assert.throws(
        () => source.checkSchema('test', later),
        /has schema \d+, this version knows 999\. "radar migrate" without --to/,
      )
    }
    change("insert into schema_migrations values (999, 'from_the_future', 0)")
    await rejects(from(file), /has schema 999 \(from_the_future\), written by a newer version/)
    change("delete from schema_migrations; insert into schema_migrations values (1, 'core', 0)")
    await rejects(from(file), /\.db has schema version 1\. Start Review Radar 0\.5\.0 once/)
    change('drop table schema_migrations')
    await rejects(from(file), /contains tables that Review Radar did not create/)
    assert.deepEqual(await server.query("select 1 from pg_tables where schemaname = 'public'", url), [])
    await assert.rejects(
      moveToPostgres(configOf({ RADAR_DATABASE_URL: url, RADAR_SECRET_KEY: 'a'.repeat(64) }), url, () => {}),
      MoveError,
    )
  })
})
