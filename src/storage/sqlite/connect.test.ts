import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { SchemaError, StorageUnavailable } from '../port/errors.ts'
import { Connection } from './connect.ts'

function temporaryFile(t: { after: (done: () => void) => void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'radar-connect-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'deeper', 'radar.db')
}

function countingLog() {
  const log = {
    syncs: 0,
    sync: async () => {
      log.syncs += 1
    },
    close: () => {},
  }
  return log
}

describe('a SQLite connection', () => {
  it('a SQLite connection creates the folder of its file and uses a log', (t) => {
    using connection = new Connection(temporaryFile(t))
    assert.equal(connection.get<{ journal_mode: string }>('pragma journal_mode')?.journal_mode, 'wal')
    assert.equal(connection.get<{ synchronous: number }>('pragma synchronous')?.synchronous, 1)
    assert.equal(connection.get<{ foreign_keys: number }>('pragma foreign_keys')?.foreign_keys, 1)
  })

  it('a SQLite connection rolls back a transaction when its body throws', (t) => {
    using connection = new Connection(temporaryFile(t))
    connection.exec('create table words (word text) strict')
    assert.throws(
      () =>
        connection.transaction((): void => {
          connection.run('insert into words values (?)', 'rolled back')
          throw new Error('stop')
        }),
      /stop/,
    )
    connection.transaction(() => connection.run('insert into words values (?)', 'committed'))
    assert.deepEqual(
      connection.all<{ word: string }>('select word from words').map(({ word }) => word),
      ['committed'],
    )
  })

  it('a SQLite connection has a log that is on the disk after a commit, and not after a lease, a read or a rolled back change', async (t) => {
    const file = temporaryFile(t)
    const log = countingLog()
    using connection = new Connection(file, () => log)
    connection.exec('create table words (word text) strict')
    const insert = () => connection.run("insert into words values ('a')")
    const syncsAfter = async (act: () => unknown) => {
      const before = log.syncs
      act()
      await connection.onDisk()
      return log.syncs - before
    }
    assert.equal(await syncsAfter(() => connection.transaction(insert)), 1)
    assert.equal(await syncsAfter(insert), 1)
    assert.equal(await syncsAfter(() => connection.get('insert into words values (1) returning word')), 1)
    assert.equal(await syncsAfter(() => connection.leasing(insert)), 0)
    assert.equal(await syncsAfter(() => connection.all('select word from words')), 0)
    assert.equal(await syncsAfter(() => connection.transaction(() => {})), 0)
    assert.throws(() => connection.leasing((): void => connection.transaction(() => {})), /nested/)
    assert.throws(() => connection.transaction((): void => connection.leasing(() => {})), /nested/)
    using other = new Connection(file)
    assert.equal(await syncsAfter(() => other.run("insert into words values ('b')")), 1)
  })

  it('a SQLite connection waits for created events apart from other commits', async (t) => {
    const log = countingLog()
    using connection = new Connection(temporaryFile(t), () => log)
    connection.exec('create table words (word text) strict')
    connection.run("insert into words values ('a')")
    assert.equal(connection.eventsOnDisk(), undefined)
    connection.creatingEvents(() => connection.run("insert into words values ('b')"))
    await connection.eventsOnDisk()
    assert.equal(log.syncs, 1)
    assert.equal(connection.onDisk(), undefined)
  })

  it('a SQLite connection writes its log to the disk', async (t) => {
    const connection = new Connection(temporaryFile(t))
    connection.exec('create table words (word text) strict')
    connection.run("insert into words values ('a')")
    const syncing = connection.onDisk()
    connection[Symbol.dispose]()
    await syncing
    assert.equal(connection.onDisk(), undefined)
  })

  it('a SQLite connection never waits for the disk without a log', async (t) => {
    using connection = new Connection(temporaryFile(t), null)
    assert.equal(connection.get<{ synchronous: number }>('pragma synchronous')?.synchronous, 0)
    connection.exec('create table words (word text) strict')
    connection.transaction(() => connection.run("insert into words values ('a')"))
    assert.equal(connection.onDisk(), undefined)
  })

  it('a SQLite connection rejects an asynchronous body, by type and at run time, and rolls it back', (t) => {
    using connection = new Connection(temporaryFile(t))
    connection.exec('create table words (word text) strict')
    assert.throws(
      () =>
        // @ts-expect-error the type rejects a promise
        connection.transaction(async () => {
          connection.run('insert into words values (?)', 'rolled back')
        }),
      TypeError,
    )
    assert.deepEqual(connection.all('select word from words'), [])
  })

  it('a SQLite connection rejects a nested transaction', (t) => {
    using connection = new Connection(temporaryFile(t))
    assert.throws(() => connection.transaction(() => connection.transaction(() => 1)), /nested/)
    assert.equal(
      connection.transaction(() => 2),
      2,
    )
  })

  it('a SQLite connection distinguishes a file that is not a database from one that cannot be opened', (t) => {
    const file = temporaryFile(t)
    new Connection(file)[Symbol.dispose]()
    writeFileSync(file, 'not a database, but long enough to have the header of a database file, of 100 bytes')
    assert.throws(() => new Connection(file), SchemaError)
    assert.throws(() => new Connection(join(file, '..')), StorageUnavailable)
  })
})
