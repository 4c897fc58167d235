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

describe('a SQLite connection', () => {
  it('creates the folder of its file, and commits survive a power failure', (t) => {
    using connection = new Connection(temporaryFile(t))
    assert.equal(connection.get<{ journal_mode: string }>('pragma journal_mode')?.journal_mode, 'wal')
    assert.equal(connection.get<{ synchronous: number }>('pragma synchronous')?.synchronous, 2)
    assert.equal(connection.get<{ foreign_keys: number }>('pragma foreign_keys')?.foreign_keys, 1)
  })

  it('rolls back a transaction when its body throws', (t) => {
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

  it('waits for the disk again after a lease, even after a failed one', (t) => {
    using connection = new Connection(temporaryFile(t))
    const level = () => connection.get<{ synchronous: number }>('pragma synchronous')?.synchronous
    assert.equal(connection.leasing(level), 1)
    assert.equal(level(), 2)
    assert.throws(() => connection.leasing((): void => connection.transaction(() => {})), /nested/)
    assert.throws(() => connection.transaction((): void => connection.leasing(() => {})), /nested/)
    assert.equal(level(), 2)
  })

  it('never waits for the disk when the file is temporary', (t) => {
    using connection = new Connection(temporaryFile(t), false)
    const level = () => connection.get<{ synchronous: number }>('pragma synchronous')?.synchronous
    assert.equal(level(), 0)
    connection.leasing(() => {})
    assert.equal(level(), 0)
  })

  it('rejects an asynchronous body, by type and at run time, and rolls it back', (t) => {
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

  it('rejects a nested transaction', (t) => {
    using connection = new Connection(temporaryFile(t))
    assert.throws(() => connection.transaction(() => connection.transaction(() => 1)), /nested/)
    assert.equal(
      connection.transaction(() => 2),
      2,
    )
  })

  it('distinguishes a file that is not a database from one that cannot be opened', (t) => {
    const file = temporaryFile(t)
    new Connection(file)[Symbol.dispose]()
    writeFileSync(file, 'not a database, but long enough to have the header of a database file, of 100 bytes')
    assert.throws(() => new Connection(file), SchemaError)
    assert.throws(() => new Connection(join(file, '..')), StorageUnavailable)
  })
})
