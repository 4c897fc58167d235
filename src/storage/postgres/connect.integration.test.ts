import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { type OwnPostgres, startOwnPostgres } from '../../../test/support/postgres.ts'
import { systemClock } from '../../runtime/clock.ts'
import { type Instant, instantOf, later } from '../../runtime/instant.ts'
import { silentLog } from '../../runtime/log.ts'
import { HORIZONS } from '../conformance/maintenance/time.ts'
import { StorageUnavailable } from '../port/errors.ts'
import { feedStorage } from '../tables/feeds/feeds.ts'
import { invariantStorage } from '../tables/maintenance/invariants.ts'
import { timeStorage } from '../tables/maintenance/time.ts'
import { Database, type Transaction } from './connect.ts'
import { postgresDb } from './open.ts'

let server: OwnPostgres

async function connect(): Promise<Database> {
  return open(await server.newDatabase())
}

function open(url: string): Database {
  return new Database({ url, log: silentLog, applicationName: 'radar test' })
}

async function withWords(): Promise<Database> {
  const db = await connect()
  await db.run('create table words (word text primary key, count integer not null default 0)')
  return db
}

const wordsIn = async (db: Database) =>
  (await db.all<{ word: string }>('select word from words order by word')).map(({ word }) => word)

describe('a PostgreSQL connection', () => {
  before(async () => {
    server = await startOwnPostgres()
  })
  after(() => server[Symbol.asyncDispose]())

  it('a PostgreSQL connection has a name, and timeouts for statements, lock waits and idle transactions', async () => {
    await using db = await connect()
    const setting = async (name: string) =>
      (await db.get<{ setting: string }>('select current_setting($1) as setting', name))?.setting
    assert.equal(await setting('application_name'), 'radar test')
    assert.equal(await setting('statement_timeout'), '30s')
    assert.equal(await setting('lock_timeout'), '10s')
    assert.equal(await setting('idle_in_transaction_session_timeout'), '1min')
  })

  it('a PostgreSQL connection prefers indexes and does not use JIT', async () => {
    await using db = await connect()
    const row = await db.get<Record<string, string>>(
      "select current_setting('enable_seqscan') as seqscan, current_setting('jit') as jit",
    )
    assert.deepEqual({ ...row }, { seqscan: 'off', jit: 'off' })
  })

  it('a PostgreSQL connection prepares at most a thousand statements, and runs others without', async () => {
    await using db = await connect()
    for (let value = 0; value < 1_100; value += 1) {
      assert.equal((await db.get<{ value: number }>(`select ${value} as value`))?.value, value)
    }
    const row = await db.get<{ count: number }>('select count(*) as count from pg_prepared_statements')
    assert.ok(row !== undefined && row.count <= 1_000, String(row?.count))
  })

  it('the statements of every minute are the same at every time', async () => {
    const url = await server.newMigratedDatabase()
    await using db = open(url)
    const time = timeStorage(postgresDb(db), async () => systemClock.now())
    const feeds = feedStorage(postgresDb(db), systemClock.now)
    const invariants = invariantStorage(postgresDb(db))
    const pass = async (at: Instant) => {
      await time.recordReading(at, 1_000)
      await time.repair(at, HORIZONS)
      await feeds.overdue(at, 10)
      await feeds.counts()
      await feeds.demand('apple')
      await invariants.claimCheck(at, 60_000)
      return db.statementNames
    }
    const first = instantOf(Date.parse('2026-03-01T12:00:00Z'))
    await pass(first)
    const once = await pass(first)
    assert.deepEqual(await pass(later(first, 61_234)), once)
  })

  it('a PostgreSQL connection reads integers as numbers, and rejects one beyond safe integers', async () => {
    await using db = await connect()
    const row = await db.get<{ count: number; sum: number }>(
      'select count(*) as count, sum(n) as sum from generate_series(1::bigint, 3) n',
    )
    assert.deepEqual({ ...row }, { count: 3, sum: 6 })
    await assert.rejects(db.get('select 9007199254740993::bigint'), RangeError)
  })

  it('a PostgreSQL connection replaces characters that PostgreSQL cannot store', async () => {
    await using db = await withWords()
    await db.run('insert into words (word) values ($1)', 'a\0b')
    await db.run('insert into words (word) select unnest($1::text[])', ['c"\\,{}', 'd\0', '👍🏽\ud800'])
    await db.run('insert into words (word) select unnest($1::text[])', ['e"\\n\\,{null}'])
    assert.deepEqual(await wordsIn(db), [
      'a\u{FFFD}b',
      'c"\\,{}',
      'd\u{FFFD}',
      'e"\\n\\,{null}',
      '👍🏽\u{FFFD}',
    ])
  })

  it('a PostgreSQL connection does not wait for the disk for leases, and waits again afterwards', async () => {
    await using db = await connect()
    const setting = async (tx: Transaction) =>
      Object.values((await tx.get<object>('show synchronous_commit')) ?? {})
    assert.deepEqual(await db.leasing(setting), ['off'])
    assert.deepEqual(await db.transaction(setting), ['on'])
  })

  it('a PostgreSQL connection accepts lists with line breaks and empty texts', async () => {
    await using db = await connect()
    const lists: (string | null)[][] = [
      ['null', 'NULL', null, ''],
      ['a\nb', '"a\\nb"', null, '\u007f'],
      ['\u001f'],
      [],
    ]
    for (const texts of lists) {
      const row = await db.get<{ texts: string[] }>('select $1::text[] as texts', texts)
      assert.deepEqual(row?.texts, texts)
    }
  })

  it('a PostgreSQL connection stores lists of any texts, bytes and numbers unchanged', async () => {
    await using db = await connect()
    const any = fc.record({
      texts: fc.array(fc.option(fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', '')))),
      bytes: fc.array(fc.uint8Array()),
      numbers: fc.array(fc.option(fc.double({ noNaN: true }).map((each) => each + 0))),
    })
    await fc.assert(
      fc.asyncProperty(any, async ({ texts, bytes, numbers }) => {
        const row = await db.get<{ texts: string[]; bytes: Buffer[]; numbers: number[] }>(
          'select $1::text[] as texts, $2::bytea[] as bytes, $3::double precision[] as numbers',
          texts,
          bytes,
          numbers,
        )
        assert.deepEqual(row?.texts, texts)
        assert.deepEqual(
          row?.bytes.map((each) => [...each]),
          bytes.map((each) => [...each]),
        )
        assert.deepEqual(
          row?.numbers.map((each) => each ?? null),
          numbers,
        )
      }),
      { numRuns: 200 },
    )
  })

  it('a PostgreSQL connection rolls back a transaction when its body throws or a statement fails', async () => {
    await using db = await withWords()
    await assert.rejects(
      db.transaction(async (tx) => {
        await tx.run("insert into words (word) values ('lost')")
        throw new Error('stop')
      }),
      /stop/,
    )
    await assert.rejects(
      db.transaction(async (tx) => {
        await tx.run("insert into words (word) values ('lost')")
        await tx.run('insert into nowhere values (1)').catch(() => {})
      }),
      /about to be committed/,
    )
    assert.equal(await db.transaction((tx) => tx.run("insert into words (word) values ('kept')")), 1)
    assert.deepEqual(await wordsIn(db), ['kept'])
  })

  it('a PostgreSQL connection runs pipelined statements in order before the commit, and rolls back when one of them fails', async () => {
    await using db = await withWords()
    await db.transaction(async (tx) => {
      tx.send("insert into words (word, count) values ('sent', 1)")
      tx.send('update words set count = count * 10')
      tx.send('update words set count = count + $1', 2)
    })
    assert.deepEqual(
      (await db.all<{ count: number }>('select count from words')).map(({ count }) => count),
      [12],
    )
    const failing = (later: string) =>
      db.transaction(async (tx) => {
        tx.send("insert into words (word) values ('lost')")
        tx.send("insert into words (word) values ('sent')")
        tx.send(later)
        return 'not returned'
      })
    await assert.rejects(failing('select 1'), /duplicate key/)
    await assert.rejects(failing('insert into nowhere values (1)'), /duplicate key/)
    assert.deepEqual(await wordsIn(db), ['sent'])
  })

  it('a PostgreSQL connection rejects statements after the end of their transaction', async () => {
    await using db = await withWords()
    const late = await db.transaction(async (tx) => () => tx.run("insert into words (word) values ('late')"))
    await assert.rejects(async () => late(), /after its end/)
    assert.deepEqual(await wordsIn(db), [])
  })

  it('a PostgreSQL connection retries a transaction that lost a deadlock', async () => {
    await using db = await withWords()
    await db.run("insert into words (word) values ('a'), ('b')")
    let tries = 0
    let locked = 0
    const { promise: bothLocked, resolve } = Promise.withResolvers<void>()
    const inOrder = (first: string, second: string) =>
      db.transaction(async (tx) => {
        tries += 1
        await tx.run('update words set count = count + 1 where word = $1', first)
        locked += 1
        if (locked === 2) resolve()
        await bothLocked
        await tx.run('update words set count = count + 1 where word = $1', second)
      })
    await Promise.all([inOrder('a', 'b'), inOrder('b', 'a')])
    // Both may lose when they look for the deadlock at the same time.
    assert.ok(tries === 3 || tries === 4, String(tries))
    const counts = await db.all<{ count: number }>('select count from words')
    assert.deepEqual(
      counts.map(({ count }) => count),
      [2, 2],
    )
  })

  it('a PostgreSQL connection distinguishes an unreachable database from a bug', async () => {
    await using db = await connect()
    await assert.rejects(db.all('select nonsense'), (error) => !(error instanceof StorageUnavailable))
    await using closed = open('postgres://user:secret@127.0.0.1:1/radar')
    await assert.rejects(closed.all('select 1'), (error) => {
      assert.ok(error instanceof StorageUnavailable)
      assert.match(error.message, /The PostgreSQL database cannot be used: no connection .*ECONNREFUSED/)
      assert.doesNotMatch(error.message, /secret/)
      return true
    })
    const nowhere = new URL(await server.newDatabase())
    nowhere.pathname = '/no_such_database'
    await using lost = open(nowhere.href)
    await assert.rejects(lost.all('select 1'), /there is no database of that name/)
  })

  it('a PostgreSQL connection is unavailable when its connections are terminated, even during a transaction, and reconnects', async () => {
    await using db = await withWords()
    const terminate = () =>
      server.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name = 'radar test' and pid <> pg_backend_pid()`,
      )
    await assert.rejects(
      db.transaction(async (tx) => {
        await tx.run("insert into words (word) values ('lost')")
        await terminate()
        await tx.run("insert into words (word) values ('lost too')")
      }),
      StorageUnavailable,
    )
    assert.deepEqual(await wordsIn(db), [])
    await terminate()
    // The pool may return a connection that it does not yet know to be closed.
    const words = await wordsIn(db).catch(() => wordsIn(db))
    assert.deepEqual(words, [])
  })

  it('a PostgreSQL connection to a server that became read-only is replaced, so that the next one may reach the primary', async () => {
    const url = await server.newDatabase()
    const name = new URL(url).pathname.slice(1)
    await server.query(`alter database ${name} set default_transaction_read_only = on`)
    await using db = open(url)
    const readOnly = { name: 'StorageUnavailable', message: /it is read-only, or a standby/ }
    await assert.rejects(db.run('create table alone (id integer)'), readOnly)
    await assert.rejects(
      db.transaction((tx) => tx.exec('create table together (id integer)')),
      readOnly,
    )
    // Only new sessions see the change, as only new connections reach the new primary after a failover.
    await server.query(`alter database ${name} reset default_transaction_read_only`)
    await db.run('create table alone (id integer)')
    await db.transaction((tx) => tx.exec('create table together (id integer)'))
  })

  it('a PostgreSQL connection survives a restart of the server', async () => {
    await using db = await withWords()
    await db.run("insert into words (word) values ('kept')")
    await server.restart()
    const words = await wordsIn(db).catch(() => wordsIn(db))
    assert.deepEqual(words, ['kept'])
  })
})
